"""Which memory holds which terms how often, in a few arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from npc_memory.recall.column import Column
from npc_memory.recall.vocabulary import Vocabulary

__all__ = ["MOST_COUNTED", "Found", "Postings"]

MOST_COUNTED = 2**16 - 1
"""A term is counted up to here in one memory; a text of 64 KiB cannot hold one more often."""

Found = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]
"""Positions of memories, and what was found in each; a position may come several times."""


class Postings:
    """The terms of memories, which are known here by their position: 0 is the first added that is still there."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._sizes = Column(np.uint32)
        self._ends = Column(np.int64)  # where a memory's terms end in the next two
        self._terms = Column(np.uint32)
        self._counts = Column(np.uint16)

    @property
    def size(self) -> int:
        """How many bytes they take, the vocabulary aside."""
        return sum(column.size for column in (self._sizes, self._ends, self._terms, self._counts))

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many terms each memory holds, repeats included."""
        return self._sizes.view.astype(np.int64)

    def add(self, terms: Sequence[str]) -> None:
        """Add a memory."""
        bag = Counter(terms)
        self._terms.extend([self._vocabulary.learn(term) for term in bag])
        self._counts.extend([min(count, MOST_COUNTED) for count in bag.values()])
        self._sizes.extend([bag.total()])
        self._ends.extend([len(self._terms.view)])

    def keep(self, stays: npt.NDArray[np.bool_]) -> None:
        """Drop all memories but those that stay, a flag for each."""
        lengths = np.diff(self._ends.view, prepend=0)
        of_terms = np.repeat(stays, lengths)
        self._terms.keep(of_terms)
        self._counts.keep(of_terms)
        self._sizes.keep(stays)
        self._ends.keep(stays)
        self._ends.view[:] = np.cumsum(lengths[stays])

    def first(self, count: int) -> Postings:
        """Postings of their own with the first ``count`` memories."""
        one = Postings(self._vocabulary)
        held = int(self._ends.view[count - 1]) if count else 0
        one._sizes, one._ends = self._sizes.first(count), self._ends.first(count)
        one._terms, one._counts = self._terms.first(held), self._counts.first(held)
        return one

    def find(self, wanted: Sequence[str], most: int) -> dict[str, Found]:
        """For each of the ``wanted`` terms that is found, alone or in a compound, where and how much of it; of more
        than ``most`` only the rarest.
        """
        akin = {term: self._vocabulary.akin(term) for term in wanted}
        slots = {number: slot for slot, number in enumerate(sorted({n for near in akin.values() for n in near}), 1)}
        slot_of = np.zeros(len(self._vocabulary) + 1, np.uint16 if len(slots) < 2**16 else np.uint32)
        slot_of[list(slots)] = list(slots.values())
        held = slot_of[self._terms.view]
        hits = np.flatnonzero(held)
        held = held[hits]
        order = np.argsort(held, kind="stable")  # slot by slot, within one in the order of memories
        hits = hits[order]
        memories = np.searchsorted(self._ends.view, hits, side="right")
        counts = self._counts.view[hits].astype(np.float64)
        ends = np.cumsum(np.bincount(held, minlength=len(slots) + 1)).tolist()
        parts = {number: slice(ends[slot - 1], ends[slot]) for number, slot in slots.items()}
        holding = {term: sum(parts[n].stop - parts[n].start for n in near) for term, near in akin.items()}
        rare = sorted((count, term) for term, count in holding.items() if count)[:most]
        return {term: _weighed(akin[term], parts, memories, counts) for _, term in rare}


def _weighed(
    akin: Mapping[int, float],
    parts: Mapping[int, slice],
    memories: npt.NDArray[np.int64],
    counts: npt.NDArray[np.float64],
) -> Found:
    found = [(memories[parts[number]], weight * counts[parts[number]]) for number, weight in akin.items()]
    if len(found) == 1:
        return found[0]
    return np.concatenate([where for where, _ in found]), np.concatenate([amounts for _, amounts in found])
