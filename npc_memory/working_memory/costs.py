"""Costs that are remembered by text, in bounded memory."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

__all__ = ["Costs"]

K = TypeVar("K", bound=Hashable)

MOST = 4_000_000
"""Characters that may be held, with ``OVERHEAD`` more for each text: about 4 MB, or 10,000 episodes of two lines."""

OVERHEAD = 150
"""What remembering a text takes besides its characters, in bytes."""


class Costs(dict[K, int]):
    """Costs by text, or by text and something else. Starts over when it has become too large: to count again what is
    still offered costs less than to keep track of what is.
    """

    def __init__(self) -> None:
        super().__init__()
        self._held = 0

    def learn(self, key: K, cost: int, length: int) -> int:
        """Remember and return the ``cost`` of a text of ``length`` characters."""
        self._held += length + OVERHEAD
        if self._held > MOST:
            self.clear()
            self._held = length + OVERHEAD
        self[key] = cost
        return cost
