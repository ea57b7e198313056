"""The command line: one module per command, put together in ``commands``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from npc_memory.cli.commands import Commands
from npc_memory.cli.console import out, show_error, standard_streams
from npc_memory.errors import NpcMemoryError
from npc_memory.version import __version__

__all__ = ["app", "run"]

app = typer.Typer(
    name="npc-memory",
    cls=Commands,
    help="Offline memory for game NPCs: they talk, they remember, and they never contradict the world.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        out.print(f"npc-memory {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Offline memory for game NPCs."""


def run() -> int:
    """Run the command that the arguments name; return the exit code."""
    try:
        standard_streams()
        try:
            app()
        finally:
            sys.stdout.flush()
    except NpcMemoryError as error:
        show_error(error)
        return 1
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1 if end.code else 0
    return 0
