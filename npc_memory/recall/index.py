"""The memories of one NPC, ready to be searched: what BM25 needs to know of them, in a few arrays.

A search costs a handful of passes over those arrays, and Python looks only at the few memories that are offered. The
scores are, to the last bit, those of ``recall.scoring`` computed one memory after the other; so what is added up is
added up in the order of terms, which is the order they lie in here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from npc_memory.recall.column import Column
from npc_memory.recall.scoring import FORMULAS, K1, OLDEST, B, Formula, Signals, idf
from npc_memory.recall.vocabulary import Vocabulary
from npc_memory.recall.words import fresh_terms, terms

__all__ = ["Index"]

MOST_COUNTED = 2**16 - 1
"""A term is counted up to here in one memory; a text of 64 KiB cannot hold one more often."""

EXACT = 2**62
"""Times between minus this and this can be subtracted from each other as int64."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Index:
    """Memories under numbers that rise. ``id_of``: the id behind a number; equal scores are ordered by it.

    ``formula``: what scores them, one of ``recall.scoring``. ``group``: memories of one group may be given more words
    for one search (``Index.best``), 0 is for those that never are.
    """

    def __init__(
        self, vocabulary: Vocabulary, id_of: Callable[[int], str], formula: Formula = FORMULAS["blend"]
    ) -> None:
        self._vocabulary, self._id_of, self._formula = vocabulary, id_of, formula
        self._numbers = Column(np.int64)
        self._times = Column(np.int64)
        self._weights = Column(np.float64)
        self._sizes = Column(np.uint32)
        self._groups = Column(np.uint32)
        self._ends = Column(np.int64)  # where a memory's terms end in the next two
        self._terms = Column(np.uint32)
        self._counts = Column(np.uint16)
        self._oldest, self._newest = 0, 0  # game times; bounds that hold for what was removed as well
        self._last_id, self._by_id = "", True

    def __len__(self) -> int:
        return len(self._numbers.view)

    @property
    def size(self) -> int:
        """How many bytes it takes, the vocabulary aside."""
        return sum(column.size for column in (*self._of_memories(), self._terms, self._counts))

    def add(self, number: int, text: str, *, weight: float, game_time: int, group: int = 0) -> None:
        """Add a memory. ``weight``: its importance or confidence; ``game_time`` in minutes (int64)."""
        bag = Counter(fresh_terms(text))
        held = sorted(bag)
        self._terms.extend([self._vocabulary.learn(term) for term in held])
        self._counts.extend([min(bag[term], MOST_COUNTED) for term in held])
        self._numbers.extend([number])
        self._times.extend([game_time])
        self._weights.extend([min(1.0, max(0.0, weight))])
        self._sizes.extend([bag.total()])
        self._groups.extend([group])
        self._ends.extend([len(self._terms.view)])
        self._oldest, self._newest = min(self._oldest, game_time), max(self._newest, game_time)
        id = self._id_of(number)
        self._by_id = self._by_id and id > self._last_id
        self._last_id = id

    def remove(self, numbers: Collection[int]) -> None:
        """Remove the memories of these numbers; one that is not here is no error."""
        stays = ~np.isin(self._numbers.view, np.fromiter(numbers, np.int64))
        if stays.all():
            return
        lengths = np.diff(self._ends.view, prepend=0)
        of_terms = np.repeat(stays, lengths)
        self._terms.keep(of_terms)
        self._counts.keep(of_terms)
        for column in self._of_memories():
            column.keep(stays)
        self._ends.view[:] = np.cumsum(lengths[stays])

    def until(self, number: int) -> Index:
        """An index of its own with the memories up to ``number``."""
        one = copy(self)
        count = int(np.searchsorted(self._numbers.view, number, side="right"))
        held = int(self._ends.view[count - 1]) if count else 0
        for name in ("_numbers", "_times", "_weights", "_sizes", "_groups", "_ends"):
            setattr(one, name, getattr(self, name).first(count))
        one._terms, one._counts = self._terms.first(held), self._counts.first(held)
        one._last_id = self._id_of(int(self._numbers.view[count - 1])) if count else ""
        return one

    def best(
        self, query: str, game_time: int, most: int, more: Mapping[int, str] | None = None
    ) -> list[tuple[float, int]]:
        """Scores and numbers of the best ``most`` memories for ``query`` at ``game_time``: best first, ties by id.

        ``more``: by group, words that its memories hold for this search on top of their own.
        """
        if not len(self):
            return []
        relevance = self._relevance(query, more or {})
        signals = Signals(relevance, self._weights.view, self._ages(game_time), np.ones(len(self), np.int64))
        return self._first(self._formula(signals), most)

    def _of_memories(self) -> tuple[Column, ...]:
        return self._numbers, self._times, self._weights, self._sizes, self._groups, self._ends

    def _ages(self, now: int) -> Integers:
        times = self._times.view
        if max(abs(now), abs(self._oldest), abs(self._newest)) > EXACT:
            return np.array([min(max(0, now - time), OLDEST) for time in times.tolist()], np.int64)
        ages: Integers = np.clip(now - times, 0, OLDEST)
        return ages

    def _relevance(self, query: str, more: Mapping[int, str]) -> Floats:
        ranks = {term: rank for rank, term in enumerate(sorted(set(terms(query))))}
        extra = {group: Counter(fresh_terms(words)) for group, words in more.items()}
        memories, found, counts = self._found(ranks, extra)
        if not len(memories):
            return np.zeros(len(self))
        sizes = self._sizes.view + self._by_group({group: bag.total() for group, bag in extra.items()})
        mean = int(sizes.sum()) / len(self)
        weights = np.array([idf(holding, len(self)) for holding in np.bincount(found, minlength=len(ranks)).tolist()])
        relative = sizes[memories] / mean
        saturated = counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative))
        # Adds up one after the other, in the order given: terms in their order, as ``scoring.relevance`` does.
        scores = np.bincount(memories, saturated * weights[found], minlength=len(self)).astype(np.float64, copy=False)
        best = float(scores.max())
        return np.divide(scores, best) if best > 0 else scores

    def _found(
        self, ranks: Mapping[str, int], extra: Mapping[int, Mapping[str, int]]
    ) -> tuple[Integers, Integers, Floats]:
        """Which memories (by position) hold which wanted terms (by rank) how often; memory by memory, ranks rising."""
        rank_of = np.full(len(self._vocabulary) + 1, -1, np.int32)
        for term, rank in ranks.items():
            if (number := self._vocabulary.number(term)) is not None:
                rank_of[number] = rank
        of_terms = rank_of[self._terms.view]
        hits = np.flatnonzero(of_terms >= 0)
        memories = np.searchsorted(self._ends.view, hits, side="right")
        found: Integers = of_terms[hits].astype(np.int64)
        counts: Floats = self._counts.view[hits].astype(np.float64)
        added = [(memories, found, counts)]
        for term in sorted({term for bag in extra.values() for term in bag} & ranks.keys()):
            by_group = self._by_group({group: bag[term] for group, bag in extra.items() if term in bag})
            holding = np.flatnonzero(by_group)
            added.append((holding, np.full(len(holding), ranks[term]), by_group[holding].astype(np.float64)))
        return (memories, found, counts) if len(added) == 1 else _merged(added, len(ranks))

    def _by_group(self, values: Mapping[int, int]) -> Integers:
        """The value of each memory's group, 0 for groups that have none."""
        if not values:
            return np.zeros(1, np.int64)  # as good as one for each, where it is only added
        groups = self._groups.view
        of_group = np.zeros(max(int(groups.max()), *values) + 1, np.int64)
        for group, value in values.items():
            of_group[group] = value
        found: Integers = of_group[groups]
        return found

    def _first(self, blended: Floats, most: int) -> list[tuple[float, int]]:
        """The best ``most`` after quantising to 1e-6. Few need rounding: it keeps the order, up to ties."""
        if most <= 0:
            return []
        if most >= len(blended):
            return self._in_order((round(value, 6), at) for at, value in enumerate(blended.tolist()))[:most]
        last = np.partition(blended, len(blended) - most)[len(blended) - most]
        limit = round(float(last), 6)
        above = np.flatnonzero(blended > last)  # fewer than ``most``
        chosen = [(round(value, 6), at) for at, value in zip(above.tolist(), blended[above].tolist(), strict=True)]
        ties = [at for score, at in chosen if score == limit]
        chosen = [one for one in chosen if one[0] > limit]
        near = np.flatnonzero((blended <= last) & (blended >= limit - 0.6e-6))
        certain = blended[near] >= limit - 0.4e-6
        ties += near[certain].tolist()
        ties += [at for at in near[~certain].tolist() if round(float(blended[at]), 6) == limit]
        ties.sort(key=None if self._by_id else self._id_at)
        return self._in_order([*chosen, *((limit, at) for at in ties[: most - len(chosen)])])

    def _in_order(self, scored: Any) -> list[tuple[float, int]]:
        ordered = sorted(scored, key=lambda one: (-one[0], self._id_at(one[1])))
        numbers = self._numbers.view
        return [(score, int(numbers[at])) for score, at in ordered]

    def _id_at(self, at: int) -> str:
        return self._id_of(int(self._numbers.view[at]))


def _merged(parts: list[tuple[Integers, Integers, Floats]], ranks: int) -> tuple[Integers, Integers, Floats]:
    """One entry for each memory and term, in their order, with the counts of all ``parts``."""
    keys = np.concatenate([memories * ranks + found for memories, found, _ in parts])
    entries, which = np.unique(keys, return_inverse=True)
    counts = np.bincount(which, np.concatenate([counts for _, _, counts in parts]))
    return entries // ranks, entries % ranks, counts.astype(np.float64, copy=False)
