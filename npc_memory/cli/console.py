"""What every command shares: consoles, and errors that say what to do.

Neither console interprets what it prints: no markup, no emoji codes. What players, models and files are called is
theirs, so colour is put on with ``line`` and not with brackets in a string.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from npc_memory.errors import NpcMemoryError, OutputClosed

__all__ = ["err", "line", "out", "reported", "show_error", "standard_streams"]

out = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def line(*parts: str | tuple[str, str]) -> Text:
    """One text of plain and styled parts: ``line(("error", "red"), " in ", name)``."""
    return Text.assemble(*parts)


class Output:
    """Standard output whose failures are typed: a closed pipe or a full disk is told in a sentence."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write ``text``; raises ``OutputClosed``."""
        with self._typed():
            return int(self._stream.write(text))

    def flush(self) -> None:
        """Hand on what was written; raises ``OutputClosed``."""
        with self._typed():
            self._stream.flush()

    @contextmanager
    def _typed(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            # What is still in the buffer would be tried, and fail, once more when Python shuts down.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
            raise OutputClosed(error.strerror or str(error)) from error


class Nowhere(io.StringIO):
    """Takes every text and keeps none: no file, so there is none to be closed when the program ends."""

    def write(self, text: str, /) -> int:
        """Say how much was taken."""
        return len(text)


def standard_streams() -> None:
    """Speak UTF-8 whatever the locale says: an NPC called Élise must not crash a terminal in the C locale.

    Raises ``OutputClosed`` when the program was started without a standard output.
    """
    if sys.stderr is None:
        sys.stderr = Nowhere()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    if sys.stdout is None:
        sys.stdout = Nowhere()
        raise OutputClosed("there is none")
    sys.stdout = Output(sys.stdout)


def show_error(error: NpcMemoryError) -> None:
    """Print a typed error on stderr: message, cure and code."""
    err.print(line(("error", "red"), f" {error.message}"))
    if error.hint:
        err.print(line(("cure", "yellow"), f"  {error.hint}"))
    err.print(line((f"code  {error.code} (docs/errors/{error.code}.md)", "dim")))


@contextmanager
def reported() -> Iterator[None]:
    """Show a typed error and exit with 1."""
    try:
        yield
    except NpcMemoryError as error:
        show_error(error)
        raise typer.Exit(1) from error
