"""The labelled set of the canon guard is what its README says: whole, balanced, split for good, and never contradicting
anything an NPC does not know.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from npc_memory.cli.app import app
from npc_memory.world import World, load_world

ROOT = Path(__file__).resolve().parents[3]
FIELDS = {"id", "world", "npc", "state", "question", "before", "line", "label", "contradicts", "source"}
HALF_OF_ALL = 0.5
FALSE_SHARE = 0.35


def _benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("guard_benchmark", ROOT / "benchmarks" / "guard.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def _world(name: str) -> World:
    return load_world(name)


guard = _benchmark()
LINES = {half: guard.lines(half) for half in guard.HALVES}
ALL = [line for half in guard.HALVES for line in LINES[half]]


def test_every_line_has_just_the_fields_and_values_of_the_schema() -> None:
    for half in guard.HALVES:
        for row in (guard.DATA / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
            data = json.loads(row)
            assert set(data) == FIELDS
            assert isinstance(data["state"], dict)
            assert all(isinstance(data[field], str) for field in FIELDS - {"state"})
    for line in ALL:
        assert line.label in guard.LABELS, line.id
        assert line.source in guard.SOURCES, line.id
        assert line.line.strip() == line.line != "", line.id
        assert bool(line.contradicts) == (line.label == "false"), line.id


def test_it_is_large_enough_and_half_of_it_is_the_models() -> None:
    assert len(ALL) >= 480
    spoken = [line for line in ALL if line.source == "model"]
    assert {line.world for line in spoken} == {"emberfall"}
    assert len(spoken) >= HALF_OF_ALL * len(ALL)
    assert len([line for line in ALL if line.world == "perigee"]) >= 40
    assert len([line for line in ALL if line.label == "false"]) >= FALSE_SHARE * len(ALL)


def test_every_npc_speaks_and_every_label_occurs_in_both_halves() -> None:
    for half in guard.HALVES:
        said = LINES[half]
        npcs = {(line.world, line.npc) for line in said}
        assert npcs == {(world, npc) for world in ("emberfall", "perigee") for npc in load_world(world).npcs}
        assert {line.label for line in said} == set(guard.LABELS)


def test_ids_are_unique_and_no_line_stands_in_both_halves() -> None:
    assert [id for id, n in Counter(line.id for line in ALL).items() if n > 1] == []
    said = Counter((line.npc, json.dumps(line.state), line.question, line.before, line.line) for line in ALL)
    assert [key for key, n in said.items() if n > 1] == []
    words = {half: {(line.question, line.line, line.label) for line in LINES[half]} for half in guard.HALVES}
    shared = {key for key in words["development"] & words["test"] if len(key[1].split()) > 3}
    assert shared == set()


def test_the_halves_are_chosen_by_the_hash_of_the_group_and_balanced() -> None:
    for half in guard.HALVES:
        assert [line.id for line in LINES[half]] == sorted(line.id for line in LINES[half])
        for line in LINES[half]:
            first = hashlib.sha256(line.id.rpartition("-")[0].encode()).digest()[0]
            assert half == guard.HALVES[first % 2], line.id
    for source in guard.SOURCES:
        for false in (True, False):
            sizes = [sum((one.label == "false") == false and one.source == source for one in LINES[h]) for h in LINES]
            assert min(sizes) >= 0.4 * sum(sizes), (source, false, sizes)


@pytest.mark.parametrize("half", guard.HALVES)
def test_what_a_false_line_contradicts_is_known_to_her_in_that_state(half: str) -> None:
    for line in LINES[half]:
        world = _world(line.world)
        state = guard.scoped(world, line.state)
        facts, entries = world.facts_for(line.npc, state), world.state_for(line.npc, state)
        known = {f"fact:{fact.id}" for fact in facts} | {f"state:{entry.key}" for entry in entries}
        assert not line.contradicts or line.contradicts in known, line.id


@pytest.mark.parametrize("half", guard.HALVES)
def test_states_are_declared_by_the_pack_and_differ_from_its_defaults(half: str) -> None:
    for line in LINES[half]:
        declared = _world(line.world).state_keys
        for key, value in line.state.items():
            assert key in declared, line.id
            assert type(value) is type(declared[key].default), line.id
            assert value != declared[key].default, line.id
            assert not declared[key].values or value in declared[key].values, line.id


def test_rates_count_what_was_judged() -> None:
    """The benchmark's arithmetic, on a handful of lines."""
    lies = [line for line in ALL if line.label == "false"][:3]
    fine = [line for line in ALL if line.label != "false"][:4]
    judged = [guard.Judged(lies[0], lies[0].contradicts, "pattern"), *(guard.Judged(one, "", "") for one in lies[1:])]
    judged += [guard.Judged(fine[0], "fact:king-dead", "negation"), *(guard.Judged(one, "", "") for one in fine[1:])]
    data = guard.rates(judged).data()
    assert (data["contradictions_caught"], data["contradictions"]) == (1, 3)
    assert (data["harmless_stopped"], data["harmless"]) == (1, 4)
    assert data["contradictions_caught_rate"] == 0.3333
    assert data["rules"] == {"negation (harmless)": 1, "pattern": 1}
    assert data["claim_named"] == 1


@pytest.mark.full
def test_mistakes_of_the_test_half_are_never_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever has seen them tunes on them."""
    guard.main(["--show"])
    out = capsys.readouterr().out
    assert all(line.id not in out for line in LINES["test"])
    assert "test" in out


@pytest.mark.full
def test_the_command_prints_both_rates_of_both_halves() -> None:
    result = CliRunner().invoke(app, ["bench", "guard", "--json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert list(data) == list(guard.HALVES)
    for half in guard.HALVES:
        assert data[half]["contradictions"] == sum(line.label == "false" for line in LINES[half])
        assert data[half]["harmless"] + data[half]["contradictions"] == len(LINES[half])
