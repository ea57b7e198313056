"""Finding a pack by name or path, and the fingerprint that says which pack it was."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from npc_memory.errors import WorldInvalid, WorldNotFound
from npc_memory.world import check_world, list_worlds, load_world
from npc_memory.world.npc import Action, ActionArg


def test_shipped_worlds_are_listed():
    assert list_worlds() == ["emberfall", "perigee"]


def test_by_name_path_and_text_of_a_path(make_pack):
    root = make_pack({})
    assert load_world("perigee").id == "perigee"
    assert load_world(root).id == load_world(str(root)).id == "mill"


def test_a_shipped_name_wins_over_a_folder_here(make_pack, monkeypatch):
    root = make_pack({})
    root.rename(root.parent / "perigee")
    monkeypatch.chdir(root.parent)
    assert load_world("perigee").id == "perigee"
    assert load_world("./perigee").id == "mill"


@pytest.mark.parametrize("name", ["atlantis", "", "a\0b", "x" * 5000, "../nowhere", "emberfall/world.yaml"])
def test_not_found_lists_those_known(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for find in (load_world, check_world):
        with pytest.raises(WorldNotFound) as caught:
            find(name)
        assert caught.value.code == "world_not_found"
        assert "emberfall, perigee" in caught.value.hint
        assert caught.value.details["known"] == ["emberfall", "perigee"]


def test_an_empty_folder_is_a_pack_with_everything_missing(tmp_path):
    with pytest.raises(WorldInvalid) as caught:
        load_world(tmp_path)
    assert [Path(p.file).name for p in caught.value.problems] == ["facts.yaml", "npcs", "state.yaml", "world.yaml"]
    assert caught.value.code == "world_invalid"


def test_everything_written_arrives(make_pack):
    npc = """\
id: bo
name: Bo
pronoun: he
persona: >
  You are Bo,
  the carter.
place: yard
factions: [millers]
greeting: Hm.
moods: [cross, calm]
examples: [{id: e, player: "Hi.", npc: "Hm.", mood: calm}, {id: d, player: "Ho.", npc: "Hm!"}]
actions:
  - {id: go, name: Go, description: Drive off., args: [{id: to, choices: [mill]}, {id: n, type: integer}]}
fallback: [Later., Not now.]
"""
    bo = load_world(make_pack({"npcs/bo.yaml": npc})).npc("bo")
    assert (bo.id, bo.name, bo.pronoun, bo.persona) == ("bo", "Bo", "he", "You are Bo, the carter.")
    assert (bo.place, bo.factions, bo.greeting, bo.moods) == ("yard", ("millers",), "Hm.", ("cross", "calm"))
    assert [(e.id, e.player, e.npc) for e in bo.examples] == [("e", "Hi.", "Hm."), ("d", "Ho.", "Hm!")]
    assert dict(bo.example_moods) == {"e": "calm"}
    assert bo.actions == (
        Action("go", "Go", "Drive off.", (ActionArg("to", choices=("mill",)), ActionArg("n", "integer"))),
    )
    assert bo.fallback == ("Later.", "Not now.")


def test_the_fingerprint_is_that_of_the_content(make_pack, edit):
    first = load_world(make_pack({})).fingerprint
    assert re.fullmatch(r"[0-9a-f]{64}", first)
    assert load_world(make_pack({})).fingerprint == first
    assert load_world(edit("world.yaml", "id: mill\nname", "# a remark\nid: mill\nname")).fingerprint == first
    changes = [
        ("world.yaml", "Be short.", "Be brief."),
        ("facts.yaml", "wheel turns", "wheel spins"),
        ("state.yaml", "default: 4", "default: 5"),
        ("state.yaml", "default: 4", 'default: "4"'),
        ("npcs/ada.yaml", "slept badly", "slept well"),
        ("npcs/ada.yaml", "[Later., Not now.]", "[Not now., Later.]"),
    ]
    seen = [load_world(edit(*change)).fingerprint for change in changes]
    assert len({first, *seen}) == len(changes) + 1


def test_the_order_of_facts_and_keys_means_nothing(make_pack):
    a, b = "- {id: a, text: A.}\n", "- {id: b, text: B.}\n"
    one, other = load_world(make_pack({"facts.yaml": a + b})), load_world(make_pack({"facts.yaml": b + a}))
    assert one.fingerprint == other.fingerprint
    assert one.facts_for("bo") == other.facts_for("bo")


SCRIPT = """
from npc_memory.world import list_worlds, load_world
for name in list_worlds():
    world = load_world(name)
    print(world.fingerprint)
    for npc in world.npcs:
        print(npc, world.facts_for(npc), world.state_for(npc), [f.id for f in world.secrets_not_known_by(npc)])
"""


def test_every_process_loads_the_same():
    outputs = set()
    for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("4242", "de_DE.UTF-8")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, check=True)
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert load_world("emberfall").fingerprint.encode() in outputs.pop()
