"""One live line per step: what, how far, how long. On a terminal it is redrawn, in a log it is said now and then."""

from __future__ import annotations

import re
import shutil
import sys
import time
from pathlib import PurePosixPath
from typing import TextIO

__all__ = ["Progress", "duration", "summarise"]

_STEP = re.compile(r"^\s*\[(\d+)/(\d+)\]\s*(.*)$")
_SOURCE = re.compile(r"\s-c\s+(\S+)")
_WIDTH = 100
_DRAW_EVERY = 0.2
_LOG_EVERY = 15.0


def duration(seconds: float) -> str:
    """``75.4`` → ``1m15s``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


def summarise(line: str) -> str:
    """Shorten one line of a tool's output to what a reader wants to see: the compiler's step and file."""
    step = _STEP.match(line)
    if not step:
        return _shorten(line.strip())
    done, total, command = step.groups()
    source = _SOURCE.search(command)
    what = PurePosixPath(source.group(1)).name if source else command.split(" && ")[0][:60]
    return f"[{done}/{total}] {what}"


def _shorten(line: str) -> str:
    if line.startswith(("WARNING: Location", "Looking in")):
        return ""
    head, colon, rest = line.partition(": ")
    if colon and head == "Installing collected packages":
        return f"installing {rest.count(',') + 1} packages"
    return line[:_WIDTH]


class Progress:
    """Shows one step. ``line`` takes the tool's output, ``tick`` is called often, ``done`` closes the line."""

    def __init__(self, title: str, out: TextIO | None = None) -> None:
        self.title = title
        self.out = out or sys.stderr
        self.live = self.out.isatty()
        self.started = time.monotonic()
        self.last = ""
        self.shown_at = 0.0
        self._emit("…", end="" if self.live else "\n")

    def line(self, text: str) -> None:
        """Take one line of output; compiler steps are kept in view until the next step comes."""
        said = summarise(text)
        if said and (said.startswith("[") or not self.last.startswith("[")):
            self.last = said

    def tick(self) -> None:
        """Draw again when it is time to."""
        wait = _DRAW_EVERY if self.live else _LOG_EVERY
        if time.monotonic() - self.shown_at >= wait:
            self._emit(f"{duration(time.monotonic() - self.started)}  {self.last}", end="" if self.live else "\n")

    def done(self, word: str = "done") -> None:
        """Close the step with ``word`` and the time it took."""
        self._emit(f"{word} ({duration(time.monotonic() - self.started)})", end="\n")

    def _emit(self, text: str, end: str) -> None:
        self.shown_at = time.monotonic()
        shown = f"  {self.title}: {text}"
        if self.live:
            shown = "\r\x1b[K" + shown[: max(20, shutil.get_terminal_size().columns - 1)]
        print(shown, end=end, file=self.out, flush=True)
