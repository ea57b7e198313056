"""The lives in ``benchmarks/data/recall``; its README says what is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from recall_parts.case import Case, Question

__all__ = ["HALVES", "load_lives"]

DATA = Path(__file__).resolve().parents[1] / "data" / "recall"
HALVES = ("development", "test")
DAY = 24 * 60


def load_lives() -> list[Case]:
    """Every life, with the questions of both halves."""
    questions = {half: _rows(f"{half}.jsonl") for half in HALVES}
    lives = json.loads((DATA / "lives.json").read_text(encoding="utf-8"))
    return [_case(life, questions) for life in lives]


def _case(life: dict[str, Any], questions: dict[str, list[dict[str, Any]]]) -> Case:
    events = _rows(f"{life['id']}.jsonl")
    at = {event["id"]: position for position, event in enumerate(events)}
    return Case(
        id=life["id"],
        language=life["language"],
        texts=tuple(event["text"] for event in events),
        times=tuple(event["time"] for event in events),
        people=tuple(event["person"] for event in events),
        scenes=tuple(f"{event['person']}@{event['place']}" for event in events),
        names=life["names"],
        now=events[-1]["time"] + DAY,
        questions=tuple(
            Question(row["question"], row["kind"], frozenset(at[id] for id in row["evidence"]), half)
            for half, rows in questions.items()
            for row in rows
            if row["life"] == life["id"]
        ),
    )


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (DATA / name).read_text(encoding="utf-8").splitlines()]
