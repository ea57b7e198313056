"""How well each memory's words fit a line: BM25 over memories and over windows of three, and who is named.

A question and its answer, or two steps of one event, are often two memories of which only one has the words that are
asked for. So each is scored a second time together with its neighbours in the scene. All statistics (how many hold a
term, how long they are) are over the memories that are here: one NPC's, visible on this timeline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from npc_memory.recall.neighbours import Neighbours
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
        return over_best(turn), over_best(window), np.isin(self._people, sorted(named)).astype(np.float64)

    def _bm25(self, asked: list[str], extra: Mapping[int, Counter[str]], weights: Weights) -> tuple[Floats, Floats]:
        count = len(self._groups)
        found = self._found(asked, extra)
        lengths = np.append(self._postings.sizes, 0).astype(np.float64)
        for group, bag in extra.items():
            lengths[:-1][self._groups == group] += bag.total()
        lengths_of_windows = self._neighbours.windowed(lengths)
        turn, window = np.zeros(count), np.zeros(count)
        mean, mean_of_windows = lengths[:-1].sum() / count, lengths_of_windows[:-1].sum() / count
        held = np.zeros(count + 1)
        for term in sorted(found):
            positions, amounts = found[term]
            np.add.at(held, positions, amounts)
            here = np.flatnonzero(held)
            near = self._near(here, count)
            turn[here] += _saturated(held[here], lengths[here] / mean, weights.turn_b) * idf(len(here), count)
            amounts = self._neighbours.windowed(held, near)
            relative = lengths_of_windows[near] / mean_of_windows
            window[near] += _saturated(amounts, relative, weights.window_b) * idf(len(near), count)
            held[here] = 0
        return turn, window

    def _near(self, here: Integers, count: int) -> Integers:
        flags = np.zeros(count + 1, np.bool_)
        flags[here] = flags[self._neighbours.before[here]] = flags[self._neighbours.after[here]] = True
        return np.flatnonzero(flags[:-1])

    def _found(self, asked: list[str], extra: Mapping[int, Counter[str]]) -> dict[str, Found]:
        found = self._postings.find(asked, MOST_FOUND)
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
        return found


def _saturated(amounts: Floats, relative_length: Floats, b: float) -> Floats:
    found: Floats = amounts * (K1 + 1) / (amounts + K1 * (1 - b + b * relative_length))
    return found


def over_best(scores: Floats) -> Floats:
    """Divided by the best, if that is above 0."""
    best = float(scores.max())
    return np.divide(scores, best) if best > 0 else scores
