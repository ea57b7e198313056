"""The black box: what went into a reply and what came out."""

from npc_memory.audit.record import Attempt, Audit, prompt_sha256

__all__ = ["Attempt", "Audit", "prompt_sha256"]
