"""The documentation names only what exists, and its examples run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from project_files import ROOT, tracked

from bridge.testing import running_bridge

PAGES = [path for path in tracked() if path.suffix == ".md" and path.parent.name != "errors"]
BRIDGE = "ws://127.0.0.1:8765"
IDS = [str(path.relative_to(ROOT)) for path in PAGES]


def code_blocks(path: Path, language: str) -> list[tuple[int, str]]:
    """Line and text of every fenced block in ``language``."""
    text = path.read_text(encoding="utf-8")
    found = re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [(text[: match.start()].count("\n") + 1, match.group(1)) for match in found]


def python_examples() -> list[tuple[Path, int, str]]:
    """Every Python example in README and docs/."""
    pages = [path for path in PAGES if path.name == "README.md" or (ROOT / "docs") in path.parents]
    return [(path, line, code) for path in pages for line, code in code_blocks(path, "python")]


@contextmanager
def _a_bridge_for(source: str) -> Iterator[str]:
    """An example that connects to a bridge finds a real one, with the scripted engine, on a free port."""
    if BRIDGE not in source:
        yield source
        return
    with running_bridge(["Nobody passes the north gate."]) as bridge:
        yield source.replace(BRIDGE, bridge.url)


def needs_model(code: str) -> bool:
    """Whether the example opens the real engine."""
    return "LlamaEngine" in code or "open_mind" in code


@pytest.mark.parametrize(
    ("path", "line", "code"),
    [
        pytest.param(
            *each, id=f"{each[0].relative_to(ROOT)}:{each[1]}", marks=[pytest.mark.model] * needs_model(each[2])
        )
        for each in python_examples()
    ],
)
def test_a_python_example_runs_and_prints_what_it_says(
    path: Path,
    line: int,
    code: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A ``# → text`` comment after a ``print`` is what that print must print."""
    monkeypatch.chdir(tmp_path)
    source = "\n" * line + code
    with _a_bridge_for(source) as example:
        exec(compile(example, str(path), "exec", dont_inherit=True), {"__name__": "__example__"})
    promised = re.findall(r"print\(.*\)\s+# → (.*)$", code, re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert printed[: len(promised)] == promised if promised else True


def test_the_readme_has_a_python_example() -> None:
    assert code_blocks(ROOT / "README.md", "python")


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_links_lead_to_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = [
        t.split("#")[0] for t in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in t and not t.startswith("#")
    ]
    assert [target for target in targets if target and not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_make_targets_exist(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    named = set(re.findall(r"`make ([a-z][a-z-]*)", path.read_text(encoding="utf-8")))
    named |= {
        name for _, code in code_blocks(path, "sh") for name in re.findall(r"^make ([a-z][a-z-]*)", code, re.MULTILINE)
    }
    assert named - known == set()


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_commands_exist(path: Path) -> None:
    """Every ``npc-memory WORD`` in the text is a command of the program."""
    named = set(re.findall(r"npc-memory ([a-z]+)(?=[ `\n])", "\n".join(_code(path))))
    if not named:
        return
    from typer.main import get_command

    from npc_memory.cli.app import app

    known = set(getattr(get_command(app), "commands", {}))
    assert named - known == set()


def _code(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [code for _, code in code_blocks(path, "sh")] + re.findall(r"`([^`\n]+)`", text)


def test_make_help_names_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE)) - {"help", "setup-dev", "goldens-accept"}
    shown = set(re.findall(r"make ([a-z-]+)", makefile.split("\nhelp:")[1].split("\nsetup:")[0]))
    assert targets - shown == set()
