"""From what a model wrote to what an NPC says: schema, grammar, reading, canon guard, fallback, seeds. No I/O."""

from npc_memory.reply.check import Checked, Reason, check
from npc_memory.reply.fallback import DEFAULT_FALLBACK_LINES, fallback_line
from npc_memory.reply.grammar import cue, grammar_for, max_tokens, token_bound
from npc_memory.reply.guard import Claim, Contradiction, Guard
from npc_memory.reply.reading import parse
from npc_memory.reply.schema import Action, ActionSpec, Reply, ReplySpec
from npc_memory.reply.seeds import reply_seed
from npc_memory.reply.sentences import sentences
from npc_memory.reply.stream import SayStream

__all__ = [
    "DEFAULT_FALLBACK_LINES",
    "Action",
    "ActionSpec",
    "Checked",
    "Claim",
    "Contradiction",
    "Guard",
    "Reason",
    "Reply",
    "ReplySpec",
    "SayStream",
    "check",
    "cue",
    "fallback_line",
    "grammar_for",
    "max_tokens",
    "parse",
    "reply_seed",
    "sentences",
    "token_bound",
]
