"""The smoke clients in the real engines, against a real bridge: every fixture, one talk, and rough handling.

Skipped with the reason where an engine is not installed; NPC_MEMORY_REQUIRE_CLIENTS=1 (CI) makes that a failure.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bridge.testing import running_bridge
from tools.clients import toolchains
from tools.clients.pck import class_cache, pack

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "clients" / "fixtures"
SAYS = "Evening, friend. The night is cold, wolf 🐺."
GOOD = {path.name: path.read_bytes() for path in sorted(FIXTURES.glob("*.msgpack"))}
# Godot's strings cannot hold U+0000; its smoke client tries on its own what becomes of one.
NOT_IN_GODOT = "talk_nul.msgpack"

pytestmark = pytest.mark.full


def refused() -> dict[str, bytes]:
    """The messages that a decoder must refuse by itself."""
    manifest = json.loads((FIXTURES / "bad" / "manifest.json").read_text(encoding="utf-8"))
    names = [each["file"] for each in manifest if each["format"] == "msgpack" and not each["decodes"]]
    return {name: (FIXTURES / "bad" / name).read_bytes() for name in names}


def need(reason: str) -> None:
    if reason and os.environ.get("NPC_MEMORY_REQUIRE_CLIENTS") == "1":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)


def smoke(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> str:
    """Run a smoke client with the url of a bridge behind its arguments; return what it printed."""
    with running_bridge([SAYS]) as bridge:
        done = subprocess.run(
            [*map(str, command), bridge.url],
            env={**os.environ, **(env or {})},
            capture_output=True, text=True, encoding="utf-8", timeout=300, check=False,
        )  # fmt: skip
        turns = [turn.text for turn in bridge.mind.store.turns("marta")]
    assert done.returncode == 0, done.stdout + done.stderr
    assert turns == ["Good evening 🐺, how is the king?", SAYS], "what the client said and heard is remembered"
    return done.stdout


def check(printed: str, tried: set[str], more: Sequence[str]) -> None:
    """What a client says it did must be all that was asked of it: a check it left out is no check."""
    lines = printed.splitlines()
    assert "SMOKE OK" in lines
    assert f"TALK OK {SAYS}" in lines
    for what, names in (("FIXTURE", tried), ("REFUSED", set(refused()))):
        done = {line.split()[-1].removesuffix(".msgpack") for line in lines if line.startswith(f"{what} OK")}
        assert done == {name.removesuffix(".msgpack") for name in names}
    for what in ("HELLO", "PING", "ERROR", "EXPLAIN", "NOT CARRIED", "BURST", "LOST", "CLOSED", *more):
        assert any(line.startswith(f"{what} OK") for line in lines), what


def on_disk(folder: Path) -> Path:
    """The fixtures as the C# client reads them."""
    (folder / "bad").mkdir(parents=True)
    for name, data in [*GOOD.items(), *((f"bad/{name}", data) for name, data in refused().items())]:
        (folder / name).write_bytes(data)
    return folder


def test_there_are_fixtures_to_try() -> None:
    assert len(GOOD) >= 30
    assert NOT_IN_GODOT in GOOD
    assert len(refused()) >= 20


def test_godot_speaks_the_wire(tmp_path: Path) -> None:
    need(toolchains.missing_for_godot())
    project = ROOT / "clients" / "godot"
    files = {path.name: path.read_bytes() for path in project.iterdir() if path.suffix in (".gd", ".tscn", ".godot")}
    scripts = {name: data for name, data in files.items() if name.endswith(".gd")}
    files[".godot/global_script_class_cache.cfg"] = class_cache(scripts)
    tried = {name: data for name, data in GOOD.items() if name != NOT_IN_GODOT}
    files |= {f"fixtures/{name}": data for name, data in tried.items()}
    files |= {f"fixtures/bad/{name}": data for name, data in refused().items()}
    (tmp_path / "smoke.pck").write_bytes(pack(files))
    runner = ROOT / "tools" / "clients" / "run_godot.mjs"
    printed = smoke(["node", runner, toolchains.godot_modules(), tmp_path / "smoke.pck"])
    check(printed, set(tried), ("NUL", "BYTE ORDER MARK", "MISTAKE", "PAUSED", "AGAIN"))


def test_csharp_speaks_the_wire(tmp_path: Path) -> None:
    need(toolchains.missing_for_mono())
    program = tmp_path / "smoke.exe"
    toolchains.compile_csharp(program)
    check(smoke(["mono", program, on_disk(tmp_path / "fixtures")]), set(GOOD), ("MAIN THREAD",))


def test_csharp_speaks_the_wire_compiled_ahead_of_time(tmp_path: Path) -> None:
    """As on consoles and phones, where no code may be made while the game runs: no reflection that needs it."""
    need(toolchains.missing_for_mono() or toolchains.missing_for_aot())
    program = tmp_path / "smoke.exe"
    toolchains.compile_csharp(program)
    libraries = toolchains.compile_ahead_of_time(program)
    command = ["mono", "--full-aot", program, on_disk(tmp_path / "fixtures")]
    check(smoke(command, {"MONO_PATH": str(libraries)}), set(GOOD), ("MAIN THREAD",))
