"""Imports point one way (DESIGN, "Rooms"), the pure rooms touch no I/O, and importing npc_memory is cheap."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from project_files import ROOT, imports, module_name, sources

ROOMS = {
    "agenda", "audit", "consolidation", "inference", "prompt", "recall", "reply", "store", "working_memory", "world",
}  # fmt: skip
FOUNDATIONS = {"errors", "version", "resources"}
BETWEEN_ROOMS = {("working_memory", "prompt")}
PURE = (
    "npc_memory.memory",
    "npc_memory.prompt",
    "npc_memory.working_memory",
    "npc_memory.recall.scoring",
    "bridge.protocol",
)
IO = {
    "asyncio", "datetime", "fcntl", "ftplib", "glob", "http", "io", "llama_cpp", "locale", "logging", "multiprocessing",
    "os", "pathlib", "random", "requests", "secrets", "select", "selectors", "shutil", "signal", "socket", "sqlite3",
    "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "websockets",
}  # fmt: skip
# The chat format's clock is pinned; it needs the type only.
PURE_EXCEPTIONS = {("npc_memory.prompt.chat", "datetime")}


def place(module: str) -> tuple[int, str]:
    """Layer (higher may import lower) and room of one of our modules."""
    head, *rest = module.split(".")
    name = rest[0] if rest else ""
    if head == "bridge":
        return 4, "bridge"
    if head == "roguelike":
        return 5, "roguelike"
    if name in ("cli", "__main__"):
        return 6, "cli"
    if name in FOUNDATIONS or name.startswith("__version"):
        return 0, name
    if name == "memory":
        return 1, name
    if name in ROOMS:
        return 2, name
    return 3, "mind"  # the top level: what brings the rooms together


def allowed(importer: str, imported: str) -> bool:
    """Whether ``importer`` may import ``imported``."""
    above, room = place(importer)
    below, other = place(imported)
    if room == other or below < above:
        return True
    return (room, other) in BETWEEN_ROOMS


def edges() -> list[tuple[str, int, str]]:
    """Every import of one of our modules by another."""
    return [
        (module_name(path), line, name)
        for path in sources("npc_memory", "bridge", "roguelike")
        for line, name in imports(path)
        if name.split(".")[0] in ("npc_memory", "bridge", "roguelike")
    ]


def test_arrows_point_one_way() -> None:
    found = edges()
    wrong = [f"{importer}:{line} imports {name}" for importer, line, name in found if not allowed(importer, name)]
    assert wrong == []
    assert len(found) > 50, "the walk found next to nothing: it is broken"


def test_the_roguelike_is_an_engine_like_any_other() -> None:
    engine_side = ("roguelike", "bridge.client", "bridge.messages", "npc_memory.errors")
    wrong = [
        f"{a}:{line} imports {b}"
        for a, line, b in edges()
        if a.startswith("roguelike") and not b.startswith(engine_side)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("importer", "imported", "expected"),
    [
        ("npc_memory.store.rows", "npc_memory.memory.records.Episode", True),
        ("npc_memory.working_memory.builder", "npc_memory.prompt.Segment", True),
        ("npc_memory.prompt.page", "npc_memory.working_memory.BudgetPolicy", False),
        ("npc_memory.store.view", "npc_memory.recall.terms", False),
        ("npc_memory.memory.items", "npc_memory.store.Store", False),
        ("npc_memory.errors", "npc_memory.memory.Fact", False),
        ("npc_memory.mind", "npc_memory.store.Store", True),
        ("npc_memory.store.view", "npc_memory.mind.Mind", False),
        ("npc_memory.mind", "bridge.server.serve", False),
        ("bridge.server", "npc_memory.mind.Mind", True),
        ("bridge.server", "npc_memory.cli.main", False),
        ("npc_memory.cli.talk", "bridge.server.serve", True),
    ],
)
def test_the_rule_itself(importer: str, imported: str, expected: bool) -> None:
    assert allowed(importer, imported) is expected


def test_pure_rooms_import_no_io() -> None:
    pure = [path for path in sources("npc_memory", "bridge") if _is_pure(path)]
    wrong = [
        f"{module_name(path)}:{line} imports {name}"
        for path in pure
        for line, name in imports(path)
        if name.split(".")[0] in IO and (module_name(path), name.split(".")[0]) not in PURE_EXCEPTIONS
    ]
    assert wrong == []
    assert len(pure) > 10


def _is_pure(path: Path) -> bool:
    name = module_name(path)
    return any(name == room or name.startswith(room + ".") for room in PURE)


def test_pure_rooms_call_no_io() -> None:
    """What needs no import: files, input and output, the process's own hash."""
    import ast

    wrong = [
        f"{module_name(path)}:{node.lineno} calls {node.func.id}"
        for path in sources("npc_memory", "bridge")
        if _is_pure(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("open", "print", "input", "hash", "id", "exec", "eval", "breakpoint")
    ]
    assert wrong == []


def test_importing_the_package_loads_no_engine_and_no_network() -> None:
    script = "import npc_memory, sys; print('\\n'.join(sorted(m.split('.')[0] for m in sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "npc_memory" in loaded
    assert not loaded & {"llama_cpp", "websockets", "asyncio", "sqlite3", "numpy", "typer", "rich"}
