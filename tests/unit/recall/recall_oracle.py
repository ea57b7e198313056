"""Recall as it is meant, one memory after the other and nothing remembered; the index is held against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from npc_memory.recall.kinds import kinds_of
from npc_memory.recall.words import fresh_terms

__all__ = ["ALIKE", "Memory", "best", "relevance"]

TURN, WINDOW, NAMED = 1.0, 2.0, 0.5
NEIGHBOUR = 0.75

ALIKE = ("king", "Kings", "kingdom", "bridge", "drawbridge", "another", "rolf")
"""Words that begin, end or are stemmed alike, and a name."""


@dataclass(frozen=True)
class Memory:
    """What the index is told."""

    id: str
    text: str
    time: int = 0
    weight: float = 0.3
    group: int = 0
    person: int | str = 0
    scene: int | str = 0


def best(
    query: str,
    memories: Sequence[Memory],
    now: int,
    most: int = 32,
    more: Mapping[int, str] | None = None,
    named: Collection[int | str] = (),
) -> list[tuple[float, str]]:
    """Scores and ids of the best ``most`` of ``memories``."""
    matches = relevance(query, memories, more or {}, named)
    scored = [(blend(match, one.weight, now - one.time), one.id) for one, match in zip(memories, matches, strict=True)]
    return sorted(scored, key=lambda one: (-one[0], one[1]))[:most]


def relevance(
    query: str, memories: Sequence[Memory], more: Mapping[int, str], named: Collection[int | str]
) -> list[float]:
    """Words alone and with their neighbours', and who is named; divided by the best."""
    asked = sorted(set(fresh_terms(query)))
    bags = [Counter(fresh_terms(one.text)) + Counter(fresh_terms(more.get(one.group, ""))) for one in memories]
    lengths = [float(bag.total()) for bag in bags]
    held = [of_kinds(query, memories), *([amount(term, bag) for bag in bags] for term in asked)]
    turn = bm25(held, lengths, 0.4)
    windows = [with_neighbours(each, memories) for each in held]
    window = bm25(windows, with_neighbours(lengths, memories), 0.6)
    about = [float(one.person in named) for one in memories]
    return over_best(
        [
            TURN * alone + WINDOW * together + NAMED * person
            for alone, together, person in zip(over_best(turn), over_best(window), about, strict=True)
        ]
    )


def of_kinds(query: str, memories: Sequence[Memory]) -> list[float]:
    """How much each memory holds of what is of the same kinds as what is asked: little, the more the rarer they are."""
    known = [kinds_of(fresh_terms(one.text)) for one in memories]
    amounts = [0.0] * len(memories)
    for kind in sorted(kinds_of(fresh_terms(query))):
        holding = sum(1 for kinds in known if kind in kinds)
        for at, kinds in enumerate(known):
            if kind in kinds:
                amounts[at] += 0.01 * rarity(holding, len(memories))
    return amounts


def rarity(holding: int, total: int) -> float:
    """The weight of what so many of all memories hold."""
    return log(1 + (total - holding + 0.5) / (holding + 0.5))


def bm25(amounts: list[list[float]], lengths: list[float], b: float) -> list[float]:
    """One score for each memory; ``amounts``: for each term how much of it each memory holds."""
    scores = [0.0] * len(lengths)
    for held in amounts:
        weight = rarity(sum(1 for each in held if each), len(lengths))
        for at, each in enumerate(held):
            if each:
                relative = lengths[at] / (sum(lengths) / len(lengths))
                scores[at] += each * (1.2 + 1) / (each + 1.2 * (1 - b + b * relative)) * weight
    return scores


def amount(term: str, bag: Counter[str]) -> float:
    """How often the term is there; as a part of a longer word, or with one as its part, it counts half."""
    total = 0.0
    for held, count in bag.items():
        short, long = sorted((term, held), key=len)
        apart = len(long) - len(short) >= 3 and len(short) >= 4 and short[0] < "\u0e00"
        if held == term:
            total += count
        elif apart and (long.startswith(short) or long.endswith(short)):
            total += 0.5 * count
    return total


def with_neighbours(values: list[float], memories: Sequence[Memory]) -> list[float]:
    """Each value with three quarters of the ones before and after it in the same scene."""
    sums = list(values)
    for scene in {one.scene for one in memories} - {0}:
        inside = [at for at, one in enumerate(memories) if one.scene == scene]
        for left, right in pairwise(inside):
            if abs(memories[left].time - memories[right].time) > 60:
                continue
            sums[left] += NEIGHBOUR * values[right]
            sums[right] += NEIGHBOUR * values[left]
    return sums


def over_best(scores: list[float]) -> list[float]:
    """Divided by the best, if there is one."""
    top = max(scores, default=0.0)
    return [score / top for score in scores] if top > 0 else scores


def blend(match: float, weight: float, age: int) -> float:
    """Relevance, importance, recency."""
    recency = 1 / (1 + min(max(0, age), 2**24 - 1) / (24 * 60))
    return round(0.85 * match + 0.10 * min(1.0, max(0.0, weight)) + 0.05 * recency, 6)
