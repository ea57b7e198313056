"""Numbers for terms, shared by the indexes of many NPCs so that a word is kept once."""

from __future__ import annotations

__all__ = ["Vocabulary"]

BYTES_A_TERM = 200
"""About what a term costs: its text, its number, its place in the table."""


class Vocabulary:
    """Terms and their numbers, from 0. It only grows."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return BYTES_A_TERM * len(self._numbers)

    def learn(self, term: str) -> int:
        """The number of ``term``, a new one if it has none yet."""
        return self._numbers.setdefault(term, len(self._numbers))

    def number(self, term: str) -> int | None:
        """The number of ``term``, None when no memory has ever held it."""
        return self._numbers.get(term)
