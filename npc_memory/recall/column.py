"""A growing column of numbers, without an object for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Column"]


class Column:
    """Numbers of one ``dtype``, appended at the end."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._data: npt.NDArray[Any] = np.empty(16, dtype)
        self._length = 0

    @property
    def view(self) -> npt.NDArray[Any]:
        """The numbers as an array. It does not grow with the column."""
        return self._data[: self._length]

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return self._data.nbytes

    def extend(self, values: Sequence[float] | npt.NDArray[Any]) -> None:
        """Append ``values``."""
        end = self._length + len(values)
        if end > len(self._data):
            grown: npt.NDArray[Any] = np.empty(end + end // 8, self._data.dtype)
            grown[: self._length] = self.view
            self._data = grown
        self._data[self._length : end] = values
        self._length = end

    def append(self, value: float) -> None:
        """Append one."""
        if self._length == len(self._data):
            self.extend([value])
        else:
            self._data[self._length] = value
            self._length += 1

    def keep(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Drop all but the ``chosen``, a flag for each number."""
        self._data = self.view[chosen]
        self._length = len(self._data)

    def first(self, count: int) -> Column:
        """A column with the first ``count`` numbers, which grows apart from this one. Both share them, so neither may
        be written over.
        """
        one = Column(self._data.dtype)
        one._data = self._data[:count]
        one._length = count
        return one
