"""Recall as it is meant, one memory after the other and nothing remembered; the index is held against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from npc_memory.memory import BeliefRecord, EpisodeRecord
from npc_memory.recall.words import fresh_terms

__all__ = ["best"]

Record = EpisodeRecord | BeliefRecord


def best(query: str, records: Sequence[Record], game_time: int, most: int = 32) -> list[tuple[float, str]]:
    """Scores and ids of the best ``most`` of ``records``."""
    matches = relevance(query, [one.text for one in records])
    weights = [one.importance if isinstance(one, EpisodeRecord) else one.confidence for one in records]
    scored = [
        (blend(match, weight, game_time - one.game_time), one.id)
        for one, match, weight in zip(records, matches, weights, strict=True)
    ]
    return sorted(scored, key=lambda one: (-one[0], one[1]))[:most]


def relevance(query: str, texts: Sequence[str]) -> list[float]:
    """BM25, divided by the best."""
    wanted = sorted(set(fresh_terms(query)))
    bags = [Counter(fresh_terms(text)) for text in texts]
    if not wanted or not bags:
        return [0.0] * len(bags)
    sizes = [sum(bag.values()) for bag in bags]
    mean = sum(sizes) / len(sizes) or 1.0
    scores = []
    for bag, size in zip(bags, sizes, strict=True):
        score = 0.0
        for term in wanted:
            if term in bag:
                holding = sum(1 for other in bags if term in other)
                rarity = log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
                score += bag[term] * (1.2 + 1) / (bag[term] + 1.2 * (1 - 0.75 + 0.75 * (size / mean))) * rarity
        scores.append(score)
    top = max(scores)
    return [score / top for score in scores] if top > 0 else scores


def blend(match: float, weight: float, age: int) -> float:
    """Relevance, importance, recency."""
    recency = 1 / (1 + min(max(0, age), 2**24 - 1) / (24 * 60))
    return round(0.85 * match + 0.10 * min(1.0, max(0.0, weight)) + 0.05 * recency, 6)
