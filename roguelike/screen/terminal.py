"""A terminal that may be closed while the game is on: nothing hangs and nothing is lost because of it."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

from textual.driver import Driver

__all__ = ["closed", "keep_closed", "lasting", "let_go"]


class _Lasting:
    """A file to which writing never fails. Textual's thread that writes would end at the first failure, and whoever
    writes after it would wait for ever.
    """

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write ``text``, or as much of it as there is a terminal for."""
        with suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, where there is a terminal."""
        with suppress(OSError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def lasting(driver: type[Driver]) -> type[Driver]:
    """The same driver, which writes on when its terminal is gone."""

    def begin(self: Any, *given: Any, **named: Any) -> None:
        driver.__init__(self, *given, **named)
        if getattr(self, "_file", None) is not None:
            self._file = _Lasting(self._file)

    return type(f"Lasting{driver.__name__}", (driver,), {"__init__": begin})


def closed() -> bool:
    """Whether the terminal is gone that this process was started in."""
    return sys.__stdin__ is not None and not os.isatty(sys.__stdin__.fileno())


def keep_closed() -> None:
    """Do not begin anew on a terminal that is gone: a hang-up comes with the signal to go on after a pause, at which
    textual would start threads that nobody ends.
    """
    go_on = signal.getsignal(signal.SIGCONT)

    def unless_closed(number: int, frame: FrameType | None) -> None:
        if callable(go_on) and not closed():
            go_on(number, frame)

    signal.signal(signal.SIGCONT, unless_closed)


def let_go() -> None:
    """From now on nothing is read from the terminal and what is written is dropped."""
    silence, _ = os.pipe()  # its other end stays open: an end of input would be read over and over
    os.set_blocking(silence, False)  # who is about to read the terminal must not wait here
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for now, then in ((silence, 0), (nowhere, 1), (nowhere, 2)):
        os.dup2(now, then)
