"""A world is carried over in an archive: NPCs know there what they knew here, byte for byte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario_kit import line, open_mind
from searches import examples

from npc_memory.archiving import import_archive
from npc_memory.errors import MandatoryOverflow
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world

WORLD = load_world("emberfall")
LINES = st.sampled_from(("Good evening.", "Is the king well?", "I lost my horse.", "Was gibt's Neues, “勇者”?"))
ACTS = st.lists(
    st.tuples(
        st.sampled_from(("talk", "talk", "observe", "actor", "state", "end", "save", "load")),
        st.sampled_from(("p1", "勇者")),
        st.sampled_from(("marta", "jory")),
        LINES,
    ),
    max_size=8,
)


@settings(max_examples=examples(5), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ACTS)
def test_working_memories_are_the_same_byte_for_byte(
    tmp_path_factory: object, acts: list[tuple[str, str, str, str]]
) -> None:
    folder = tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    town, hers = folder / "town.jsonl", folder / "marta.jsonl"
    with _mind(Store.open(":memory:", world=WORLD.id, world_version=WORLD.version)) as here:
        for act in acts:
            _do(here, act)
        here.store.export(town, replace=True)
        here.store.export(hers, npc="marta", replace=True)
        told = _told(here, "marta") + _told(here, "jory")
        saved = here.store.save_tree()
    there = _carried(town)
    assert _told(there, "marta") + _told(there, "jory") == told
    assert there.store.save_tree() == saved
    assert there.store.import_archive(town).added == {}
    there.talk("marta", "p1", "And now?")
    there.close()
    hers_only = _carried(hers)
    if hers_only.store.timeline == 1 and not saved:
        assert _told(hers_only, "marta") == told[: len(told) // 2]
    hers_only.close()


def _carried(file: Path) -> Mind:
    """A new mind on an empty store, with the archive imported before it first looks."""
    store = Store.open(":memory:", world=WORLD.id, world_version=WORLD.version)
    store.import_archive(file)
    return _mind(store)


def _mind(store: Store) -> Mind:
    return Mind(WORLD, store, ScriptedEngine(format=line, n_ctx=2048), load_prompt("transcript"), deadline=60.0)


def _do(mind: Mind, act: tuple[str, str, str, str]) -> None:
    kind, player, npc, text = act
    if kind == "talk":
        mind.talk(npc, player, text, key=f"{len(mind.store.audits())}")
    elif kind == "observe":
        mind.observe("deed", text, actor=player, audience=[npc], data={"n": 1})
    elif kind == "actor":
        mind.actor(player, name=text)
    elif kind == "end":
        mind.end(player, npc)
    elif kind == "save":
        mind.save(npc, text)
    elif kind == "load" and any(one.slot == npc for one in mind.store.saves()):
        mind.load(npc)
    else:
        mind.set_state({"rumour": text})


def _told(mind: Mind, npc: str) -> list[str]:
    found = []
    for player in ("p1", "勇者"):
        with mind.working_memory(npc, player, "What of the horse?") as memory:
            found.append(memory.text())
    return found


@pytest.mark.full
def test_the_command_line_carries_a_world_over(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "town.jsonl"
    with open_mind(data / "emberfall.sqlite3") as mind:
        mind.talk("marta", "p1", "My name is Rolf.")
    assert _run("export", str(file), "--data", str(data)).returncode == 0
    assert "archive" not in _run("export", str(file), "--data", str(data), "--force").stderr
    assert "invalid_input" in _run("export", str(file), "--data", str(data)).stderr
    done = _run("import", str(file), "--data", str(tmp_path / "other"), "--engine", "scripted")
    assert done.returncode == 0, done.stderr
    assert "2  turn" in done.stdout
    again = _run("import", str(file), "--data", str(tmp_path / "other"), "--model", "no-such-model")
    assert "measured without a model" in again.stderr
    assert "nothing new" in again.stdout
    with open_mind(tmp_path / "other" / "emberfall.sqlite3") as mind:
        assert mind.store.dialogue("marta", "p1")[0].text == "My name is Rolf."
    file.write_bytes(file.read_bytes()[:-9])
    assert (
        "archive_damaged" in _run("import", str(file), "--data", str(tmp_path / "third"), "--engine", "scripted").stderr
    )


def test_an_archive_whose_state_does_not_fit_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    file, other = tmp_path / "town.jsonl", tmp_path / "other.sqlite3"
    with open_mind(tmp_path / "w.sqlite3") as mind:
        mind.set_state({f"rumour{number}": "a long tale of wars and taxes " * 8 for number in range(8)})
        mind.store.export(file)
        roomy = mind.builder
    with open_mind(n_ctx=1200) as mind:
        narrow = mind.builder
    with Store.open(other, world=WORLD.id, world_version=WORLD.version) as store:
        before = (store.epoch, store.timeline)
        with pytest.raises(MandatoryOverflow) as caught:
            import_archive(WORLD, store, narrow, file)
        assert caught.value.who in WORLD.npcs
        assert (store.epoch, store.timeline, store.newest_seq(), dict(store.state())) == (*before, 0, {})
        assert import_archive(WORLD, store, roomy, file).added["state"] == 8
        assert len(store.state()) == 8
    done = _run("import", str(file), "--data", str(tmp_path), "--n-ctx", "1200", "--engine", "scripted")
    assert "mandatory_overflow" in done.stderr


def _run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "npc_memory.cli", *args],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
