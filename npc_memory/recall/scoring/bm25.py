"""BM25, in the plain form for a handful of texts; ``recall.index`` does the same for thousands of memories.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009. The statistics are those of
exactly the memories handed in: one NPC, one timeline. So no other NPC's memory and no abandoned future can reorder
this one's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from npc_memory.recall.words import terms

__all__ = ["K1", "B", "idf", "relevance"]

K1, B = 1.2, 0.75


def relevance(query: str, texts: Sequence[str]) -> list[float]:
    """BM25 of each of ``texts`` for ``query``, divided by the best one: 0 to 1, all 0 when nothing matches."""
    wanted = sorted(set(terms(query)))
    held = [terms(text) for text in texts]
    if not wanted or not held:
        return [0.0] * len(held)
    mean = sum(map(len, held)) / len(held) or 1.0
    weights = {term: idf(sum(1 for one in held if term in one), len(held)) for term in wanted}
    scores = [
        _in_order(_saturated(one.count(term), len(one) / mean) * weights[term] for term in wanted if term in one)
        for one in held
    ]
    best = max(scores)
    return [score / best for score in scores] if best > 0 else scores


def idf(holding: int, total: int) -> float:
    """The weight of a term that ``holding`` of ``total`` memories have."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _saturated(count: int, relative_size: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * relative_size))


def _in_order(values: Iterable[float]) -> float:
    """The sum, one after the other; since Python 3.12 ``sum`` does it otherwise, and the last bit differs."""
    total = 0.0
    for value in values:
        total += value
    return total
