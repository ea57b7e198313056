"""What a formula weighs: for each memory how well it fits, how important, how old and how frequent it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from npc_memory.recall.scoring.fading import OLDEST

__all__ = ["DAY", "Signals", "score"]

DAY = 24 * 60
"""Game minutes of a day."""

MANY = 2**53
"""Counts up to here are told apart."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Signals:
    """Arrays of one length. ``relevance`` and ``importance`` from 0 to 1, ``ages`` in game minutes from 0 to
    ``OLDEST``, ``counts`` from 1: how often it happened. ``of`` makes them from anything.
    """

    relevance: Floats
    importance: Floats
    ages: Integers
    counts: Integers

    @classmethod
    def of(
        cls, relevance: Sequence[float], importance: Sequence[float], ages: Sequence[int], counts: Sequence[int]
    ) -> Signals:
        """The same from any numbers: what lies outside a range is moved to its edge, what is no number is 0."""
        return cls(
            _fractions(relevance),
            _fractions(importance),
            np.array([min(max(0, age), OLDEST) for age in ages], np.int64),
            np.array([min(max(1, count), MANY) for count in counts], np.int64),
        )


def score(
    formula: Callable[[Signals], Floats],
    *,
    relevance: float = 0.0,
    importance: float = 0.0,
    age: int = 0,
    count: int = 1,
) -> float:
    """What ``formula`` gives one memory, quantised to 1e-6."""
    return round(float(formula(Signals.of([relevance], [importance], [age], [count]))[0]), 6)


def _fractions(values: Sequence[float]) -> Floats:
    return np.array([min(1.0, max(0.0, value)) for value in values], np.float64)  # max(0.0, NaN) is 0.0
