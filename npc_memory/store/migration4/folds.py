"""What is worked out from records and kept for speed: it may be dropped at any time."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

STATEMENTS: tuple[str, ...] = ()

ERASURE: dict[str, Erasure] = {}
