"""Whom shortening touches, and that a name never costs a player his words."""

from __future__ import annotations

import pytest

from npc_memory import BudgetPolicy, Snapshot, Turn, WorkingMemoryBuilder


def build(limit: int, **fields: object):
    given: dict[str, object] = {"npc": "marta", "persona": "You are Marta.", "player": "p1", "player_line": "Hello."}
    shot = Snapshot(**{**given, **fields})  # type: ignore[arg-type]
    with WorkingMemoryBuilder(BudgetPolicy(limit=limit)).build(shot) as memory:
        return memory.report, memory.text(), memory.dialogue


def test_only_the_longest_turn_is_cut_while_that_is_enough() -> None:
    turns = [Turn("t1", "p1", "a" * 3000), Turn("t2", "marta", "b" * 300)]
    report, text, dialogue = build(500, dialogue=turns)
    assert report.shortened == ("t1",)
    assert "b" * 300 in text
    assert dialogue[0].text.count("a") > 40


def test_two_long_turns_are_cut_to_one_length_when_one_is_not_enough() -> None:
    turns = [Turn("t1", "p1", "a" * 3000), Turn("t2", "marta", "b" * 2000)]
    report, _, dialogue = build(700, dialogue=turns)
    assert set(report.shortened) == {"t1", "t2"}
    assert dialogue[0].text.count("a") == dialogue[1].text.count("b") > 100
    assert report.total <= 700


@pytest.mark.parametrize("leave", [64, 65, 100, 120, 200])
@pytest.mark.parametrize("name", ["Brynja of the Long Vale", "x" * 40, "p1"])
def test_a_name_never_costs_a_player_his_words(name: str, leave: int) -> None:
    frame, _, _ = build(10_000, names={"p1": name}, player_line="")
    label = len(name) + len(": \n")
    report, text, _ = build(frame.total - label + leave, names={"p1": name}, player_line="Is he dead? " * 90)
    said = text.split("\n")[-2].partition(": ")[2]
    assert said.startswith("I")
    assert " … " in said
    assert report.total <= report.limit
    assert report.shortened == ("player_line",)
