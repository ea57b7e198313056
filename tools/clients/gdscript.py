"""Lints the GDScript of the Godot client: ``python -m tools.clients.gdscript``.

gdtoolkit reads GDScript without Godot. It lives in an environment of its own under ``.cache``, pinned and hashed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools.setup.environment import create_venv, pip_install
from tools.setup.failure import Failure
from tools.setup.layout import Layout
from tools.setup.stamps import file_sha256, key_of, read_stamp, write_json

__all__ = ["lint_gdscript"]


def lint_gdscript(layout: Layout) -> None:
    """Check style and format of every script. Raises ``Failure`` with what gdlint or gdformat found."""
    scripts = sorted((layout.root / "clients" / "godot").glob("*.gd"))
    tools = _tools(layout)
    for command in (["gdlint"], ["gdformat", "--check"]):
        argv = [str(tools / command[0]), *command[1:], *map(str, scripts)]
        done = subprocess.run(argv, capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode:
            raise Failure(f"{' '.join(command)}:\n{done.stdout}{done.stderr}".rstrip(), "mend clients/godot")
    print(f"{len(scripts)} scripts: gdlint and gdformat find nothing", flush=True)


def _tools(layout: Layout) -> Path:
    """The folder with gdtoolkit's commands; installed when it is missing or the lock has changed."""
    folder, lock = layout.cache / "gdscript-env", layout.requirements("gdscript")
    key = key_of({"lock": file_sha256(lock), "python": sys.version, "at": folder})
    if read_stamp(folder / ".npc-gdscript.json").get("key") != key:
        create_venv(folder, layout.logs / "gdscript-venv.log")
        arguments: list[str | Path] = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", lock]
        pip_install("gdtoolkit", folder / "bin" / "python", arguments, layout.logs / "gdscript-env.log")
        write_json(folder / ".npc-gdscript.json", {"key": key})
    return folder / "bin"


if __name__ == "__main__":
    try:
        lint_gdscript(Layout(Path(__file__).resolve().parents[2]))
    except Failure as failure:
        sys.exit(f"{failure.message}\n  Cure: {failure.cure}.")
