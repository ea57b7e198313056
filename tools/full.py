"""What takes longer than `make test`: the whole suite under other hash seeds and locales, the wheel, other Pythons."""

from __future__ import annotations

import locale
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.clients.gdscript import lint_gdscript
from tools.setup.engine import EngineBuild
from tools.setup.environment import pip_install
from tools.setup.failure import Failure
from tools.setup.layout import Layout
from tools.setup.progress import duration
from tools.setup.steps import clean_environment, run

LAYOUT = Layout(Path(__file__).resolve().parents[1])
WORK = LAYOUT.cache / "full"
# A file of ours opened without naming its encoding is an error (see filterwarnings in pyproject.toml).
STRICT = {"PYTHONWARNDEFAULTENCODING": "1"}
BOTH_CORES = ("-n", "2", "--dist", "worksteal")
WHOLE_SEARCHES = ("--hypothesis-profile", "whole")
OTHER_PYTHONS = ("3.11", "3.12", "3.13")


@contextmanager
def part(title: str) -> Iterator[None]:
    """Head one part of the run and say how long it took."""
    print(f"\n== {title}", flush=True)
    started = time.monotonic()
    yield
    print(f"== {title}: {duration(time.monotonic() - started)}", flush=True)


def call(argv: Sequence[str | Path], env: Mapping[str, str] | None = None, cwd: Path | None = None) -> None:
    """Run a command that speaks for itself; a failure ends the whole run."""
    settings = clean_environment(
        {"OMP_WAIT_POLICY": "passive", "NPC_MEMORY_CACHE": str(LAYOUT.cache / "npc-memory"), **(env or {})}
    )
    done = subprocess.run([str(a) for a in argv], env=settings, cwd=cwd or LAYOUT.root, check=False)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, argv))} failed (exit {done.returncode})", "read its output above")


def suite_under_other_orders() -> None:
    """Everything under one further hash seed and locale; all but the model, searches and the slowest under another.

    With the model, the goldens themselves are played under three pairs.
    """
    with part("the whole suite, hash seed 1, LC_ALL=C"):
        argv: list[str | Path] = [LAYOUT.python, "-m", "pytest", *BOTH_CORES, *WHOLE_SEARCHES]
        call(argv, {**STRICT, "PYTHONHASHSEED": "1", "LC_ALL": "C"})
    other = _other_locale()
    with part(f"the suite, hash seed 4242, LC_ALL={other}"):
        call(
            [LAYOUT.python, "-m", "pytest", *BOTH_CORES, "-q", "-m", "not full and not model and not hypothesis"],
            {**STRICT, "PYTHONHASHSEED": "4242", "LC_ALL": other},
        )


def _other_locale() -> str:
    """A locale whose rules differ from C's (Turkish has its own i), when the machine has one."""
    before = locale.setlocale(locale.LC_ALL)
    try:
        for name in ("tr_TR.UTF-8", "de_DE.UTF-8", "ja_JP.UTF-8", "en_US.UTF-8"):
            try:
                locale.setlocale(locale.LC_ALL, name)
            except locale.Error:
                continue
            return name
    finally:
        locale.setlocale(locale.LC_ALL, before)
    print("   (no locale but C is installed; package `locales` would bring more)")
    return "C.UTF-8"


def wheel_alone() -> None:
    """Build the wheel, install it where there is nothing else, and use it from a folder that is not the checkout."""
    with part("the wheel in an environment of its own, without development packages"):
        wheel = _build_wheel()
        python = _environment("wheel-env", Path(sys.executable), ["runtime"])
        log = LAYOUT.logs / "full-wheel.log"
        pip_install("npc-memory's wheel", python, ["--no-deps", "--no-index", wheel], log)
        call([python, "-m", "pip", "check"])
        elsewhere = WORK / "elsewhere"
        shutil.rmtree(elsewhere, ignore_errors=True)
        elsewhere.mkdir(parents=True)
        env = {"HOME": str(elsewhere), "NPC_MEMORY_MODELS": str(LAYOUT.model_files)}
        call([python, LAYOUT.root / "tools" / "smoke.py"], env, cwd=elsewhere)


def _build_wheel() -> Path:
    out = WORK / "dist"
    shutil.rmtree(out, ignore_errors=True)
    argv: list[str | Path] = [LAYOUT.python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    run("building the wheel", [*argv, "-w", out, LAYOUT.root], LAYOUT.logs / "full-build.log")
    return next(out.glob("*.whl"))


def _environment(name: str, python: Path, locks: Sequence[str]) -> Path:
    """A fresh environment with ``locks`` and the engine; the engine's wheel serves every Python."""
    folder = WORK / name
    done = subprocess.run([str(python), "-m", "venv", "--clear", str(folder)], check=False)
    if done.returncode:
        raise Failure(f"{python} cannot make an environment", "install its venv module")
    inside = folder / "bin" / "python"
    files = [piece for lock in locks for piece in ("-r", LAYOUT.requirements(lock))]
    arguments = ["--require-hashes", "--no-deps", "--only-binary", ":all:", *files]
    pip_install(f"packages ({name})", inside, arguments, LAYOUT.logs / f"full-{name}.log")
    engine = EngineBuild(LAYOUT).ensure()
    pip_install(
        f"engine ({name})", inside, ["--no-deps", "--no-index", engine], LAYOUT.logs / f"full-{name}-engine.log"
    )
    return inside


def other_pythons() -> None:
    """The unit tests and the smoke run under each supported Python that this machine has and this run does not use."""
    for version in OTHER_PYTHONS:
        if version == f"{sys.version_info.major}.{sys.version_info.minor}":
            continue
        found = _find_python(version)
        if found is None:
            print(f"\n== Python {version}: not on this machine, left out", flush=True)
            continue
        with part(f"Python {version} ({found})"):
            python = _environment(f"python-{version}", found, ["runtime", "build", "dev", "roguelike"])
            arguments: list[str | Path] = ["--no-deps", "--no-index", "--no-build-isolation", "--editable", LAYOUT.root]
            pip_install("npc-memory", python, arguments, LAYOUT.logs / f"full-{version}-project.log")
            call(
                [
                    *(python, "-m", "pytest", *BOTH_CORES, "-q"),
                    *("-m", "not full and not model and not hypothesis", "tests/unit"),
                ],
                STRICT,
            )
            call([python, LAYOUT.root / "tools" / "smoke.py"], cwd=WORK)


def _find_python(version: str) -> Path | None:
    candidates = [shutil.which(f"python{version}")]
    if shutil.which("pyenv"):
        root = subprocess.run(["pyenv", "root"], capture_output=True, encoding="utf-8", check=False).stdout.strip()
        candidates += sorted(map(str, Path(root, "versions").glob(f"{version}.*/bin/python{version}")), reverse=True)
    for candidate in candidates:
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return Path(candidate)
    return None


def gdscript() -> None:
    """The scripts of the Godot client, read without Godot. (Its run, and Mono's, are tests: tests/clients.)"""
    with part("GDScript, with gdtoolkit"):
        lint_gdscript(LAYOUT)


def main() -> int:
    """Run all parts in turn; stop at the first that fails."""
    parts: tuple[Callable[[], None], ...] = (gdscript, suite_under_other_orders, wheel_alone, other_pythons)
    WORK.mkdir(parents=True, exist_ok=True)
    try:
        for each in parts:
            each()
    except Failure as failure:
        print(f"\ntest-full: {failure.message}\n  Cure: {failure.cure}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print("\ntest-full: all parts passed", flush=True)
    return 0


if __name__ == "__main__":
    os.chdir(LAYOUT.root)
    sys.exit(main())
