"""The inference benchmark: its workload is the product's, its figures are computed right, its output is whole.

Nothing here looks at how long anything took.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchmarks import inference as bench
from benchmarks.contest.contestant import Missing, Script
from benchmarks.contest.figures import Goal, p90, paired, spread
from benchmarks.contest.plot import CURE, plot
from benchmarks.contest.table import table
from benchmarks.contest.town import Town
from npc_memory.inference import ScriptedEngine, Settings, find_model
from npc_memory.prompt_files import load_prompt

TINY = bench.Size(
    npcs=3,
    turns=3,
    others_npcs=3,
    others_turns=2,
    talkers=(1, 8),
    tokens=4,
    rounds=1,
    tier_samples=1,
    many=3,
    few=2,
    crowd_samples=3,
)


class Constant:
    """A contestant that always takes as long; it notes what it was asked."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def ask(self, op: str, **values: Any) -> dict[str, Any]:
        self.asked.append((op, values))
        if op == "talk":
            return {"seconds": self.seconds, "made": [[0] * n for n in values["lengths"]]}
        if op == "tiers":
            return {"bytes": 23_000 * len(values["tokens"]), "save": 0.1, "restore": 0.2, "copy": 0.3}
        return {"seconds": self.seconds}

    def close(self) -> None:
        pass


class Quitter(Constant):
    """Takes part once."""

    def ask(self, op: str, **values: Any) -> dict[str, Any]:
        if self.asked:
            raise Missing("it ended with status 1")
        return super().ask(op, **values)


def result_of(bare: Constant, **others: Constant) -> dict[str, Any]:
    with ScriptedEngine() as first, ScriptedEngine() as second:
        found = bench.conditions(first, threads=2, slots=1, settings=Settings(), options=asdict(TINY))
        result = bench.measure(
            (first, second), bare, others, {"absent": "not installed"}, load_prompt("transcript"), TINY, slots=1
        )
    return bench.plain({"conditions": {**found, "load_average_after": None}, "seconds": 1.0, **result})


@pytest.fixture(scope="module")
def scripted() -> tuple[dict[str, Any], Constant, Constant]:
    bare, other = Constant(0.5), Constant(2.0)
    return result_of(bare, other=other), bare, other


@pytest.fixture
def town() -> Iterator[Town]:
    with ScriptedEngine() as engine:
        made = Town(engine, load_prompt("transcript"), npcs=14, reply=4)
        yield made
        made.close()


def test_the_result_is_one_json_object_that_holds_all_parts(
    scripted: tuple[dict[str, Any], Constant, Constant],
) -> None:
    result = json.loads(json.dumps(scripted[0], allow_nan=False))
    assert set(result) == {"conditions", "seconds", "first_word", "talkers", "tiers", "crowd", "goals"}
    kinds = result["first_word"]["kinds"]
    assert {kind: found["ours"]["n"] for kind, found in kinds.items()} == {"new": 3, "warm": 3, "after warm": 3}
    assert [found["others"]["other"]["seconds"]["n"] for found in kinds.values()] == [3, 1, 2]
    assert set(result["talkers"]["plain"]) == set(result["talkers"]["grammar"]) == {"1", "8"}
    assert set(result["tiers"]["first_word"]) == {"nothing", "shared prefix", "host memory", "own sequence"}
    assert result["crowd"]["many_seconds"]["n"] == result["crowd"]["few_seconds"]["n"] == 3
    assert [goal["reached"] is None for goal in result["goals"]] == [False] * 6


def test_the_table_shows_everybody_and_every_goal(scripted: tuple[dict[str, Any], Constant, Constant]) -> None:
    result = scripted[0]
    shown = table(result)
    for expected in (
        "warm: ours",
        "warm: floor",
        "after warm: floor",
        "new: other",
        "absent: not measured (not installed)",
    ):
        assert expected in shown
    for goal in result["goals"]:
        line = next(line for line in shown.splitlines() if line.startswith(goal["name"]))
        assert line.endswith(" reached" if goal["reached"] else "not reached")
    assert all(len(line) <= 160 for line in shown.splitlines())


