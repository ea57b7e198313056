"""``npc-memory saves list|tree|rename|delete|compact|check``: the save slots in a world's file."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.tree import Tree

from npc_memory.cli.console import err, line, out, reported
from npc_memory.memory import SaveInfo, SaveNode
from npc_memory.store import Store

__all__ = ["app"]

app = typer.Typer(help="The save slots of a world. The game must not be running.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="The file that remembers a world, e.g. data/emberfall.sqlite3.")]
Save = Annotated[str, typer.Argument(help="A slot, or a save_id.")]
Owner = Annotated[str, typer.Option(help="Whose game, if the file holds several.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per save.")]


@app.command("list")
def list_(file: File, owner: Owner = "", as_json: AsJson = False) -> None:
    """Show what each slot holds."""
    with reported(), Store.reopen(file, owner=owner) as store:
        saves, playing = store.saves(), store.slot
    if as_json:
        for save in saves:
            print(json.dumps(asdict(save), ensure_ascii=False))
        return
    table = Table("slot", "game minute", "saved", "world", "note", "save_id", header_style="bold")
    for save in saves:
        slot = f"{save.slot} (played)" if save.slot == playing else save.slot
        table.add_row(slot, str(save.game_time), _date(save), save.world_version, save.note, save.save_id)
    out.print(table)


@app.command()
def tree(file: File, owner: Owner = "", as_json: AsJson = False) -> None:
    """Show which save was played on from which; those too that lost their slot to a later one."""
    with reported(), Store.reopen(file, owner=owner) as store:
        nodes = store.save_tree()
    if as_json:
        for node in nodes:
            print(json.dumps(asdict(node), ensure_ascii=False))
        return
    root = Tree("the beginning")
    branches = {"": root}
    waiting = list(nodes)
    while waiting:  # a parent may have been saved after its child was: loading goes back
        ready = [node for node in waiting if node.parent in branches]
        for node in ready:
            branches[node.save.save_id] = branches[node.parent].add(line(_words(node)))
        waiting = [node for node in waiting if node not in ready]
    out.print(root)


@app.command()
def rename(
    file: File, save: Save, slot: Annotated[str, typer.Argument(help="Its new name.")], owner: Owner = ""
) -> None:
    """Give a save another slot."""
    with reported(), Store.reopen(file, owner=owner) as store:
        store.rename_save(save, slot)
    err.print(line(("renamed", "green"), f" {save} to {slot}"))


@app.command()
def delete(file: File, save: Save, owner: Owner = "") -> None:
    """Take a save away. What it shares with other saves and with the game stays."""
    with reported(), Store.reopen(file, owner=owner) as store:
        gone = store.delete_save(save)
    err.print(line(("deleted", "green"), f" {gone.slot or gone.save_id}"))


@app.command()
def compact(file: File, owner: Owner = "") -> None:
    """Shorten the lineage that many loads have made long. The bridge does it by itself while it runs."""
    with reported(), Store.reopen(file, owner=owner) as store, err.status("compacting"):
        store.compact()
    err.print(line(("done", "green"), ": no save shows anything else than before"))


@app.command()
def check(
    file: File,
    owner: Owner = "",
    mend: Annotated[bool, typer.Option("--mend", help="Make what recall looks things up in anew.")] = False,
) -> None:
    """Look whether the file is sound, and whether recall finds every memory in it. Exit code 1 if anything is wrong."""
    from npc_memory.indexed import check_index  # brings recall along, which no other command here needs

    with reported(), Store.reopen(file, owner=owner) as store, err.status("reading"):
        damaged, unfound = store.check(), check_index(store, mend=mend)
        left = check_index(store) if unfound and mend else unfound
    for words in damaged:
        out.print(line(("damaged", "red"), f" {words}"))
    for one in unfound:
        out.print(line(("mended" if one not in left else "not indexed", "yellow"), f" {one.npc} {one.id} {one.what}"))
    if damaged or left:
        raise typer.Exit(1)
    err.print(line(("sound", "green"), ": every memory is found"))


def _date(save: SaveInfo) -> str:
    return datetime.fromtimestamp(save.real_time / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _words(node: SaveNode) -> str:
    save = node.save
    name = save.slot or f"({'auto, ' if save.automatic else ''}overwritten) {save.save_id}"
    played = "  <- played" if node.playing else ""
    return f"{name}  minute {save.game_time}, {node.records} records, {_date(save)}{played}"
