"""Figures of a run: seconds, medians, the worst tenth, ratios of what was measured right after each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

__all__ = ["Goal", "Spread", "p90", "paired", "spread"]


@dataclass(frozen=True, slots=True)
class Spread:
    """Seconds (or another unit) of ``n`` samples."""

    n: int
    median: float
    p90: float

    def as_map(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure to reach: ``at_most`` or at least ``limit``. ``measured`` is None where it could not be measured."""

    name: str
    measured: float | None
    limit: float
    at_most: bool = True

    @property
    def reached(self) -> bool | None:
        """Whether it is."""
        if self.measured is None:
            return None
        return self.measured <= self.limit if self.at_most else self.measured >= self.limit

    def as_map(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "reached": self.reached}


def p90(samples: Sequence[float]) -> float:
    """The sample that nine of ten do not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]


def spread(samples: Sequence[float]) -> Spread | None:
    """Figures of ``samples``; None of none."""
    return Spread(len(samples), median(samples), p90(samples)) if samples else None


def paired(ours: Sequence[float], theirs: Sequence[float]) -> float | None:
    """The median ratio of samples that were taken right after each other, so that noise hits both."""
    ratios = [a / b for a, b in zip(ours, theirs, strict=True) if b > 0]
    return median(ratios) if ratios else None
