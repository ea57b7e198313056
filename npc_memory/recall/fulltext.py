"""How well each memory's words fit a line: BM25 over memories and over windows of three, and who is named.

A question and its answer, or two steps of one event, are often two memories of which only one has the words that are
asked for. So each is scored a second time together with its neighbours in the scene. All statistics (how many hold a
term, how long they are) are over the memories that are here: one NPC's, visible on this timeline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from npc_memory.recall.kinds import MARK, kinds_of
from npc_memory.recall.neighbours import NOBODY, Neighbours
from npc_memory.recall.postings import Found, Postings
from npc_memory.recall.scoring.bm25 import K1, idf
from npc_memory.recall.words import fresh_terms, likeness

__all__ = ["MOST_ASKED", "MOST_FOUND", "WEIGHTS", "FullText", "Weights", "over_best"]

MOST_ASKED, MOST_FOUND = 512, 64
"""Of a very long line the first so many different terms are looked for, and the rarest so many that are found count."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Weights:
    """What the parts of relevance weigh against each other.

    ``turn``: a memory alone, ``window``: with its neighbours, each divided by the best; ``named``: that it is about a
    person the line names. ``meaning``: how near its window's meaning is, beside those three divided by the best.
    ``turn_b``, ``window_b``: how much BM25 holds a length above the mean against them. Chosen on LoCoMo, one
    conversation left out at a time, and on the development half of the data in ``benchmarks/data/recall``.
    """

    turn: float = 1.0
    window: float = 2.0
    named: float = 0.5
    meaning: float = 0.9
    turn_b: float = 0.4
    window_b: float = 0.6


WEIGHTS = Weights()
"""The default."""


class FullText:
    """The words of some memories, to be scored for one line after the other."""

    def __init__(self, postings: Postings, groups: Integers, people: Integers, neighbours: Neighbours) -> None:
        self._postings, self._groups, self._people, self._neighbours = postings, groups, people, neighbours

    def relevance(self, query: str, weights: Weights, more: Mapping[int, str], named: Collection[int]) -> Floats:
        """From 0 to 1, 1 for the best, all 0 when nothing fits. ``more``: by group, words that its memories hold on
        top of their own; ``named``: the people that are named.
        """
        turn, window, about = self.parts(query, weights, more, named)
        return over_best(weights.turn * turn + weights.window * window + weights.named * about)

    def parts(
        self, query: str, weights: Weights, more: Mapping[int, str], named: Collection[int]
    ) -> tuple[Floats, Floats, Floats]:
        """What relevance is made of, each from 0 to 1: the memory alone, its window, and whether it is about one who
        is named.
        """
        asked = list(dict.fromkeys(fresh_terms(query)))[:MOST_ASKED]
        extra = {group: Counter(fresh_terms(words)) for group, words in more.items()}
        turn, window = self._bm25(asked, extra, weights)
        about = np.zeros(len(self._people))
        for person in sorted(named):
            about[self._people == person] = 1.0
        return over_best(turn), over_best(window), about

    def _bm25(self, asked: list[str], extra: Mapping[int, Counter[str]], weights: Weights) -> tuple[Floats, Floats]:
        count, neighbours = len(self._groups), self._neighbours
        found = self._found(asked, extra)
        lengths = np.zeros(count + 1)
        lengths[:-1] = self._postings.sizes
        for group, bag in extra.items():
            lengths[:-1][self._groups == group] += bag.total()
        turn, window = _Terms(lengths[:-1], weights.turn_b), _Terms(neighbours.windowed(lengths), weights.window_b)
        held, flags = np.zeros(count + 1), np.zeros(count + 1, np.bool_)
        for term in sorted(found):
            positions, amounts = found[term]
            if (positions[1:] > positions[:-1]).all():  # each once, in order: most terms are found as themselves only
                here, held[positions] = positions, amounts
            else:
                np.add.at(held, positions, amounts)
                here = _marked(flags, positions)
            near = _marked(flags, here, neighbours.before[here], neighbours.after[here])
            turn.add(here, held[here])
            window.add(near, neighbours.windowed(held, near))
            held[here] = 0
        return turn.scores(), window.scores()

    def _found(self, asked: list[str], extra: Mapping[int, Counter[str]]) -> dict[str, Found]:
        of = kinds_of(asked)
        found = self._postings.find(asked, MOST_FOUND, of)
        kinds = {kind: found.pop(kind) for kind in sorted(of) if kind in found}
        for group, bag in extra.items():
            for term in asked:
                amount = sum(likeness(term, held) * count for held, count in bag.items())
                holding = np.flatnonzero(self._groups == group)
                if amount and len(holding):
                    positions, amounts = found.get(term, (np.zeros(0, np.int64), np.zeros(0)))
                    found[term] = (
                        np.concatenate([positions, holding]),
                        np.concatenate([amounts, np.full(len(holding), amount)]),
                    )
        if kinds:
            found[MARK] = self._together(kinds)
        return found

    def _together(self, kinds: Mapping[str, Found]) -> Found:
        """All kinds as one term, the rarer the more of it: so many kinds cost no more than a word."""
        count = len(self._groups)
        held = [(where, amounts * idf(len(where), count)) for where, amounts in kinds.values()]
        return np.concatenate([where for where, _ in held]), np.concatenate([amounts for _, amounts in held])


class _Terms:
    """What texts of these ``lengths`` hold of one term after the other, and BM25 of it."""

    def __init__(self, lengths: Floats, b: float) -> None:
        mean = lengths.sum() / len(lengths) or 1.0
        self._norms = K1 * (1 - b + b * (lengths / mean))
        self._texts: list[Integers] = []
        self._scores: list[Floats] = []

    def add(self, texts: Integers, amounts: Floats) -> None:
        """The next term: these texts hold so much of it, and no others any."""
        saturated = amounts * (K1 + 1) / (amounts + self._norms[texts])
        self._texts.append(texts)
        self._scores.append(saturated * idf(len(texts), len(self._norms)))

    def scores(self) -> Floats:
        """Of each text, its terms added up in their order."""
        scores = np.zeros(len(self._norms))
        if self._texts:
            texts, added = np.concatenate(self._texts), np.concatenate(self._scores)
            # One after the other, as they stand: so each text's terms are added up in their order.
            scores[:] = np.bincount(texts, weights=added, minlength=len(scores))
        return scores


def _marked(flags: npt.NDArray[np.bool_], *positions: npt.NDArray[Any]) -> Integers:
    """All of these positions in order, each once, ``NOBODY`` left out. ``flags`` are all off, before and after."""
    for some in positions:
        flags[some] = True
    flags[NOBODY] = False
    found = np.flatnonzero(flags)
    flags[found] = False
    return found


def over_best(scores: Floats) -> Floats:
    """Divided by the best, if that is above 0."""
    best = float(scores.max())
    return np.divide(scores, best) if best > 0 else scores
