"""The parts of relevance of every question, computed once, so that many weights can be tried on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from npc_memory.recall import Embedding, Index, Vocabulary, mentions
from npc_memory.recall.fulltext import WEIGHTS, over_best
from npc_memory.recall.scoring import Formula, Signals
from npc_memory.recall.vectors import windowed
from recall_parts.case import Case, Question
from recall_parts.rankers import Floats

__all__ = ["GRID", "Measured", "Weighing", "chosen", "measure"]

Weighing = tuple[float, float, float]
"""Weights of the window, of who is named, and of the meaning; the memory's own words weigh 1."""

GRID: tuple[Weighing, ...] = tuple(
    (window, named, meaning)
    for window in (1, 2, 3, 4)
    for named in (0, 0.5, 1, 1.5, 2)
    for meaning in (0, 0.6, 0.9, 1.2)
)


@dataclass(frozen=True, slots=True)
class Measured:
    """``turn``, ``window``, ``named``: see ``FullText.parts``. ``alone``, ``meaning``: cosines of the memory and of its
    window with the question, None without the semantic extra.
    """

    case: Case
    question: Question
    turn: Floats
    window: Floats
    named: Floats
    alone: Floats | None = None
    meaning: Floats | None = None

    def relevance(self, weights: Weighing) -> Floats:
        """The parts, weighed, from 0 to 1."""
        window, named, meaning = weights
        text = over_best(self.turn + window * self.window + named * self.named)
        if not meaning or self.meaning is None:
            return text
        return over_best(text + meaning * np.maximum(self.meaning, 0))

    def scored(self, weights: Weighing, formula: Formula) -> Floats:
        """The same through a formula, at the time of the question."""
        count = len(self.case.texts)
        ages = [self.case.now - time for time in self.case.times]
        return formula(Signals.of(self.relevance(weights).tolist(), [0.3] * count, ages, [1] * count))


def measure(case: Case, embedding: Embedding | None) -> list[Measured]:
    """Every question of a case."""
    number = {id: at for at, id in enumerate(sorted(set(case.people) - {""}), 1)}
    scene = {name: at for at, name in enumerate(sorted(set(case.scenes)), 1)}
    index = Index(Vocabulary(), str, embedding=embedding)
    for at, text in enumerate(case.texts):
        index.add(
            at,
            text,
            weight=0.3,
            game_time=case.times[at],
            person=number.get(case.people[at], 0),
            scene=scene[case.scenes[at]],
        )
    words, rows = index.text, []
    for question in case.questions:
        named = {n for id, n in number.items() if mentions(question.text, case.names.get(id, id))}
        alone = index.cosines(question.text)
        meaning = None if alone is None else windowed(alone, index.neighbours)
        rows.append(Measured(case, question, *words.parts(question.text, WEIGHTS, {}, named), alone, meaning))
    return rows


def chosen(
    cases: Sequence[Sequence[Measured]],
    grid: Sequence[Weighing],
    recall: Callable[[Measured, Weighing], float],
) -> list[Weighing]:
    """For each case the weights that were best for all the others."""
    means = np.array([[_mean(recall(one, weights) for one in case) for case in cases] for weights in grid])
    picks = []
    for left_out in range(len(cases)):
        others = np.delete(means, left_out, axis=1).mean(axis=1)
        picks.append(grid[int(np.argmax(others))])
    return picks


def _mean(values: Iterable[float]) -> float:
    rows = list(values)
    return float(np.mean(rows)) if rows else 0.0
