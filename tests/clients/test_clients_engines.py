"""The smoke clients in the real engines, against a real bridge: every fixture, and one talk.

Skipped with the reason where an engine is not installed; NPC_MEMORY_REQUIRE_CLIENTS=1 (CI) makes that a failure.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from bridge.testing import running_bridge
from tools.clients import toolchains
from tools.clients.pck import class_cache, pack

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "clients" / "fixtures"
SAYS = "Evening, friend. The night is cold, wolf 🐺."
NAMES = sorted(path.stem for path in FIXTURES.glob("*.msgpack"))

pytestmark = pytest.mark.full


def need(reason: str) -> None:
    if reason and os.environ.get("NPC_MEMORY_REQUIRE_CLIENTS") == "1":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)


def smoke(command: Sequence[str | Path]) -> str:
    """Run a smoke client with the url of a bridge behind its arguments; return what it printed."""
    with running_bridge([SAYS]) as bridge:
        done = subprocess.run(
            [*map(str, command), bridge.url], capture_output=True, text=True, encoding="utf-8", timeout=300, check=False
        )
        turns = [turn.text for turn in bridge.mind.store.turns("marta")]
    assert done.returncode == 0, done.stdout + done.stderr
    assert turns == ["Good evening 🐺, how is the king?", SAYS], "what the client said and heard is remembered"
    return done.stdout


def check(printed: str) -> None:
    lines = printed.splitlines()
    assert "SMOKE OK" in lines
    assert f"TALK OK {SAYS}" in lines
    tried = {line.split()[-1].removesuffix(".msgpack") for line in lines if line.startswith("FIXTURE OK")}
    assert tried == set(NAMES)
    for what in ("HELLO", "PING", "ERROR", "EXPLAIN"):
        assert any(line.startswith(f"{what} OK") for line in lines)


def test_there_are_fixtures_to_try() -> None:
    assert len(NAMES) >= 30


def test_godot_speaks_the_wire(tmp_path: Path) -> None:
    need(toolchains.missing_for_godot())
    project = ROOT / "clients" / "godot"
    files = {path.name: path.read_bytes() for path in project.iterdir() if path.suffix in (".gd", ".tscn", ".godot")}
    scripts = {name: data for name, data in files.items() if name.endswith(".gd")}
    files[".godot/global_script_class_cache.cfg"] = class_cache(scripts)
    files |= {f"fixtures/{path.name}": path.read_bytes() for path in FIXTURES.glob("*.msgpack")}
    (tmp_path / "smoke.pck").write_bytes(pack(files))
    runner = ROOT / "tools" / "clients" / "run_godot.mjs"
    check(smoke(["node", runner, toolchains.godot_modules(), tmp_path / "smoke.pck"]))


def test_csharp_speaks_the_wire(tmp_path: Path) -> None:
    need(toolchains.missing_for_mono())
    program = tmp_path / "smoke.exe"
    toolchains.compile_csharp(program)
    check(smoke(["mono", program, FIXTURES]))
