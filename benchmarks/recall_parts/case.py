"""One past and the questions about it, whatever data set they come from."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Case", "Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """``evidence``: positions of the memories that answer it. ``half``: "development" or "test", "" for neither."""

    text: str
    kind: str
    evidence: frozenset[int]
    half: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """Memories in order of time: texts, game minutes, whom each is about ("" nobody), to which scene it belongs.

    ``names``: display names by id. ``now``: when the questions are asked.
    """

    id: str
    language: str
    texts: tuple[str, ...]
    times: tuple[int, ...]
    people: tuple[str, ...]
    scenes: tuple[str, ...]
    names: dict[str, str]
    now: int
    questions: tuple[Question, ...]
