"""A command imports what it uses: what tells about the program, or looks at saves, starts without the rest of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from npc_memory.cli.app import app
from npc_memory.cli.commands import COMMANDS
from npc_memory.store import Store

HEAVY = {
    "asyncio", "bridge", "jinja2", "llama_cpp", "msgpack", "multiprocessing", "numpy", "roguelike", "ssl",
    "textual", "websockets", "yaml", "npc_memory.inference", "npc_memory.mind", "npc_memory.recall", "npc_memory.reply",
    "npc_memory.store", "npc_memory.world",
}  # fmt: skip
"""Not pydantic: typer itself reads options with it."""
LOADED = (
    "import sys\nfrom npc_memory.cli.app import run\nsys.argv[0] = 'npc-memory'\ncode = run()\n"
    "print('loaded', *sys.modules, file=sys.stderr)\nraise SystemExit(code)"
)


def loaded(*arguments: str) -> set[str]:
    """What is imported by the end of a command that succeeds."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, encoding="utf-8", check=True
    )
    return set(done.stderr.rpartition("loaded ")[2].split())


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["play", "--help"], ["bench", "--help"]], ids=" ".join
)
def test_what_tells_about_the_program_loads_nothing_of_it(arguments: list[str]) -> None:
    found = loaded(*arguments)
    assert "npc_memory.cli.app" in found
    assert found & HEAVY == set()


def test_looking_at_saves_loads_the_store_alone(tmp_path: Path) -> None:
    file = tmp_path / "world.sqlite3"
    with Store.open(file, world="mill", world_version="1") as store:
        store.save("inn")
    assert loaded("saves", "list", str(file)) & HEAVY == {"npc_memory.store"}


def test_erasing_needs_the_store_and_the_names_of_the_pack(tmp_path: Path) -> None:
    with Store.open(tmp_path / "emberfall.sqlite3", world="emberfall", world_version="1"):
        pass
    found = loaded("forget", "p1", "--yes", "--data", str(tmp_path)) & HEAVY
    assert found == {"npc_memory.store", "npc_memory.world", "npc_memory.recall", "yaml"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_overview_says_what_the_command_says_of_itself(name: str) -> None:
    listed = getattr(get_command(app), "commands", {})[name]
    command = listed.load()
    assert (command.name, command.help.splitlines()[0]) == (name, listed.help)
