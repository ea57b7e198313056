"""What one feels for another now, as it is worked out again and again: kept, and grown by what has changed since."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from npc_memory.memory import Being, RelationshipChange
from npc_memory.memory.relationships import KINDS, RelationKind, moved
from npc_memory.store import Store

__all__ = ["Feeling", "Feelings"]

MOST = 2000
"""Pairs of which the values are kept."""


class Feeling:
    """The values of one pair, the newest change of each kind, and up to which record they go. ``until_now``: the newest
    record there was when they were looked up.
    """

    def __init__(self, start: Mapping[RelationKind, int]) -> None:
        self.values: dict[RelationKind, int] = dict.fromkeys(KINDS, 0) | dict(start)
        self.newest: dict[RelationKind, RelationshipChange] = {}
        self.seen = 0
        self.retired = 0
        self.until_now = 0
        self._numbers: set[int] = set()

    def add(self, change: RelationshipChange) -> None:
        """Take in the next change."""
        self.values[change.kind] = moved(self.values[change.kind], change.kind, change.how, change.amount)
        self.newest[change.kind] = change
        self.seen = change.seq
        self._numbers.add(change.seq)

    def holds(self, number: int) -> bool:
        """Whether that record is one of the changes."""
        return number in self._numbers


class Feelings:
    """The feelings of one owner's NPCs on one timeline."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[tuple[Being, ...], tuple[Being, ...]], Feeling] = OrderedDict()

    def of(self, store: Store, npc: str, other: str, start: Mapping[RelationKind, int]) -> Feeling:
        """What ``npc`` feels for ``other`` now, from the ``start`` values."""
        identities = store.identities()
        pair = identities.same(npc), identities.same(other)
        known, newest = self._known.get(pair) or Feeling(start), store.newest_seq()
        if known.until_now >= newest > 0:
            self._known.move_to_end(pair)
            return known
        retired = store.retired(npc, since=known.retired)
        if any(known.holds(target) for _, target in retired):
            known = Feeling(start)
            retired = store.retired(npc)
        known.retired = retired[-1][0] if retired else known.retired
        for change in store.relationship_changes(npc, other, since=known.seen):
            known.add(change)
        known.until_now = newest
        self._known[pair] = known
        self._known.move_to_end(pair)
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return known
