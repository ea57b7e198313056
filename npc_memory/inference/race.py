"""Which of two ways is faster, on a machine that also does other things."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

__all__ = ["race"]


def race(a: Callable[[], float], b: Callable[[], float], rounds: int = 3) -> float:
    """Return how many times as fast ``b`` is: the ratio of the medians of alternated runs.

    Each call makes one run and returns its seconds. Who begins a round changes, so that a machine that slows down or
    speeds up meanwhile favours neither.
    """
    runs: tuple[list[float], list[float]] = ([], [])
    for i in range(rounds):
        for which in (0, 1) if i % 2 == 0 else (1, 0):
            runs[which].append((a, b)[which]())
    return median(runs[0]) / median(runs[1])
