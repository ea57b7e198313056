"""Resolves requirements/*.txt again: pinned, hashed, for every Python the project supports, without any address.

make lock            keep what is pinned, add what is new
make lock UPGRADE=1  take the newest versions
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tools.setup.environment import create_venv, pip_install
from tools.setup.failure import Failure
from tools.setup.layout import Layout

ENGINE = "llama-cpp-python"
COMMON = (
    "--universal", "--fork-strategy=fewest", "--python-version=3.11", "--generate-hashes", "--no-annotate",
    "--custom-compile-command=make lock", "--no-emit-package", ENGINE, "--only-binary=:all:", f"--no-binary={ENGINE}",
)  # fmt: skip
# Each takes what those before it have chosen as constraints, so one environment can hold them all.
LOCKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("runtime", ("pyproject.toml",)),
    ("dev", ("pyproject.toml", "--extra=dev", "--constraints=requirements/runtime.txt")),
    ("bench", ("pyproject.toml", "--extra=bench", "--constraints=requirements/dev.txt")),
    ("roguelike", ("pyproject.toml", "--extra=roguelike", "--constraints=requirements/dev.txt")),
    ("semantic", ("pyproject.toml", "--extra=semantic", "--constraints=requirements/dev.txt")),
    ("build", ("requirements/build.in", "--constraints=requirements/dev.txt")),
    ("native", ("requirements/native.in", "--constraints=requirements/dev.txt")),
    ("lock", ("requirements/lock.in",)),
    ("gdscript", ("requirements/gdscript.in",)),
)


def main() -> int:
    """Write all lock files; 0 when done."""
    layout = Layout(Path(__file__).resolve().parents[1])
    folder = layout.cache / "lock-env"
    try:
        if not (folder / "bin" / "uv").exists():
            create_venv(folder, layout.logs / "lock-venv.log")
            lock = layout.requirements("lock")
            source = ("--require-hashes", "-r", lock) if lock.exists() else ("-r", lock.with_suffix(".in"))
            pip_install("resolver", folder / "bin" / "python", source, layout.logs / "lock-env.log")
    except Failure as failure:
        print(f"lock: {failure.message}\n  Cure: {failure.cure}.", file=sys.stderr)
        return 1
    upgrade = ["--upgrade"] if os.environ.get("UPGRADE") else []
    for name, sources in LOCKS:
        argv = [str(folder / "bin" / "uv"), "pip", "compile", "--quiet", *COMMON, *upgrade, *sources]
        subprocess.run([*argv, "--output-file", f"requirements/{name}.txt"], cwd=layout.root, check=True)
    # The engine alone comes as source and is compiled by tools/setup: its hash is of the source distribution.
    common = [part for part in COMMON if part not in ("--no-emit-package", ENGINE)]
    argv = [str(folder / "bin" / "uv"), "pip", "compile", "--quiet", *common, "--no-deps", "requirements/engine.in"]
    subprocess.run([*argv, "--output-file", "requirements/engine.txt"], cwd=layout.root, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
