"""``npc-memory export`` and ``npc-memory import``: one readable file of a world, an NPC or a player."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from npc_memory.cli.console import err, line, out, reported
from npc_memory.errors import UnknownId
from npc_memory.memory import Authority
from npc_memory.opening import store_path
from npc_memory.store import Store
from npc_memory.world import load_world

__all__ = ["export", "import_"]

WorldOption = Annotated[str, typer.Option(help="Name or folder of the world pack.")]
DataOption = Annotated[Path, typer.Option(help="Folder of the file that remembers.")]
OwnerOption = Annotated[str, typer.Option(help="Whose game, if the file holds several.")]


def export(
    file: Annotated[Path, typer.Argument(help="The archive to write, e.g. emberfall.jsonl.")],
    npc: Annotated[str, typer.Option(help="Only what this NPC knows.")] = "",
    player: Annotated[str, typer.Option(help="Only what was recorded about this player: what he may ask to see.")] = "",
    world: WorldOption = "emberfall",
    data: DataOption = Path("data"),
    owner: OwnerOption = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write a world with all timelines and saves, or a part of it, as readable JSON lines."""
    with reported():
        pack = load_world(world)
        path = store_path(data, pack.id)
        if not path.is_file():
            raise UnknownId("recorded world", str(path))
        with Store.open(path, world=pack.id, world_version=pack.version, owner=owner) as store:
            err.print(f"writing {file}")
            _show("written", store.export(file, npc=npc, player=player, replace=force))


def import_(
    file: Annotated[Path, typer.Argument(help="The archive that export wrote.")],
    world: WorldOption = "emberfall",
    data: DataOption = Path("data"),
    owner: OwnerOption = "",
    rank: Annotated[
        Literal["game", "designer"],
        typer.Option("--as", help="Who imports; records above that rank are refused."),
    ] = "game",
) -> None:
    """Read an archive into the world's file: all of it or nothing. A second time changes nothing."""
    with reported():
        pack = load_world(world)
        path = store_path(data, pack.id)
        with Store.open(path, world=pack.id, world_version=pack.version, owner=owner) as store:
            err.print(f"reading {file}")
            done = store.import_archive(file, rank=Authority[rank.upper()])
        _show("imported", done.added)
        if done.known:
            out.print(f"{done.known:>9}  lines were there already")


def _show(what: str, counts: dict[str, int]) -> None:
    out.print(line((what, "bold"), "" if counts else "  nothing new"))
    for kind, count in counts.items():
        out.print(f"{count:>9}  {kind}")
