"""What a view sees, and what has been worked out from it: kept as long as that timeline is played on, and a little
longer, for what comes after shares a past with it.

A moment that was left is known by the number of its newest record. What was visible then follows from that number
alone, whatever the timelines are called by now; so compacting harms nothing that is kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from npc_memory.store.lineage import Lineage

__all__ = ["Continued", "Fold", "Given", "Growing", "Left", "Seen"]

MOST_LEFT = 4
"""Moments left behind of which is still kept what was worked out: one may be gone back to."""

MOST_BYTES = 64 * 2**20
"""About what they may take together, the newest of them aside."""


class Continued(ABC):
    """Something worked out from records that can be taken along to another timeline."""

    @abstractmethod
    def continued(self, shared: int) -> Self:
        """What of it holds on a timeline that shares the records up to number ``shared`` and none beyond. This one
        stays as it is.
        """

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return 0


class Growing(Continued):
    """One that is used within a transaction as well, because it can take back what it took in meanwhile."""

    _undone, _span = 0, 0
    writes = -1
    """How often the file had been written to when it was last told where things stand."""

    def stand(self, undone: int, span: int, writes: int) -> None:
        """``undone``: how often anything was taken back so far; ``span``: the transaction that is open, 0 for none."""
        if undone != self._undone:
            self.take_back()
        elif span != self._span:
            self.settle()
        self._undone, self._span, self.writes = undone, span, writes

    @abstractmethod
    def settle(self) -> None:
        """What has been taken in is there to stay."""

    @abstractmethod
    def take_back(self) -> None:
        """What has been taken in since it last settled may never have been, and may come again: it is to be left out.
        ``continued`` leaves it out too.
        """


class Fold(NamedTuple):
    """What the records of a kind come to up to number ``since``; all of them as long as the file was written to
    ``writes`` times.
    """

    since: int
    found: Mapping[Any, Any]
    writes: int = -1


Makers = dict[Callable[[], Any], Any]


@dataclass(slots=True)
class Left:
    """A moment that was left, when ``newest`` was the newest record; ``shared``: up to where what is seen now is the
    same. ``lineage``: what was seen, None when the timelines are called otherwise since.
    """

    newest: int
    kept: Makers
    folds: dict[str, Fold]
    lineage: Lineage | None
    shared: int = 0

    @property
    def size(self) -> int:
        """About how many bytes is kept of it."""
        return sum(one.size for one in self.kept.values() if isinstance(one, Continued))


@dataclass(slots=True)
class _Within:
    """Folds that hold what a transaction has written, and which transaction that is."""

    span: int = -1
    folds: dict[str, Fold] = field(default_factory=dict)


class Seen:
    """One lineage and what was worked out from it. ``epoch`` rises with every change of the timeline."""

    def __init__(self, lineage: Lineage) -> None:
        self.epoch = 0
        self._lineage = lineage
        self._parameter = lineage.parameter()
        self.folds: dict[str, Fold] = {}
        self.left: list[Left] = []
        """Moments that were left and share something with this one, the one that shares most first."""
        self._kept: Makers = {}
        self._within = _Within()
        self._recent: list[Left] = []

    @property
    def lineage(self) -> Lineage:
        """The timeline that is seen, and its forebears."""
        return self._lineage

    @property
    def parameter(self) -> str:
        """The lineage as queries take it."""
        return self._parameter

    def turn_to(self, lineage: Lineage, newest: int, moment: Callable[[int], Lineage | None]) -> None:
        """Another timeline is played on. ``newest``: the number of the newest record on this one; ``moment``: the
        lineage with which a record was the newest.
        """
        if self._kept or self.folds:
            others = [one for one in self._recent if one.newest != newest]
            left = Left(newest, self._kept, self.folds, self.lineage.until(newest))
            self._recent = _few([left, *others])
        self.epoch += 1
        self._lineage, self._parameter = lineage, lineage.parameter()
        self.folds, self._kept = {}, {}
        for one in self._recent:
            one.lineage = one.lineage or moment(one.newest)
            one.shared = one.lineage.shared(lineage) if one.lineage is not None else 0
        self.left = sorted((one for one in self._recent if one.shared), key=lambda one: -one.shared)

    def past(self, seq: int) -> Seen:
        """What was seen when ``seq`` was the newest record."""
        return _Past(self, seq)

    def relabel(self, lineage: Lineage) -> None:
        """The same timeline and the same records; they hang elsewhere in the tree now."""
        self._lineage, self._parameter = lineage, lineage.parameter()
        for one in self._recent:
            one.lineage = None

    def forget(self) -> None:
        """Something was erased: what was worked out may still hold it."""
        self.folds, self._kept, self._within = {}, {}, _Within()
        self._recent.clear()
        self.left.clear()

    def folds_within(self, span: int) -> dict[str, Fold]:
        """The folds of the transaction ``span``, which may be taken back."""
        if self._within.span != span:
            self._within = _Within(span)
        return self._within.folds

    def kept(self, make: Callable[[], Any]) -> Any:
        """The one that is kept, made by ``make``, or from what is left of an earlier timeline."""
        if make not in self._kept:
            self._kept[make] = self._from_left(make)
        return self._kept[make]

    def aside(self, make: Callable[[], Any]) -> Any:
        """One like it that is not kept."""
        found = self._kept.get(make)
        return found.continued(self.lineage.spans[0][1]) if isinstance(found, Continued) else make()

    def _from_left(self, make: Callable[[], Any]) -> Any:
        found = next((one for one in self.left if isinstance(one.kept.get(make), Continued)), None)
        return found.kept[make].continued(found.shared) if found is not None else make()


class Given(dict[str, Any]):
    """What a statement is given: ``parameters`` and, as ``lineage``, that of ``seen``.

    The lineage is looked up when the statement is bound, so under the database's lock: compacting may have moved
    records since the statement was asked for, and where they were they are no more.
    """

    def __init__(self, seen: Seen, parameters: Mapping[str, Any]) -> None:
        super().__init__(parameters)
        self._seen = seen

    def __missing__(self, name: str) -> str:
        if name != "lineage":
            raise KeyError(name)
        return self._seen.parameter


class _Past(Seen):
    """An earlier moment. It goes along when the lineage is compacted, until another timeline is played on."""

    def __init__(self, present: Seen, seq: int) -> None:
        whole = present.lineage  # looked up once: compacting may put another in its place at any moment
        super().__init__(whole.until(seq))
        self._present, self._seq, self._begun, self._whole = present, seq, present.epoch, whole

    @property
    def lineage(self) -> Lineage:
        self._follow()
        return self._lineage

    @property
    def parameter(self) -> str:
        self._follow()
        return self._parameter

    def _follow(self) -> None:
        whole = self._present.lineage
        if whole is not self._whole and self._present.epoch == self._begun:
            self._whole = whole
            self.relabel(whole.until(self._seq))


def _few(recent: list[Left]) -> list[Left]:
    """The newest, and of the others as many as may be kept."""
    kept, size = recent[:1], 0
    for one in recent[1:MOST_LEFT]:
        size += one.size
        if size <= MOST_BYTES:
            kept.append(one)
    return kept
