"""Nothing tied to one machine, nothing huge, nothing unfinished gets into version control."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project_files import ROOT, sources, tracked

# Spelled in pieces, so that this file does not find itself.
INDEX_HOSTS = re.compile(
    "|".join(
        [
            "py" + r"pi\.org",
            "python" + r"hosted\.org",
            "registry" + r"\.npmjs",
            "hugging" + r"face\.co/",
            "hf" + r"\.co/",
            "extra-" + "index-url",
            "--index-" + "url",
        ]
    )
)
MACHINE_PATHS = re.compile(
    "|".join(
        [
            "/wo" + r"rk/(main|shared)",
            "/tmp/" + r"[a-z]+/",
            "/ro" + "ot/",
            "/home/" + r"[a-z]",
            "/Users/" + r"[A-Za-z]",
            r"[A-Z]:\\Users",
        ]
    )
)
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]) + r")\b")
BINARY = {".png", ".jpg", ".gif", ".ico", ".wav", ".ogg", ".sqlite3", ".db", ".gz", ".msgpack", ".bin"}
LARGEST_FILE = 1_000_000
LONGEST_SOURCE = 400


def texts() -> list[tuple[str, str]]:
    """Every tracked text file: name and text; a broken encoding fails here."""
    return [
        (str(path.relative_to(ROOT)), path.read_bytes().decode("utf-8"))
        for path in tracked()
        if path.suffix not in BINARY
    ]


def hits(pattern: re.Pattern[str], *, skip: tuple[str, ...] = ()) -> list[str]:
    """``file:line: text`` of every match."""
    return [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts()
        if name not in skip
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_index_addresses() -> None:
    assert hits(INDEX_HOSTS) == []


def test_no_paths_of_one_machine() -> None:
    assert hits(MACHINE_PATHS) == []


def test_nothing_is_marked_unfinished() -> None:
    assert hits(UNFINISHED) == []


@pytest.mark.parametrize(
    ("pattern", "line", "found"),
    [
        (INDEX_HOSTS, "see https://py" + "pi.org/simple", True),
        (INDEX_HOSTS, "pip install numpy", False),
        (MACHINE_PATHS, "cd /ro" + "ot/x", True),
        (MACHINE_PATHS, "cd /usr/share", False),
        (UNFINISHED, "# TO" + "DO later", True),
    ],
)
def test_the_patterns_can_fail(pattern: re.Pattern[str], line: str, found: bool) -> None:
    assert bool(pattern.search(line)) is found


def test_text_files_are_plain() -> None:
    wrong = [name for name, text in texts() if "\r" in text or "\x00" in text or (text and not text.endswith("\n"))]
    assert wrong == []


def test_no_file_is_large_and_no_model_is_committed() -> None:
    assert [str(p) for p in tracked() if p.stat().st_size > LARGEST_FILE] == []
    assert [str(p) for p in tracked() if p.suffix in (".gguf", ".safetensors", ".onnx", ".whl")] == []


def test_no_source_file_outgrows_one_noun() -> None:
    sizes = {str(p.relative_to(ROOT)): len(p.read_text(encoding="utf-8").splitlines()) for p in _all_python()}
    assert {name: size for name, size in sizes.items() if size > LONGEST_SOURCE} == {}
    assert sorted(sizes.values())[len(sizes) // 2] <= 275


def _all_python() -> list[Path]:
    return sources("npc_memory", "bridge", "roguelike", "tests", "tools", "benchmarks")


def test_names_of_test_files_are_unique() -> None:
    """Without ``__init__.py`` two files of one name would shadow each other."""
    names = [path.name for path in sources("tests") if path.name not in ("conftest.py", "__init__.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert len(text) > 11_000
