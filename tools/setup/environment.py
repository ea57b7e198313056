"""The environment: a venv with the pinned, hashed packages, and npc-memory itself as an editable install."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.setup import checks
from tools.setup.layout import Layout
from tools.setup.stamps import digest, key_of, read_stamp, write_json
from tools.setup.steps import clean_environment, run

__all__ = ["Environment", "create_venv", "pip_install"]


def create_venv(folder: Path, log: Path, hold: int | None = None) -> None:
    """Make an empty environment at ``folder``; what stood there goes."""
    checks.check_venv()
    shutil.rmtree(folder, ignore_errors=True)
    run(f"environment {folder.name}", [sys.executable, "-m", "venv", folder], log, env=clean_environment(), hold=hold)


def pip_install(title: str, python: Path, arguments: Sequence[str | Path], log: Path, hold: int | None = None) -> None:
    """Run ``pip install`` with ``arguments`` in the environment of ``python``."""
    run(title, [python, "-m", "pip", "install", *arguments], log, env=clean_environment(), hold=hold)


class Environment:
    """The stages inside ``.venv``. Each is skipped while its stamp names what it would be made from now."""

    def __init__(self, layout: Layout, hold: int | None = None) -> None:
        self.layout = layout
        self.hold = hold
        self.busy = layout.venv / ".npc-busy"

    def ensure_base(self) -> bool:
        """Make the environment with the runtime's packages; True when it was made anew.

        Made from scratch whenever the lock files or the interpreter changed, or pip was interrupted in it: what a
        half-written package leaves behind is not worth repairing.
        """
        names = ("runtime", "build")
        key = key_of({"locks": digest(self._locks(names)), "python": sys.version, "at": self.layout.venv})
        if self._stamp("base") == key and not self.busy.exists() and self.layout.python.exists():
            return False
        checks.check_disk(self.layout.root, 500, "The environment")
        create_venv(self.layout.venv, self._log("environment"), self.hold)
        self._install_locks("packages", names)
        self._write_stamp("base", key)
        return True

    def ensure_engine(self, key: str, wheel: Path) -> None:
        """Install the compiled engine's ``wheel``, known by ``key``, and load it once."""
        if self._stamp("engine") == key:
            return
        self._pip("engine", "--no-deps", "--no-index", "--force-reinstall", wheel)
        probe = "import llama_cpp; print(llama_cpp.__version__)"
        run("engine loads", [self.layout.python, "-c", probe], self._log("engine-loads"), hold=self.hold)
        self._write_stamp("engine", key)

    def ensure_project(self) -> None:
        """Install npc-memory itself, editable, with its command."""
        key = digest([self.layout.root / "pyproject.toml", self.layout.root / "npc_memory" / "version.py"])
        if self._stamp("project") == key:
            return
        self._pip("npc-memory", "--no-deps", "--no-build-isolation", "--no-index", "--editable", self.layout.root)
        self._write_stamp("project", key)

    def ensure_roguelike(self) -> None:
        """Add what the roguelike is drawn and ruled with."""
        self._ensure_more("roguelike", "the roguelike's packages")

    def ensure_dev(self) -> None:
        """Add what the tests and checks need."""
        self._ensure_more("dev", "development packages")

    def _ensure_more(self, name: str, title: str) -> None:
        key = digest(self._locks([name]))
        if self._stamp(name) == key:
            return
        self._install_locks(title, [name])
        self._write_stamp(name, key)

    def _locks(self, names: Sequence[str]) -> list[Path]:
        return [self.layout.requirements(name) for name in names]

    def _install_locks(self, title: str, names: Sequence[str]) -> None:
        files = [part for path in self._locks(names) for part in ("-r", path)]
        self._pip(title, "--require-hashes", "--no-deps", "--only-binary", ":all:", *files)

    def _pip(self, title: str, *arguments: str | Path) -> None:
        self.busy.touch()
        pip_install(title, self.layout.python, arguments, self._log(title.replace(" ", "-")), self.hold)
        self.busy.unlink()

    def _log(self, name: str) -> Path:
        return self.layout.logs / f"{name}.log"

    def _stamp(self, stage: str) -> str:
        return str(read_stamp(self.layout.venv / f".npc-{stage}.json").get("key", ""))

    def _write_stamp(self, stage: str, key: str) -> None:
        write_json(self.layout.venv / f".npc-{stage}.json", {"key": key})
