"""Everything that is installed is pinned and hashed, without addresses, and is what pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from project_files import ROOT

LOCKS = ("runtime", "dev", "bench", "roguelike", "semantic", "build", "native", "engine", "lock", "gdscript")
ENGINE = "llama-cpp-python"


def pyproject() -> dict[str, Any]:
    """The project's own description."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def blocks(lock: str) -> list[str]:
    """One block per pinned package: its line and its hashes."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found: list[str] = []
    for line in lines:
        if line[0].isspace():
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


def pins(lock: str) -> dict[str, Version]:
    """Name → version of everything pinned in ``lock``."""
    found: dict[str, Version] = {}
    for block in blocks(lock):
        match = re.match(r"([A-Za-z0-9._-]+)==(\S+)", block)
        assert match, block
        name = canonicalize_name(match.group(1))
        assert name not in found, f"{name} is pinned twice in {lock}.txt"
        found[name] = Version(match.group(2))
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_is_pinned_and_hashed(lock: str) -> None:
    assert blocks(lock)
    for block in blocks(lock):
        head = block.splitlines()[0]
        assert "==" in head, head
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", block), f"no hash: {head}"


@pytest.mark.parametrize("lock", LOCKS)
def test_no_addresses_and_no_options(lock: str) -> None:
    for suffix in (".txt", ".in"):
        path = ROOT / "requirements" / f"{lock}{suffix}"
        if path.exists():
            text = path.read_text(encoding="utf-8")
            assert "://" not in text
            assert not re.search(r"^\s*--?(?!hash=)\w", text, re.MULTILINE)


EXTRAS = [(None, "runtime"), ("dev", "dev"), ("bench", "bench"), ("roguelike", "roguelike"), ("semantic", "semantic")]


@pytest.mark.parametrize(("extra", "lock"), EXTRAS)
def test_the_lock_satisfies_the_project(extra: str | None, lock: str) -> None:
    project = pyproject()["project"]
    wanted = project["dependencies"] if extra is None else project["optional-dependencies"][extra]
    assert wanted
    available = {**pins(lock), **pins("engine")}
    for text in wanted:
        requirement = Requirement(text)
        version = available.get(canonicalize_name(requirement.name))
        assert version is not None, f"{text} is in no lock: make lock"
        assert requirement.specifier.contains(version), f"{text} is locked at {version}: make lock"


def test_the_engine_is_compiled_from_the_version_the_project_names() -> None:
    (wanted,) = [r for r in map(Requirement, pyproject()["project"]["dependencies"]) if r.name == ENGINE]
    assert str(wanted.specifier) == f"=={pins('engine')[ENGINE]}"
    assert ENGINE not in pins("runtime"), "a ready-made engine would not have the strict flags"
    assert ENGINE not in pins("dev")


@pytest.mark.parametrize("lock", ["dev", "bench", "roguelike", "semantic", "build", "native"])
def test_locks_agree_where_they_meet(lock: str) -> None:
    """They may share an environment, so no package may have two versions."""
    runtime, dev = pins("runtime"), pins("dev")
    for name, version in pins(lock).items():
        assert runtime.get(name, version) == version
        assert dev.get(name, version) == version


def test_the_build_requirements_are_locked() -> None:
    locked = pins("build")
    for text in pyproject()["build-system"]["requires"]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)])
    assert "editables" in locked, "hatchling needs it for the editable install"
