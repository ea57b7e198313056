"""The black box: what went into a reply and what came out, and whether it would be the same today."""

from npc_memory.audit.record import FORMAT, Attempt, Audit, prompt_sha256
from npc_memory.audit.replay import Divergence, Piece, first_difference

__all__ = ["FORMAT", "Attempt", "Audit", "Divergence", "Piece", "first_difference", "prompt_sha256"]
