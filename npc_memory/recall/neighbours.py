"""Which memory comes before and after which in the same scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["GAP", "SHARE", "Neighbours"]

SHARE = 0.75
"""What a neighbour's words count in a window, beside 1 for its own. Sums of it are exact in binary."""

GAP = 60
"""Game minutes between two memories of a scene after which they are no neighbours."""

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """For each of n memories the position of the one before and after it in its scene; n where there is none."""

    before: Integers
    after: Integers

    @classmethod
    def of(cls, scenes: npt.NDArray[np.uint32], times: Integers) -> Neighbours:
        """From the number of each memory's scene (0 is none) and its time. Memories of a scene need not lie side by
        side, but no more than ``GAP`` apart in time.
        """
        count = len(scenes)
        order = np.argsort(scenes, kind="stable")
        ordered = scenes[order]
        pauses = np.abs(np.diff(times[order].astype(np.float64)))
        linked = (ordered[1:] == ordered[:-1]) & (ordered[1:] != 0) & (pauses <= GAP)
        before, after = np.full(count + 1, count), np.full(count + 1, count)
        before[order[1:][linked]] = order[:-1][linked]
        after[order[:-1][linked]] = order[1:][linked]
        return cls(before, after)

    def windowed(self, values: Floats, at: Integers | slice = slice(None)) -> Floats:
        """What windows of three hold of ``values``: n of them, one per memory, and a 0 at the end."""
        found: Floats = values[at] + SHARE * (values[self.before[at]] + values[self.after[at]])
        return found
