"""Which memory holds which terms how often, in a few arrays: for each term the memories that hold it.

Most of it lies term by term, so that a search reads what it asks for and nothing else. What was added last lies behind
it, memory by memory, until that is worth sorting in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from npc_memory.recall.column import Column
from npc_memory.recall.vocabulary import Vocabulary

__all__ = ["MOST_COUNTED", "Found", "Postings"]

MOST_COUNTED = 2**16 - 1
"""A term is counted up to here in one memory; a text of 64 KiB cannot hold one more often."""

LEAST_SORTED, SHARE_SORTED = 4096, 16
"""What was added last is sorted in when it is so many postings, and this share of the others at least."""

Found = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]
"""Positions of memories, and what was found in each; a position may come several times."""


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Postings by term: those of ``terms[i]`` lie from ``starts[i]`` on, in the order of memories."""

    terms: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.uint32]
    memories: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, terms: npt.NDArray[Any], memories: npt.NDArray[Any], counts: npt.NDArray[Any]) -> _Sorted:
        """From postings that are in the order of memories, or nearly sorted by term already."""
        order = np.argsort(terms, kind="stable")
        terms = terms[order]
        starts = np.flatnonzero(np.diff(terms, prepend=np.uint32(0))) if len(terms) else np.zeros(0, np.int64)
        if len(terms) and (not len(starts) or starts[0]):
            starts = np.concatenate([[0], starts])  # the first is term 0, which no difference shows
        return cls(
            terms[starts].astype(np.uint32),
            np.append(starts, len(terms)).astype(np.uint32),
            memories[order].astype(np.uint32),
            counts[order].astype(np.uint16),
        )

    @property
    def size(self) -> int:
        return self.terms.nbytes + self.starts.nbytes + self.memories.nbytes + self.counts.nbytes

    def each(self) -> npt.NDArray[np.uint32]:
        """The term of each posting."""
        return np.repeat(self.terms, np.diff(self.starts))

    def find(self, wanted: npt.NDArray[np.uint32]) -> list[slice]:
        """Where the postings of each of the ``wanted`` terms lie."""
        ends = np.append(self.starts, self.starts[-1])
        at = np.searchsorted(self.terms, wanted)
        here = np.append(self.terms, 0)[at] == wanted
        here &= at < len(self.terms)
        return [slice(a, b) for a, b in zip(ends[at].tolist(), ends[at + here].tolist(), strict=True)]

    def kept(self, stays: npt.NDArray[np.bool_], places: npt.NDArray[np.int64]) -> _Sorted:
        """Those of the memories that stay, which have other ``places`` then."""
        of_postings = stays[self.memories]
        memories = places[self.memories[of_postings]]
        return _Sorted.of(self.each()[of_postings], memories, self.counts[of_postings])


_NONE = _Sorted.of(np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.uint16))


class Postings:
    """The terms of memories, which are known here by their position: 0 is the first added that is still there."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._sizes = Column(np.uint32)
        self._sorted = _NONE
        self._memories = Column(np.uint32)  # of those added last: memory, term and count of each posting
        self._terms = Column(np.uint32)
        self._counts = Column(np.uint16)

    @property
    def size(self) -> int:
        """How many bytes they take, the vocabulary aside."""
        columns = (self._sizes, self._memories, self._terms, self._counts)
        return self._sorted.size + sum(column.size for column in columns)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many terms each memory holds, repeats included."""
        return self._sizes.view.astype(np.int64)

    def add(self, terms: Sequence[str], kinds: Iterable[str] = ()) -> None:
        """Add a memory; its ``kinds`` are found as terms are, but make it no longer."""
        bag = Counter(terms)
        size = bag.total()
        bag.update(kinds)
        self._memories.extend([len(self._sizes.view)] * len(bag))
        self._terms.extend([self._vocabulary.learn(term) for term in bag])
        self._counts.extend([min(count, MOST_COUNTED) for count in bag.values()])
        self._sizes.append(size)
        if len(self._terms.view) >= max(LEAST_SORTED, len(self._sorted.memories) // SHARE_SORTED):
            self._sort_in()

    def keep(self, stays: npt.NDArray[np.bool_]) -> None:
        """Drop all memories but those that stay, a flag for each."""
        places = np.cumsum(stays) - 1
        self._sorted = self._sorted.kept(stays, places)
        of_postings = stays[self._memories.view]
        for column in (self._memories, self._terms, self._counts):
            column.keep(of_postings)
        self._memories.view[:] = places[self._memories.view]
        self._sizes.keep(stays)

    def first(self, count: int) -> Postings:
        """Postings of their own with the first ``count`` memories."""
        one = Postings(self._vocabulary)
        one._sizes = self._sizes.first(count)
        unsorted = int(self._memories.view[0]) if len(self._memories.view) else len(self._sizes.view)
        if count >= unsorted:
            one._sorted = self._sorted
        else:
            places = np.arange(len(self._sizes.view))
            one._sorted = self._sorted.kept(places < count, places)
        held = int(np.searchsorted(self._memories.view, count))
        one._memories, one._terms = self._memories.first(held), self._terms.first(held)
        one._counts = self._counts.first(held)
        return one

    def find(self, wanted: Sequence[str], most: int, kinds: Sequence[str] = ()) -> dict[str, Found]:
        """For each of the ``wanted`` terms that is found, alone or in a compound, where and how much of it; of more
        than ``most`` only the rarest. And the same of each of the ``kinds``.
        """
        akin = {term: self._vocabulary.akin(term) for term in (*wanted, *kinds)}
        parts = self._of_terms(np.array(sorted({n for near in akin.values() for n in near}), np.uint32))
        holding = {term: sum(len(parts[n][0]) for n in near) for term, near in akin.items()}
        rare = sorted((holding[term], term) for term in wanted if holding[term])[:most]
        found = (*(term for _, term in rare), *(kind for kind in kinds if holding[kind]))
        return {term: _weighed(akin[term], parts) for term in found}

    def _of_terms(self, numbers: npt.NDArray[np.uint32]) -> dict[int, Found]:
        asked = np.zeros(len(self._vocabulary), np.bool_)
        asked[numbers] = True
        hits = np.flatnonzero(asked[self._terms.view])
        last = _Sorted.of(self._terms.view[hits], self._memories.view[hits], self._counts.view[hits])
        found = {}
        for number, one, two in zip(numbers.tolist(), self._sorted.find(numbers), last.find(numbers), strict=True):
            memories = np.concatenate([self._sorted.memories[one], last.memories[two]]).astype(np.int64)
            counts = np.concatenate([self._sorted.counts[one], last.counts[two]]).astype(np.float64)
            found[number] = memories, counts
        return found

    def _sort_in(self) -> None:
        known = self._sorted
        self._sorted = _Sorted.of(
            np.concatenate([known.each(), self._terms.view]),
            np.concatenate([known.memories, self._memories.view]),
            np.concatenate([known.counts, self._counts.view]),
        )
        self._memories, self._terms, self._counts = Column(np.uint32), Column(np.uint32), Column(np.uint16)


def _weighed(akin: Mapping[int, float], parts: Mapping[int, Found]) -> Found:
    found = [(parts[number][0], weight * parts[number][1]) for number, weight in akin.items()]
    if len(found) == 1:
        return found[0]
    return np.concatenate([where for where, _ in found]), np.concatenate([amounts for _, amounts in found])
