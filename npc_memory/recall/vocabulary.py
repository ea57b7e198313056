"""Numbers for terms, shared by the indexes of many NPCs so that a word is kept once."""

from __future__ import annotations

from npc_memory.recall.words import SHORTEST_PART, SHORTEST_REST, likeness

__all__ = ["Vocabulary"]

BYTES_A_TERM = 300
"""About what a term costs: its text, its number, its places in the tables."""


class Vocabulary:
    """Terms and their numbers, from 0. It only grows."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []
        self._edges: dict[tuple[bool, str], list[int]] = {}  # long terms by their first or last few letters

    def __len__(self) -> int:
        return len(self._terms)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return BYTES_A_TERM * len(self._terms)

    def learn(self, term: str) -> int:
        """The number of ``term``, a new one if it has none yet."""
        number = self._numbers.setdefault(term, len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
            if len(term) >= SHORTEST_PART + SHORTEST_REST:
                self._edges.setdefault((True, term[:SHORTEST_PART]), []).append(number)
                self._edges.setdefault((False, term[-SHORTEST_PART:]), []).append(number)
        return number

    def number(self, term: str) -> int | None:
        """The number of ``term``, None when no memory has ever held it."""
        return self._numbers.get(term)

    def akin(self, term: str) -> dict[int, float]:
        """The numbers of the terms that count for ``term``, with their ``likeness``."""
        near = {self._numbers.get(term, -1)}
        near.update(self._edges.get((True, term[:SHORTEST_PART]), ()))
        near.update(self._edges.get((False, term[-SHORTEST_PART:]), ()))
        for length in range(SHORTEST_PART, len(term) - SHORTEST_REST + 1):
            near.update((self._numbers.get(term[:length], -1), self._numbers.get(term[-length:], -1)))
        near.discard(-1)
        weighed = ((number, likeness(term, self._terms[number])) for number in sorted(near))
        return {number: weight for number, weight in weighed if weight > 0}
