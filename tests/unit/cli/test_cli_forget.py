"""``npc-memory forget``, run as a person or a script runs it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import cli_kit
from cli_kit import call

from npc_memory.cli.forget import STEPS
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.opening import store_path
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world

PACK = load_world("emberfall")


def run(data: Path, *args: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return call("forget", *args, "--data", str(data), text=text)


def lived(data: Path) -> str:
    """Two players have talked; the id of what the second said."""
    store = Store.open(store_path(data, PACK.id), world=PACK.id, world_version=PACK.version)
    with Mind(PACK, store, ScriptedEngine(format=lambda text, _: f"{text}\n"), load_prompt("transcript")) as mind:
        mind.talk("marta", "p1", "Zanzibarine evening.")
        mind.talk("marta", "p2", "Good evening.")
        return mind.store.dialogue("marta", "p2")[0].id


def test_it_counts_asks_erases_and_shows_its_steps(tmp_path: Path) -> None:
    turn = lived(tmp_path)
    dry = run(tmp_path, "p1", "--dry-run", "--json")
    assert dry.returncode == 0, dry.stderr
    assert json.loads(dry.stdout) == {"episodes": 1, "redacted": 2, "turns": 2}
    file = store_path(tmp_path, PACK.id)
    assert b"Zanzibarine" in file.read_bytes()
    assert run(tmp_path, "p1", text="n\n").returncode == 1
    assert b"Zanzibarine" in file.read_bytes()
    done = cli_kit.run("forget", "p1", "--data", str(tmp_path), text="y\n")
    assert done.returncode == 0, done.stderr
    assert "2  turns" in done.stdout
    assert all(step in done.stderr for step in STEPS.values())
    assert b"anzibarin" not in file.read_bytes()
    one = run(tmp_path, "--record", turn, "--yes", "--json")
    assert json.loads(one.stdout) == {"episodes": 1, "redacted": 1, "turns": 1}
    assert run(tmp_path, "p1", "--yes").stdout == "nothing was found\n"


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    missing = run(tmp_path, "p1", "--yes")
    assert (missing.returncode, list(tmp_path.iterdir())) == (1, [])
    assert "unknown_id" in missing.stderr
    assert "invalid_input" in run(tmp_path, "--yes").stderr
    assert "invalid_input" in run(tmp_path, "p1", "--record", "t00000001", "--yes").stderr
