"""The meanings of memories, compared with that of a line in whole numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from npc_memory.errors import EmbeddingChanged
from npc_memory.recall.neighbours import NOBODY, Neighbours

__all__ = ["Vectors", "windowed"]

BLOCK = 1024
"""Rows compared at a time, so that their copies stay in the processor's cache."""

LARGEST = 2**24 // 127**2
"""The most components for which a dot product is exact in float32, whatever the order of its sum."""

Floats = npt.NDArray[np.float64]


class Vectors:
    """One vector of small integers for each memory, by position, all of the embedding ``name``.

    A dot product of them is at most 127² × 384, below 2²⁴, so float32 holds it and every partial sum exactly: the fast
    matrix product gives the same as int32 arithmetic, in any order and on any processor.
    """

    def __init__(self, name: str, size: int) -> None:
        if not 0 < size <= LARGEST:
            raise EmbeddingChanged(name, f"vectors of {size} components", f"1 to {LARGEST}")
        self._name, self._size = name, size
        self._rows = np.zeros((16, size), np.int8)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return self._rows.nbytes

    def check(self, name: str, vector: npt.NDArray[np.int8]) -> None:
        """Refuse what another embedding made (``EmbeddingChanged``)."""
        if name != self._name or vector.shape != (self._size,):
            raise EmbeddingChanged(name, f"{len(vector)} components", f"{self._size} of {self._name}")

    def add(self, name: str, vector: npt.NDArray[np.int8]) -> None:
        """Append a vector of the embedding ``name``."""
        self.check(name, vector)
        if self._count == len(self._rows):
            grown = np.zeros((self._count + max(16, self._count // 8), self._size), np.int8)
            grown[: self._count] = self._rows
            self._rows = grown
        self._rows[self._count] = vector
        self._count += 1

    def keep(self, stays: npt.NDArray[np.bool_]) -> None:
        """Drop all but those that stay, a flag for each."""
        self._rows = self._rows[: self._count][stays]
        self._count = len(self._rows)

    def first(self, count: int) -> Vectors:
        """Vectors of their own, the first ``count``."""
        one = Vectors(self._name, self._size)
        one._rows, one._count = self._rows[:count].copy(), count
        return one

    def cosines(self, name: str, vector: npt.NDArray[np.int8]) -> Floats:
        """The cosine of each with ``vector``, from -1 to 1; 0 where one has no length."""
        self.check(name, vector)
        asked = vector.astype(np.float32)
        products, squares = np.zeros(self._count), np.zeros(self._count)
        for start in range(0, self._count, BLOCK):
            rows = self._rows[start : min(start + BLOCK, self._count)].astype(np.float32)
            products[start : start + len(rows)] = rows @ asked
            squares[start : start + len(rows)] = np.einsum("ij,ij->i", rows, rows)
        lengths = np.sqrt(squares * float(np.square(asked.astype(np.float64)).sum()))
        return np.divide(products, lengths, out=np.zeros(self._count), where=lengths > 0)


def windowed(cosines: Floats, neighbours: Neighbours) -> Floats:
    """The mean of each cosine, twice, and those of its neighbours, once each: what a window means."""
    before, after = neighbours.before, neighbours.after
    padded = np.append(cosines, 0.0)
    found: Floats = (2 * cosines + padded[before] + padded[after]) / (2 + (before != NOBODY) + (after != NOBODY))
    return found
