"""Exponential fading with age, the same bits on every machine.

Vectorised ``exp`` and ``pow`` differ in the last bit from one processor to the next. A product of table entries does
not: multiplication is exact to the bit everywhere (IEEE 754), and a table is made by multiplying.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["OLDEST", "Fading"]

STEPS = 2**12

OLDEST = STEPS * STEPS - 1
"""Game minutes, about 32 years; a memory that is older counts as this old."""


class Fading:
    """What is left after some game minutes, when ``a_minute`` (0 to 1) is left after one."""

    def __init__(self, a_minute: float) -> None:
        self._fine = _powers(a_minute)
        self._coarse = _powers(float(self._fine[-1]) * a_minute)

    @classmethod
    def halving(cls, half_life: float) -> Fading:
        """Half is left after ``half_life`` minutes."""
        return cls(0.5 ** (1 / half_life))

    def left(self, ages: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """What is left at these ages, in minutes from 0 to ``OLDEST``: 1 at 0, never growing."""
        found: npt.NDArray[np.float64] = self._coarse[ages // STEPS] * self._fine[ages % STEPS]
        return found


def _powers(base: float) -> npt.NDArray[np.float64]:
    factors = np.full(STEPS, base, np.float64)
    factors[0] = 1.0
    powers: npt.NDArray[np.float64] = np.multiply.accumulate(factors)
    return powers
