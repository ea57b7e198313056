"""Random numbers whose whole state is one integer, so that a saved game goes on as it would have gone on.

SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014). Each purpose has a
stream of its own, named: a monster's step never changes what lies on a level that nobody has entered yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from roguelike.signature import signature

__all__ = ["Dice"]

T = TypeVar("T")
MASK = (1 << 64) - 1


@dataclass
class Dice:
    """A stream of random numbers. ``state``: 64 bits; the same state, the same numbers."""

    state: int

    @classmethod
    def named(cls, seed: int, name: str) -> Dice:
        """The stream called ``name`` of the game with this ``seed``."""
        return cls(signature(f"{seed}/{name}"))

    def next(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely. ``n`` is at least 1."""
        limit = (MASK + 1) - (MASK + 1) % n
        while (drawn := self.next()) >= limit:
            pass
        return drawn % n

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True in ``percent`` of a hundred throws."""
        return self.below(100) < percent

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``, which are not empty."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of ``items`` in a random order (Fisher-Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out
