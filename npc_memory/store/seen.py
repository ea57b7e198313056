"""What a view sees, and what has been worked out from it: kept as long as that timeline is played on, and a little
longer, for what comes after shares a past with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Self

from npc_memory.store.lineage import Lineage

__all__ = ["Continued", "Seen"]

LEFT = 2
"""Timelines left behind of which is still kept what was worked out: one may be gone back to."""


class Continued(ABC):
    """Something worked out from records that can be taken along to another timeline."""

    @abstractmethod
    def continued(self, shared: int) -> Self:
        """What of it holds on a timeline that shares the records up to number ``shared`` and none beyond. This one
        stays as it is.
        """


class Seen:
    """One lineage and what was worked out from it. ``epoch`` rises with every change of the timeline."""

    def __init__(self, lineage: Lineage) -> None:
        self.epoch = 0
        self._lineage = lineage
        self._parameter = lineage.parameter()
        self.folds: dict[str, tuple[int, Mapping[Any, Any]]] = {}
        self._kept: dict[Callable[[], Any], Any] = {}
        self._left: list[tuple[Lineage, dict[Callable[[], Any], Any]]] = []

    @property
    def lineage(self) -> Lineage:
        """The timeline that is seen, and its forebears."""
        return self._lineage

    @property
    def parameter(self) -> str:
        """The lineage as queries take it."""
        return self._parameter

    def turn_to(self, lineage: Lineage) -> None:
        """Another timeline is played on."""
        self._left = [(self.lineage, self._kept), *self._left][:LEFT]
        self.epoch += 1
        self._lineage, self._parameter = lineage, lineage.parameter()
        self.folds, self._kept = {}, {}

    def past(self, seq: int) -> Seen:
        """What was seen when ``seq`` was the newest record."""
        return _Past(self, seq)

    def relabel(self, lineage: Lineage) -> None:
        """The same timeline and the same records; they hang elsewhere in the tree now."""
        self._left.clear()  # where those hang is not known any more
        self._lineage, self._parameter = lineage, lineage.parameter()

    def forget(self) -> None:
        """Something was erased: what was worked out may still hold it."""
        self.folds, self._kept = {}, {}
        self._left.clear()

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
        known = [(self.lineage.shared(lineage), kept[make]) for lineage, kept in self._left if make in kept]
        shared, found = max(known, key=lambda one: one[0], default=(0, None))
        return found.continued(shared) if isinstance(found, Continued) and shared else make()


class _Past(Seen):
    """An earlier moment. It goes along when the lineage is compacted, until another timeline is played on."""

    def __init__(self, present: Seen, seq: int) -> None:
        super().__init__(present.lineage.until(seq))
        self._present, self._seq, self._begun, self._whole = present, seq, present.epoch, present.lineage

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
