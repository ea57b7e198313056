"""What turns a text into a vector, and vectors into whole numbers."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["SCALE", "Embedding", "quantised"]

SCALE = 400
"""A component of a unit vector is stored as this many times itself, rounded, from -127 to 127. Those of 384 dimensions
rarely exceed 0.3, and one scale for all keeps vectors comparable, so that windows of them can be added up.
"""


class Embedding(Protocol):
    """A model of meaning. ``name`` says which one, down to its weights: vectors of two names cannot be compared."""

    @property
    def name(self) -> str:
        """The model's name, with its version or hash."""
        ...

    @property
    def size(self) -> int:
        """How many components a vector has."""
        ...

    def vector(self, text: str) -> npt.NDArray[np.int8]:
        """The meaning of ``text``; the same text always gives the same vector."""
        ...


def quantised(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """A vector of any length as ``Embedding.vector`` gives it; without a length it is all 0."""
    length = float(np.sqrt(np.square(vector.astype(np.float64)).sum()))
    if not (np.isfinite(length) and length > 0):
        return np.zeros(len(vector), np.int8)
    return np.clip(np.rint(vector.astype(np.float64) * (SCALE / length)), -127, 127).astype(np.int8)
