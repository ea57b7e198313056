"""The lives in benchmarks/data/recall hold what their README says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from npc_memory.recall.words import terms

DATA = Path(__file__).resolve().parents[3] / "benchmarks" / "data" / "recall"
KINDS = ("named", "paraphrase", "time", "two-hop", "corrected")
HALVES = ("development", "test")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (DATA / name).read_text(encoding="utf-8").splitlines()]


LIVES = json.loads((DATA / "lives.json").read_text(encoding="utf-8"))
EVENTS = {life["id"]: {event["id"]: event for event in rows(f"{life['id']}.jsonl")} for life in LIVES}
QUESTIONS = [{**row, "half": half} for half in HALVES for row in rows(f"{half}.jsonl")]


def test_every_life_is_in_order_and_names_its_people() -> None:
    for life in LIVES:
        events = list(EVENTS[life["id"]].values())
        assert len(events) == len({event["text"] for event in events}), "an event stands there twice"
        assert [event["time"] for event in events] == sorted(event["time"] for event in events)
        assert {event["person"] for event in events} <= {"", "obi", "brisk", *life["names"]}
        assert all(event["text"] == event["text"].strip() and event["place"] for event in events)
        assert len(events) >= (290 if life["language"] == "en" else 45)


def test_the_questions_are_as_many_as_promised() -> None:
    language = {life["id"]: life["language"] for life in LIVES}
    assert Counter(language[row["life"]] for row in QUESTIONS) == {"en": 150, "de": 20, "ru": 20, "ja": 20}
    by_life = Counter((row["life"], row["kind"]) for row in QUESTIONS)
    assert by_life == {(id, kind): 10 if language[id] == "en" else 4 for id in language for kind in KINDS}
    halves = Counter((row["kind"], row["half"]) for row in QUESTIONS)
    assert all(halves[kind, "development"] == halves[kind, "test"] == 21 for kind in KINDS)
    assert len({row["id"] for row in QUESTIONS}) == len({row["question"] for row in QUESTIONS}) == len(QUESTIONS)


def test_evidence_is_there_and_visible() -> None:
    for row in QUESTIONS:
        events = EVENTS[row["life"]]
        assert row["evidence"], row["id"]
        assert all(id in events for id in row["evidence"] + row["outdated"]), row["id"]
        assert len(row["evidence"]) == len(set(row["evidence"]))
        if row["kind"] == "two-hop":
            assert len(row["evidence"]) == 2, row["id"]


def test_a_correction_comes_after_what_it_corrects() -> None:
    for row in QUESTIONS:
        if row["kind"] != "corrected":
            assert row["outdated"] == []
            continue
        events = EVENTS[row["life"]]
        assert row["outdated"], row["id"]
        newest = max(events[id]["time"] for id in row["outdated"])
        assert all(events[id]["time"] > newest for id in row["evidence"]), row["id"]


def test_a_paraphrase_shares_no_content_word_with_its_evidence() -> None:
    for row in QUESTIONS:
        if row["kind"] == "paraphrase":
            for id in row["evidence"]:
                shared = set(terms(row["question"])) & set(terms(EVENTS[row["life"]][id]["text"]))
                assert not shared, (row["id"], shared)
