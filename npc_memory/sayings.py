"""What an NPC holds by its words, and by what of whom it tells: found without reading all that she remembers.

Of each NPC's episodes and beliefs some 25 bytes are kept in the process: a hash of the words and one of slot and
subject. What they lead to is read from the store and compared, so a hash that two share does no harm, nor does a record
that counts no more. It works within a transaction as well, where memories are made.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

import numpy as np

from npc_memory.memory import Being, BeliefRecord, EpisodeRecord
from npc_memory.recall.column import Column
from npc_memory.recalling import Kind
from npc_memory.store import Growing, Store

__all__ = ["MOST_BYTES", "MOST_GONE", "Sayings", "beliefs_of", "beliefs_saying", "episodes_saying"]

MOST_BYTES = 16 * 2**20
"""Bytes that all of them may take together; those not used for longest go first."""

MOST_GONE = 16
"""Of more found than this it is asked which count no more, so that those are not looked at again."""

RecordT = TypeVar("RecordT", EpisodeRecord, BeliefRecord)

Key = tuple[Kind, tuple[Being, ...]]


class _Wordings:
    """Those of one NPC's memories of one kind, in the order of their numbers."""

    def __init__(self) -> None:
        self.numbers, self.words, self.abouts = Column(np.int64), Column(np.int64), Column(np.int64)
        self.there = Column(np.bool_)
        self.writes = -1
        self.retired = 0
        self._gone: list[tuple[int, int]] = []  # numbers of retirements and positions of what they retired
        self._settled = (0, 0, 0)

    @property
    def size(self) -> int:
        return sum(one.size for one in (self.numbers, self.words, self.abouts, self.there)) + 100 * len(self._gone)

    @property
    def seen(self) -> int:
        """The number of the last that was taken in."""
        return int(self.numbers.view[-1]) if len(self.numbers.view) else 0

    def settle(self) -> None:
        self._settled = len(self.numbers.view), len(self._gone), self.retired

    def take_back(self) -> None:
        count, gone, retired = self._settled
        self._cut(count, self._gone[:gone], retired)

    def until(self, shared: int) -> _Wordings:
        """What had settled of it, as it was when ``shared`` was the newest record; this one stays as it is."""
        one = _Wordings()
        for name in ("numbers", "words", "abouts", "there"):
            getattr(one, name).extend(getattr(self, name).view)
        one._gone = list(self._gone)
        count, gone, retired = self._settled
        known = [pair for pair in self._gone[:gone] if pair[0] <= shared]
        last = int(np.searchsorted(self.numbers.view[:count], shared, side="right"))
        one._cut(last, known, min(retired, shared))
        one.settle()
        return one

    def _cut(self, count: int, gone: list[tuple[int, int]], retired: int) -> None:
        stay = {at for _, at in gone}
        for _, at in self._gone:
            self.there.view[at] = at not in stay
        for name in ("numbers", "words", "abouts", "there"):
            setattr(self, name, getattr(self, name).first(count))
        self._gone, self.retired, self.writes = [pair for pair in gone if pair[1] < count], retired, -1

    def catch_up(self, store: Store, npc: str, kind: Kind, writes: int) -> None:
        if self.writes == writes:
            return
        newer = store.wordings(npc, kind, since=self.seen)
        self.numbers.extend([one.seq for one in newer])
        self.words.extend([hash(one.text) for one in newer])
        self.abouts.extend([_about(one.slot, one.subject) if one.slot else 0 for one in newer])
        self.there.extend([True] * len(newer))
        self.writes = writes

    def drop_gone(self, store: Store, npc: str) -> None:
        """Leave out what counts no more."""
        retired = store.retired(npc, since=self.retired)
        for number, target in retired:
            at = int(np.searchsorted(self.numbers.view, target))
            if at < len(self.numbers.view) and self.numbers.view[at] == target:
                self.there.view[at] = False
                self._gone.append((number, at))
        if retired:
            self.retired = retired[-1][0]

    def found(self, column: Column, keys: Collection[int]) -> list[int]:
        values = column.view
        at = np.flatnonzero(np.isin(values, list(keys)) if len(keys) > 1 else values == next(iter(keys)))
        return [int(number) for number in self.numbers.view[at[self.there.view[at]]]]


class Sayings(Growing):
    """Those of one owner's NPCs on one timeline."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, _Wordings] = OrderedDict()
        self._fresh: dict[Key, _Wordings] = {}
        self._before: dict[Key, tuple[_Wordings, int]] = {}

    def continued(self, shared: int) -> Sayings:
        """Those of a timeline that shares the records up to number ``shared``."""
        one = Sayings()
        before = {key: (known, min(shared, last)) for key, (known, last) in self._before.items()}
        one._before = {**before, **{key: (known, shared) for key, known in self._known.items()}}
        return one

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        return sum(one.size for one in self._known.values())

    def settle(self) -> None:
        """See ``Growing``."""
        for one in self._fresh.values():
            one.settle()
        self._fresh.clear()

    def take_back(self) -> None:
        """See ``Growing``."""
        for one in self._fresh.values():
            one.take_back()
        self._fresh.clear()

    def of(self, store: Store, npc: str, kind: Kind) -> _Wordings:
        """Those of ``npc``, up to date."""
        key = kind, store.identities().same(npc)
        made = key not in self._known
        if made:
            known, shared = self._before.pop(key, (None, 0))
            self._known[key] = known.until(shared) if known is not None else _Wordings()
        self._known.move_to_end(key)
        found = self._fresh[key] = self._known[key]
        found.catch_up(store, npc, kind, self.writes)
        while made and len(self._known) > 1 and self.size > MOST_BYTES:
            self._fresh.pop(self._known.popitem(last=False)[0], None)
        return found


def beliefs_saying(store: Store, npc: str, text: str) -> tuple[BeliefRecord, ...]:
    """Those of her beliefs that say exactly ``text``, oldest first."""
    found = _numbers(store, npc, "belief", lambda one: one.words, (hash(text),))
    return tuple(one for one in _in_order(found, store.beliefs_at(found)) if one.text == text)


def episodes_saying(store: Store, npc: str, text: str) -> tuple[EpisodeRecord, ...]:
    """Those of her own episodes that say exactly ``text``, oldest first."""
    found = _numbers(store, npc, "episode", lambda one: one.words, (hash(text),))
    return tuple(one for one in _in_order(found, store.episodes_at(found)) if one.text == text)


def beliefs_of(store: Store, npc: str, slot: str, subjects: Collection[str]) -> tuple[BeliefRecord, ...]:
    """Those of her beliefs that say what is in ``slot`` of one of these ``subjects`` (ids), oldest first."""
    keys = [_about(slot, one) for one in subjects]
    found = _numbers(store, npc, "belief", lambda one: one.abouts, keys) if keys else []
    at = _in_order(found, store.beliefs_at(found))
    return tuple(one for one in at if one.slot == slot and one.subject in subjects)


def _numbers(
    store: Store, npc: str, kind: Kind, column: Callable[[_Wordings], Column], keys: Collection[int]
) -> list[int]:
    with store.reading():
        known = store.growing(Sayings).of(store, npc, kind)
        found = known.found(column(known), keys)
        if len(found) > MOST_GONE:
            known.drop_gone(store, npc)
            found = known.found(column(known), keys)
        return found


def _in_order(numbers: list[int], records: Mapping[int, RecordT]) -> list[RecordT]:
    return [records[number] for number in numbers if number in records]


def _about(slot: str, subject: str) -> int:
    return hash((slot, subject))
