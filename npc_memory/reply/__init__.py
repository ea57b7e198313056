"""From what a model wrote to what an NPC says: schema, grammar, reading, checking, fallback, seeds. No I/O."""

from npc_memory.reply.grammar import cue, grammar_for, max_tokens, token_bound
from npc_memory.reply.reading import parse
from npc_memory.reply.schema import Action, ActionSpec, Reply, ReplySpec

__all__ = ["Action", "ActionSpec", "Reply", "ReplySpec", "cue", "grammar_for", "max_tokens", "parse", "token_bound"]
