"""What recall and an insert cost as one NPC's past grows, on texts made up from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from time import process_time

import numpy as np

from npc_memory.recall import Index, Vocabulary

__all__ = ["growth"]

ASKED, OFFERED = 200, 32
INSERTS = 1000


def growth(sizes: Sequence[int]) -> dict[str, dict[str, float]]:
    """By number of memories: milliseconds of CPU (on a busy machine the clock tells nothing) of recall, the order of
    scenes made again after an insert included, and of an insert; megabytes of the index.
    """
    return {str(size): _cost(size) for size in sizes}


def _cost(size: int) -> dict[str, float]:
    draw = random.Random(7)
    words = ["".join(draw.choices("aeioubdgklmnprst", k=draw.randint(3, 10))) for _ in range(8000)]
    frequency = list(accumulate(1 / (rank + 5) for rank in range(len(words))))
    vocabulary = Vocabulary()
    index = Index(vocabulary, lambda number: f"episode-{number:09}")

    def text(length: int) -> str:
        return " ".join(draw.choices(words, cum_weights=frequency, k=length))

    inserts = []
    for number in range(size):
        told = f'Rolf said: "{text(14)}" Marta answered: "{text(12)}"'
        start = process_time()
        index.add(number, told, weight=0.3, game_time=number * 3, person=1 + number % 40, scene=1 + number % 40)
        inserts.append(process_time() - start)
    recalls = []
    for number in range(ASKED):
        query = text(9)
        index.add(size + number, text(26), weight=0.3, game_time=size * 3, person=1, scene=1)
        start = process_time()
        index.best(query, size * 3, OFFERED, named={1})
        recalls.append(process_time() - start)
    milliseconds, last = 1000 * np.array(recalls), 1000 * np.array(inserts[-INSERTS:])
    return {
        "recall_median_ms": round(float(np.median(milliseconds)), 2),
        "recall_p99_ms": round(float(np.percentile(milliseconds, 99)), 2),
        "insert_mean_ms": round(float(last.mean()), 3),
        "insert_p99_ms": round(float(np.percentile(last, 99)), 3),
        "index_mb": round((index.size + vocabulary.size) / 1e6, 1),
    }
