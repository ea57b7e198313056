"""The wheel holds the packages and what they need at run time, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from project_files import ROOT, tracked

DATA = "npc_memory/_data/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the files in a wheel built from this checkout by the declared build backend."""
    pytest.importorskip("hatchling")
    out = tmp_path_factory.mktemp("wheel")
    script = f"import hatchling.build as b; print(b.build_wheel({str(out)!r}))"
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, env=env, check=False
    )
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(out / done.stdout.split()[-1]) as packed:
        assert packed.testzip() is None
        return set(packed.namelist())


def below(folder: str) -> list[str]:
    """Tracked files below ``folder``, relative to it."""
    return [path.relative_to(ROOT / folder).as_posix() for path in tracked() if (ROOT / folder) in path.parents]


@pytest.mark.parametrize("package", ["npc_memory", "bridge", "roguelike"])
def test_it_holds_the_packages(wheel: set[str], package: str) -> None:
    names = below(package)
    assert names
    assert {f"{package}/{name}" for name in names} - wheel == set()


@pytest.mark.parametrize("folder", ["worlds", "prompts"])
def test_it_holds_the_data(wheel: set[str], folder: str) -> None:
    names = below(folder)
    assert names
    assert {f"{DATA}{folder}/{name}" for name in names} - wheel == set()


def test_it_holds_the_catalogue_but_no_model(wheel: set[str]) -> None:
    assert f"{DATA}models/catalogue.yaml" in wheel
    assert not [name for name in wheel if name.endswith((".gguf", ".part"))]


def test_it_holds_the_licence_and_the_command(wheel: set[str]) -> None:
    info = {Path(name).name for name in wheel if ".dist-info/" in name}
    assert {"LICENSE", "entry_points.txt", "METADATA"} <= info
    assert "npc_memory/py.typed" in wheel


def test_it_holds_nothing_else(wheel: set[str]) -> None:
    expected = {f"{package}/{name}" for package in ("npc_memory", "bridge", "roguelike") for name in below(package)}
    expected |= {f"{DATA}{folder}/{name}" for folder in ("worlds", "prompts") for name in below(folder)}
    expected.add(f"{DATA}models/catalogue.yaml")
    assert {name for name in wheel if ".dist-info/" not in name} - expected == set()
