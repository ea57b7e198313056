"""Relationships of one to another, and triples."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

STATEMENTS: tuple[str, ...] = ()

ERASURE: dict[str, Erasure] = {}
