"""``npc-memory play``: Emberfall, and the bridge it talks to, as one program."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Annotated

import typer

from npc_memory.cli.console import reported
from npc_memory.defaults import DEFAULT_MODEL, EngineKind
from npc_memory.errors import ExtraMissing, InvalidInput

__all__ = ["play"]

NEEDED = ("textual", "tcod")


def play(
    seed: Annotated[int, typer.Option(help="Seed of a new game: the same seed and keys give the same game.")] = 412,
    world: Annotated[str, typer.Option(help="Name or folder of the world pack.")] = "emberfall",
    data: Annotated[Path, typer.Option(help="Folder of saved games and of what people remember.")] = Path("data"),
    model: Annotated[str, typer.Option(help="Name in the catalogue, or a .gguf file.")] = DEFAULT_MODEL,
    engine: Annotated[EngineKind, typer.Option(help="llama speaks; scripted is a test double.")] = "llama",
    threads: Annotated[int, typer.Option(help="Threads of the model; they change speed, never words.")] = 2,
    name: Annotated[str, typer.Option(help="What your first hero is called.")] = "",
    record: Annotated[Path | None, typer.Option(help="Write what was played to this file, on leaving.")] = None,
) -> None:
    """Play Emberfall, a roguelike whose people remember. Without a model file they speak authored lines."""
    with reported():
        for package in NEEDED:
            if importlib.util.find_spec(package) is None:
                raise ExtraMissing("roguelike", package)
        if engine == "llama":
            _known(model)
        if not (sys.stdin and sys.stdin.isatty() and sys.__stdout__ and sys.__stdout__.isatty()):
            raise InvalidInput("the game needs a terminal", hint="start it in one, without pipes")
        code = _run(seed, world, data, ["--model", model, "--engine", engine, "--threads", str(threads)], name, record)
    raise typer.Exit(code)


def _known(model: str) -> None:
    """Raise ``ModelMissing`` for a model nobody knows; one of the catalogue may be missing: people then speak authored
    lines.
    """
    from npc_memory.inference.catalogue import catalogue
    from npc_memory.inference.models import find_model

    if all(entry.name != model for entry in catalogue()):
        find_model(model)


def _run(seed: int, world: str, data: Path, engine: list[str], name: str, record: Path | None) -> int:
    from roguelike.bridge_process import BridgeProcess
    from roguelike.link import Link
    from roguelike.screen import Emberfall
    from roguelike.screen.table import Table
    from roguelike.slots import Slots

    process = BridgeProcess([world, "--data", str(data), *engine])
    link = Link(process.address, token=process.token)
    app = Emberfall(Table(link, Slots(data / "games"), seed, process, name, record), signals=True)
    try:
        app.run()
    finally:
        process.kill()
    return app.return_code or 0
