"""Vectors of meaning, kept beside the records they are made from."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

STATEMENTS: tuple[str, ...] = ()

ERASURE: dict[str, Erasure] = {}
