"""Which memory comes before and after which in the same scene."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from npc_memory.recall.column import Column

__all__ = ["GAP", "NOBODY", "SHARE", "Neighbours"]

SHARE = 0.75
"""What a neighbour's words count in a window, beside 1 for its own. Sums of it are exact in binary."""

GAP = 60
"""Game minutes between two memories of a scene after which they are no neighbours."""

NOBODY = -1
"""Stands for a neighbour that is not there: the last place of an array, where a 0 is kept."""

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Neighbours:
    """For each memory the position of the one before and after it in its scene, ``NOBODY`` where there is none.

    Memories of a scene need not lie side by side, but no more than ``GAP`` apart in time.
    """

    def __init__(self) -> None:
        self._before, self._after = Column(np.int32), Column(np.int32)
        self._last: dict[int, tuple[int, int]] = {}  # by scene, the position and time of its newest memory

    @classmethod
    def of(cls, scenes: npt.NDArray[np.uint32], times: Integers) -> Neighbours:
        """From the number of each memory's scene (0 is none) and its time."""
        one, count = cls(), len(scenes)
        order = np.argsort(scenes, kind="stable")
        ordered = scenes[order]
        pauses = np.abs(np.diff(times[order].astype(np.float64)))
        linked = (ordered[1:] == ordered[:-1]) & (ordered[1:] != 0) & (pauses <= GAP)
        before, after = np.full(count, NOBODY), np.full(count, NOBODY)
        before[order[1:][linked]] = order[:-1][linked]
        after[order[:-1][linked]] = order[1:][linked]
        one._before.extend(before)
        one._after.extend(after)
        newest = order[np.flatnonzero(np.diff(ordered, append=np.uint32(0)))] if count else order
        one._last = {int(scenes[at]): (int(at), int(times[at])) for at in newest.tolist() if scenes[at]}
        return one

    def copy(self) -> Neighbours:
        """The same, to grow apart from these."""
        one = Neighbours()
        one._before, one._last = self._before.first(len(self._before.view)), dict(self._last)
        one._after.extend(self.after)  # it is written over when a memory gets a neighbour
        return one

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return self._before.size + self._after.size + 100 * len(self._last)

    @property
    def before(self) -> npt.NDArray[np.int32]:
        """The position of the one before each."""
        return self._before.view

    @property
    def after(self) -> npt.NDArray[np.int32]:
        """The position of the one after each."""
        return self._after.view

    def add(self, scene: int, time: int) -> None:
        """Add a memory behind the others."""
        at, (last, then) = len(self._before.view), self._last.get(scene, (NOBODY, 0))
        # As floats, for so the distance of any two int64 has a value; ``of`` does the same.
        linked = last != NOBODY and abs(float(time) - float(then)) <= GAP
        self._before.append(last if linked else NOBODY)
        self._after.append(NOBODY)
        if linked:
            self._after.view[last] = at
        if scene:
            self._last[scene] = at, time

    def windowed(self, values: Floats, at: Integers | slice = slice(None)) -> Floats:
        """What windows of three hold of ``values``: one per memory, and a 0 at the end."""
        own = values[:-1][at]
        found: Floats = own + SHARE * (values[self.before[at]] + values[self.after[at]])
        return found
