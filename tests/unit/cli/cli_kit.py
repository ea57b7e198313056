"""The command line for tests: as a process of its own, or called in this one where nothing hangs on the process."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from npc_memory.cli import console, main

__all__ = ["COMMAND", "call", "run"]

COMMAND = [sys.executable, "-m", "npc_memory.cli"]


def run(*args: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """``npc-memory ARGS`` as a person or a script runs it."""
    return subprocess.run(
        [*COMMAND, *args],
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
        env={**os.environ, "COLUMNS": "200", **environment},
    )


def call(*args: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The same without the second it takes to start Python and load the program: streams, errors and exit code are
    those of the process.
    """
    out, err = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", ["npc-memory", *args])
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        patched.setattr(sys, "stdout", io.TextIOWrapper(out))
        patched.setattr(sys, "stderr", io.TextIOWrapper(err))
        for one in (console.out, console.err):
            patched.setattr(one, "_width", 200)
            patched.setattr(one, "_color_system", None)
        with pytest.raises(SystemExit) as ended:
            main()
        sys.stdout.flush()
        sys.stderr.flush()
        code = ended.value.code
        assert isinstance(code, int)
        return subprocess.CompletedProcess(list(args), code, out.getvalue().decode(), err.getvalue().decode())
