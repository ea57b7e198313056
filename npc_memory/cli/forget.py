"""``npc-memory forget``: erase a player, or single memories, from every byte of the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from npc_memory.cli.console import err, line, out, reported
from npc_memory.defaults import store_path
from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.forgetting import forget_player
from npc_memory.store import Store
from npc_memory.world import load_world

__all__ = ["forget"]

STEPS = {
    "begun": "begun: from here on a crash is made up for when the file is opened next",
    "looking": "looking through every record of every save",
    "erasing": "erasing",
    "cleaning": "writing the file anew",
}


def forget(
    player: Annotated[str | None, typer.Argument(help="Id of the player (not the display name).")] = None,
    record: Annotated[
        list[str] | None, typer.Option(help="Erase this record instead (a turn, an episode, …); may be repeated.")
    ] = None,
    world: Annotated[str, typer.Option(help="Name or folder of the world pack.")] = "emberfall",
    data: Annotated[Path, typer.Option(help="Folder of the file that remembers.")] = Path("data"),
    owner: Annotated[str, typer.Option(help="Whose game, if the file holds several.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The counts as one JSON object.")] = False,
) -> None:
    """Erase a player: what was said and done, what was made of it, on every timeline. It cannot be undone."""
    with reported():
        if (player is None) == (not record):
            raise InvalidInput("name a player or records", hint="npc-memory forget p1, or --record t00000012")
        pack = load_world(world)
        path = store_path(data, pack.id)
        if not path.is_file():
            raise UnknownId("recorded world", str(path))
        with Store.open(path, world=pack.id, world_version=pack.version, owner=owner) as store:
            if not (dry_run or yes) and not typer.confirm(_question(player, record), err=True):
                raise typer.Exit(1)
            if player is not None:
                counts = forget_player(
                    pack, store, player, dry_run=dry_run, progress=lambda step: err.print(STEPS.get(step, step))
                )
            else:
                counts = store.erase(record or (), dry_run=dry_run)
    if as_json:
        print(json.dumps(counts))
    else:
        _show(counts, dry_run)


def _question(player: str | None, record: list[str] | None) -> str:
    what = f"everything of player {player!r}" if player is not None else ", ".join(record or ())
    return f"Erase {what}, and all that was made from it, for good?"


def _show(counts: dict[str, int], dry_run: bool) -> None:
    if not counts:
        out.print("nothing was found")
        return
    out.print(line(("would go" if dry_run else "gone", "bold")))
    for kind, count in counts.items():
        out.print(f"{count:>9}  {_TOLD.get(kind, kind)}")


_TOLD = {
    "redacted": "recorded replies whose content goes; that there was one stays",
    "struck": "texts and lists of others out of which the name goes",
    "state": "entries of world state",
}
