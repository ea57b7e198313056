"""Evidence recall: the share of a question's evidence that is among the best k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from recall_parts.case import Case, Question
from recall_parts.rankers import Floats

__all__ = ["DEPTHS", "Hit", "found", "table"]

DEPTHS = (5, 10, 25)

Hit = tuple[Case, Question, tuple[float, ...]]
"""A question and its recall at each of ``DEPTHS``."""


def found(scores: Floats, evidence: frozenset[int]) -> tuple[float, ...]:
    """Recall at each of ``DEPTHS``; of equal scores the older memory comes first."""
    first = np.argsort(-scores, kind="stable")[: max(DEPTHS)].tolist()
    return tuple(len(evidence & set(first[:depth])) / len(evidence) for depth in DEPTHS)


def mean(hits: Iterable[Hit]) -> list[float] | None:
    """The mean over questions, in per cent; None when there are none."""
    rows = [row for _, _, row in hits]
    return [round(100 * float(value), 1) for value in np.mean(rows, axis=0)] if rows else None


def table(hits: Sequence[Hit], headline_without: str) -> dict[str, list[float] | None]:
    """Recall over all but one kind, and for each kind, language and half that occurs."""
    rows = {"all": mean(one for one in hits if one[1].kind != headline_without)}
    for kind in dict.fromkeys(question.kind for _, question, _ in hits):
        rows[kind] = mean(one for one in hits if one[1].kind == kind)
    halves = [half for half in dict.fromkeys(question.half for _, question, _ in hits) if half]
    for half in halves:
        rows[f"({half})"] = mean(one for one in hits if one[1].half == half)
    languages = dict.fromkeys(case.language for case, _, _ in hits)
    if len(languages) > 1:
        for language in languages:
            rows[f"[{language}]"] = mean(one for one in hits if one[0].language == language)
    return rows
