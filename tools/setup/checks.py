"""What a machine must have before anything is started; each failure names the cure."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools.setup.failure import Failure

__all__ = ["Compilers", "check_compiler", "check_disk", "check_python", "check_venv"]

_PROBE = "#include <thread>\n#include <vector>\nint main() { std::vector<int> v; std::thread t([] {}); t.join(); }\n"


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> None:
    """Refuse a Python that is too old."""
    if version < (3, 11):
        raise Failure(
            f"Python {'.'.join(map(str, version))} is too old: npc-memory needs 3.11 or newer.",
            "run make with PYTHON=<path of a Python 3.11, 3.12 or 3.13>",
        )


def check_venv() -> None:
    """Refuse a Python that cannot make environments (Debian splits that off)."""
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        minor = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise Failure(
            f"{sys.executable} cannot make an environment: its module {' and '.join(missing)} is missing.",
            f"install it: apt-get install python3-venv (or python{minor}-venv); or run make with PYTHON=<another one>",
        )


def check_disk(folder: Path, megabytes: int, what: str) -> None:
    """Refuse to start what would fill the disk."""
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < megabytes:
        raise Failure(
            f"{what} needs {megabytes} MB on the disk of {folder}; {free} MB are free.", "free some disk space"
        )


@dataclass(frozen=True)
class Compilers:
    """The C and C++ compilers (paths) and what they call themselves."""

    c: str
    cxx: str
    versions: str


def check_compiler() -> Compilers:
    """Find the compilers ($CC and $CXX first) and build and run a small C++17 program with them."""
    cure = (
        "install a C and C++ compiler: apt-get install build-essential (Debian, Ubuntu),"
        " dnf install gcc gcc-c++ (Fedora), xcode-select --install (macOS);"
        " or name one: CC=… CXX=… make …"
    )
    cxx = _find_compiler("CXX", ("c++", "g++", "clang++"), "C++", cure)
    cc = _find_compiler("CC", ("cc", "gcc", "clang"), "C", cure)
    with tempfile.TemporaryDirectory(prefix="npc-memory-") as folder:
        source, program = Path(folder, "probe.cpp"), Path(folder, "probe")
        source.write_text(_PROBE, encoding="utf-8")
        for argv in ([cxx, "-std=c++17", "-pthread", str(source), "-o", str(program)], [str(program)]):
            done = subprocess.run(argv, capture_output=True, encoding="utf-8", errors="replace", check=False)
            if done.returncode:
                raise Failure(f"{cxx} cannot build a small C++17 program:\n{done.stdout}{done.stderr}".rstrip(), cure)
    return Compilers(cc, cxx, "; ".join(_version(name) for name in (cc, cxx)))


def _find_compiler(variable: str, names: tuple[str, ...], language: str, cure: str) -> str:
    wanted = os.environ.get(variable)
    for name in (wanted,) if wanted else names:
        found = shutil.which(name)
        if found:
            return found
    raise Failure(
        f"there is no {language} compiler{f' called {wanted}' if wanted else ''}: llama.cpp is compiled here.", cure
    )


def _version(compiler: str) -> str:
    done = subprocess.run([compiler, "--version"], capture_output=True, encoding="utf-8", errors="replace", check=False)
    return (done.stdout.splitlines() or [compiler])[0]
