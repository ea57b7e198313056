"""What one feels for another: five kinds, each a whole number, moved by events.

The value is a fold of the changes that are visible, from a starting value and in their order. It stops at its bounds
with every step, so that a hundred gifts do not outweigh a later blow. Nothing fades with time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from npc_memory.memory.authority import Authority
from npc_memory.memory.records import Stored

__all__ = ["BOUNDS", "KINDS", "How", "RelationKind", "Relationship", "RelationshipChange", "folded", "moved"]

RelationKind = Literal["trust", "affection", "fear", "respect", "debt"]

How = Literal["by", "to", "off"]
"""``by``: the value moves by so much; ``to``: it is so much now; ``off``: so much of what is owed is paid, never more
than is owed (a positive amount by the other, a negative one by the NPC)."""

KINDS: tuple[RelationKind, ...] = ("trust", "affection", "fear", "respect", "debt")

BOUNDS: dict[RelationKind, tuple[int, int]] = {
    "trust": (-100, 100),
    "affection": (-100, 100),
    "fear": (0, 100),
    "respect": (-100, 100),
    "debt": (-(10**12), 10**12),
}
"""Lowest and highest value of each kind. Debt is in the game's money: positive is owed to the NPC, negative by her."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipChange(Stored):
    """One step of what ``npc`` feels for ``other`` in one ``kind``. ``reason``: why, in words; the source event stands
    in the provenance, and who was there in the scene, as with an episode.
    """

    id: str
    npc: str
    other: str
    kind: RelationKind
    amount: int
    game_time: int
    how: How = "by"
    reason: str = ""
    speaker: str = ""
    addressee: str = ""
    place: str = ""
    audience: tuple[str, ...] = field(default=())
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """What ``npc`` feels for ``other`` now. ``words``: the sentences a prompt has for it, none while all is neutral.
    ``start``: the designer's starting values, where they are not 0. ``history``: the changes since, oldest first.
    """

    npc: str
    other: str
    trust: int = 0
    affection: int = 0
    fear: int = 0
    respect: int = 0
    debt: int = 0
    words: tuple[str, ...] = field(default=())
    start: Mapping[RelationKind, int] = field(default_factory=dict)
    history: tuple[RelationshipChange, ...] = field(default=())


def moved(value: int, kind: RelationKind, how: How, amount: int) -> int:
    """``value`` of a ``kind`` after one change, within its bounds."""
    low, high = BOUNDS[kind]
    if how == "off":
        owed = max(0, value) if amount >= 0 else min(0, value)
        paid = min(amount, owed) if amount >= 0 else max(amount, owed)
        return value - paid
    return max(low, min(high, amount if how == "to" else value + amount))


def folded(
    changes: Iterable[RelationshipChange], start: Mapping[RelationKind, int] | None = None
) -> dict[RelationKind, int]:
    """The value of every kind after ``changes``, in their order, from the ``start`` values (else 0)."""
    values: dict[RelationKind, int] = dict.fromkeys(KINDS, 0) | dict(start or {})
    for one in changes:
        values[one.kind] = moved(values[one.kind], one.kind, one.how, one.amount)
    return values
