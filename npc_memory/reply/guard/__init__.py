"""The canon guard: no NPC says what contradicts a fact or a state entry that she knows. Pure and deterministic."""

from npc_memory.reply.guard.claim import Claim, Contradiction
from npc_memory.reply.guard.guard import Guard

__all__ = ["Claim", "Contradiction", "Guard"]
