"""What an NPC believes: how she came by it, how long it holds, what speaks for it."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

STATEMENTS: tuple[str, ...] = ()

ERASURE: dict[str, Erasure] = {}
