"""The commands of ``npc-memory``, each known by name until it is asked for.

A command brings its part of the package with it, the largest of them all of it: more than a second of imports that
``--version``, ``--help`` or looking at a list of saves has no use for. So a command's module is imported when the
command is run or asked for its own help; what the overview says about it stands here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

__all__ = ["COMMANDS", "Commands", "Place"]


class Place(NamedTuple):
    """Where a command is: the module, and the function or ``Typer`` in it; and what it does, in a line or two."""

    module: str
    name: str
    help: str


COMMANDS = {
    "serve": Place(
        "serve",
        "serve",
        "Serve a world to game engines. Ctrl-C, SIGTERM or the end of --parent-pid ends it; all is remembered.",
    ),
    "play": Place(
        "play",
        "play",
        "Play Emberfall, a roguelike whose people remember. Without a model file they speak authored lines.",
    ),
    "talk": Place("talk", "talk", "Talk to an NPC. Piped input: a line in, a reply out."),
    "explain": Place(
        "explain", "explain", "Show what was in the prompt of a reply, what it cost and what was left out."
    ),
    "forget": Place(
        "forget",
        "forget",
        "Erase a player: what was said and done, what was made of it, on every timeline. It cannot be undone.",
    ),
    "export": Place(
        "archive", "export", "Write a world with all timelines and saves, or a part of it, as readable JSON lines."
    ),
    "import": Place(
        "archive",
        "import_",
        "Read an archive into the world's file: all of it or nothing. A second time changes nothing.",
    ),
    "lint": Place(
        "lint",
        "lint",
        "Check a world pack: references, duplicate ids, contradictions, budgets. Exits with 1 if an error was found.",
    ),
    "replay": Place("replay", "replay", "Build every recorded prompt again and compare bytes."),
    "models": Place("models", "app", "The models on this machine."),
    "saves": Place("saves", "app", "The save slots of a world. The game must not be running."),
    "bench": Place("bench", "app", "Measure: rates and ratios of one run."),
}
"""In the order in which the overview shows them. A test holds each against the command itself."""


class Command(TyperCommand):
    """Stands for a command that is imported when it gets its arguments."""

    def __init__(self, name: str, place: Place) -> None:
        super().__init__(name, help=place.help)
        self._place = place

    def make_context(self, *args: Any, **named: Any) -> Any:
        """The context of the command itself: what is invoked is what the context names."""
        return self.load().make_context(*args, **named)

    def load(self) -> Any:
        """The command itself."""
        found = getattr(import_module(f"npc_memory.cli.{self._place.module}"), self._place.name)
        if isinstance(found, typer.Typer):
            command: Any = get_group(found)
            command.name = self.name
            return command
        alone = typer.Typer(add_completion=False)
        alone.command(self.name)(found)
        return get_command(alone)


class Commands(TyperGroup):
    """All commands, none of them imported yet."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, place in COMMANDS.items():
            self.add_command(Command(name, place))
