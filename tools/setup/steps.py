"""Runs one external tool with a live line, its full output in a log, and a failure that names the cure."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from tools.setup.failure import Failure, cure_for
from tools.setup.progress import Progress

__all__ = ["clean_environment", "run"]

_TAIL = 25
# Settings of the caller's shell that would change what is built or installed without changing a key or a stamp.
_UNWANTED = ("PYTHONPATH", "PYTHONHOME", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CMAKE_ARGS", "CMAKE_GENERATOR",
             "CMAKE_TOOLCHAIN_FILE", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_VIRTUALENV")  # fmt: skip


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment without what would silently change a build, plus ``extra``."""
    kept = {k: v for k, v in os.environ.items() if k not in _UNWANTED and not k.startswith(("SKBUILD_", "GGML_"))}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", **(extra or {})}


def run(
    title: str,
    argv: Sequence[str | Path],
    log: Path,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    hold: int | None = None,
) -> str:
    """Run ``argv``, show progress, write everything to ``log`` and return the output.

    ``hold`` is a file descriptor the child inherits: a lock on it lasts until the last child is gone, even when this
    process is killed. Raises ``Failure`` when the tool fails or cannot start.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(title)
    try:
        process = subprocess.Popen(
            [str(a) for a in argv],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=dict(env) if env is not None else clean_environment(),
            cwd=cwd,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            pass_fds=() if hold is None else (hold,),
        )
    except OSError as error:
        progress.done("failed")
        raise Failure(f"{title}: cannot start {argv[0]}: {error}", cure_for(str(error), str(log))) from error
    try:
        output = _follow(process, progress, log)
    except BaseException:
        _stop(process)
        progress.done("stopped")
        raise
    if process.returncode:
        progress.done("failed")
        tail = "\n".join(f"    {line}" for line in output.splitlines()[-_TAIL:])
        raise Failure(
            f"{title} failed (exit {process.returncode}). Its last lines:\n{tail}", cure_for(output, str(log))
        )
    progress.done()
    return output


def _follow(process: subprocess.Popen[str], progress: Progress, log: Path) -> str:
    assert process.stdout is not None
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    kept: deque[str] = deque(maxlen=4000)
    with log.open("w", encoding="utf-8") as file:
        while True:
            try:
                line = lines.get(timeout=0.2)
            except queue.Empty:
                progress.tick()
                continue
            if line is None:
                break
            file.write(line)
            kept.append(line)
            progress.line(line)
            progress.tick()
    process.wait()
    return "".join(kept)


def _read(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _stop(process: subprocess.Popen[str]) -> None:
    """End the tool and all it started: they share a session of their own, so only they are hit."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=5)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
        return