def test_the_floor_computes_what_no_cache_could_have_had(scripted: tuple[dict[str, Any], Constant, Constant]) -> None:
    result, bare, _ = scripted
    floors = [values for op, values in bare.asked if op == "floor"]
    samples = [one for one in result["first_word"]["samples"] if one["floor"] is not None]
    assert [len(one["tokens"]) - one["begin"] for one in floors] == [one["floor_tokens"] for one in samples]
    by_kind = {kind: [one["floor_tokens"] for one in samples if one["kind"] == kind] for kind in ("warm", "after warm")}
    assert min(by_kind["warm"]) > max(by_kind["after warm"]) > 0


def test_everybody_is_shown_the_same_prompts(scripted: tuple[dict[str, Any], Constant, Constant]) -> None:
    _, bare, other = scripted
    with ScriptedEngine() as engine:
        again = Town(engine, load_prompt("transcript"), npcs=3, reply=4)
        texts = [prompt.text for turn in range(2) for prompt in again.prompts(turn)]
        tokens = [list(engine.tokenize(prompt.request.segments)) for prompt in again.prompts(2)]
        again.close()
    assert [values["prompt"] for _, values in other.asked] == texts
    assert [list(values["tokens"]) for op, values in bare.asked if op == "floor"][3:] == tokens


def test_who_gives_up_is_named_with_the_reason() -> None:
    result = result_of(Constant(0.5), quitter=Quitter(1.0))
    assert result["first_word"]["missing"]["quitter"] == "it ended with status 1"
    assert "quitter: not measured (it ended with status 1)" in table(result)


def test_memories_change_each_turn_and_the_head_stays(town: Town) -> None:
    turns = [town.prompts(turn) for turn in range(4)]
    for before, after in pairwise(turns[1:]):
        for one, two in zip(before, after, strict=True):
            assert one.request.segments[: one.steady] == two.request.segments[: one.steady], "the dialogue only grows"
            assert one.request.segments[one.steady :] != two.request.segments[two.steady :]
            assert two.last == one.steady, "what is new before the tail is the last exchange"
    heads = {prompt.request.segments[: prompt.request.shared] for turn in turns for prompt in turn}
    assert len(heads) == 1
    assert len({prompt.request.segments[prompt.request.shared] for prompt in turns[0]}) == town.npcs, (
        "each has a persona"
    )


def test_the_window_moves_as_the_product_moves_it(town: Town) -> None:
    shown = []
    for turn in range(13):
        segments = town.prompts(turn)[0].request.segments
        shown.append(sum(getattr(one, "section", "") == "dialogue" and one.startswith("player-0:") for one in segments))
    assert shown == [0, 1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8]


def test_figures() -> None:
    assert paired([1.0, 4.0, 9.0], [2.0, 2.0, 3.0]) == 2.0
    assert paired([], []) is None
    assert p90(range(1, 11)) == 10
    assert p90([3.0]) == 3.0
    found = spread([3.0, 1.0, 2.0])
    assert found is not None
    assert (found.n, found.median) == (3, 2.0)
    assert Goal("a", 1.15, 1.15).reached
    assert not Goal("a", 0.89, 0.9, at_most=False).reached
    assert Goal("a", None, 1.0).reached is None


def test_a_plot_or_the_cure(scripted: tuple[dict[str, Any], Constant, Constant], tmp_path: Path) -> None:
    said = plot(scripted[0], tmp_path / "bench.png")
    if said == CURE:
        assert "[bench]" in said
        assert not list(tmp_path.iterdir())
    else:
        assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.model
def test_a_contestant_that_does_not_load_says_why() -> None:
    with pytest.raises(Missing):
        Script("high_level", None, {"path": "no-such-file.gguf", "n_ctx": 64, "n_threads": 1, "cache_bytes": 1})


@pytest.mark.full
@pytest.mark.model
def test_the_real_thing_small(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    small = bench.Size(
        npcs=2,
        turns=3,
        others_npcs=2,
        others_turns=1,
        talkers=(1, 2),
        tokens=6,
        rounds=1,
        tier_samples=1,
        many=3,
        few=2,
        crowd_samples=2,
    )
    monkeypatch.setattr(bench, "LONG", small)
    bench.main(["--long", "--json", "--model", str(find_model())])
    result = json.loads(capsys.readouterr().out)
    assert result["first_word"]["kinds"]["warm"]["ratio"] > 0
    assert set(result["first_word"]["kinds"]["new"]["others"]) == {bench.HIGH_LEVEL}
    assert all(row["same_tokens"] for row in result["talkers"]["plain"].values()), "the same samplers, the same tokens"
    assert result["tiers"]["bytes_per_npc"] > 0
    assert table(result)
