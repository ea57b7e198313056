"""What every command shares: consoles, and errors that say what to do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.markup import escape

from npc_memory.errors import NpcMemoryError

__all__ = ["err", "out", "reported"]

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def utf8() -> None:
    """Speak UTF-8 whatever the locale says: an NPC called Élise must not crash a terminal in the C locale."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


@contextmanager
def reported() -> Iterator[None]:
    """Show a typed error as message, cure and code, and exit with 1."""
    try:
        yield
    except NpcMemoryError as error:
        err.print(f"[red]error[/red] {escape(error.message)}")
        if error.hint:
            err.print(f"[yellow]cure[/yellow]  {escape(error.hint)}")
        err.print(f"[dim]code  {error.code} (docs/errors/{error.code}.md)[/dim]")
        raise typer.Exit(1) from error
