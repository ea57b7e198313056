"""Schema 4, a module for each noun: its statements, and how its tables forget a person."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure
from npc_memory.store.migration4 import beliefs, bonds, folds, owners, vectors

__all__ = ["V4", "V4_ERASURE"]

# Owners first: a table made of rows that are there already finds their owners as they are from then on.
_NOUNS = (owners, beliefs, bonds, folds, vectors)

V4: tuple[str, ...] = tuple(statement for noun in _NOUNS for statement in noun.STATEMENTS)
"""The statements of migration 4."""

V4_ERASURE: dict[str, Erasure] = {table: rule for noun in _NOUNS for table, rule in noun.ERASURE.items()}
"""The rules of the tables it adds."""
