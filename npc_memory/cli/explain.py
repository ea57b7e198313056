"""``npc-memory explain``: the working memory of any past reply, with its budget report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from npc_memory.audit import Audit
from npc_memory.cli.console import line, out, reported
from npc_memory.defaults import store_path
from npc_memory.errors import RecordErased, UnknownId
from npc_memory.memory import AuditRecord
from npc_memory.store import Store
from npc_memory.world import load_world

__all__ = ["explain", "show"]


def explain(
    audit: Annotated[
        str | None, typer.Argument(help="Id of an audit record or of the turn it is about; the newest if not given.")
    ] = None,
    world: Annotated[str, typer.Option(help="Name or folder of the world pack.")] = "emberfall",
    data: Annotated[Path, typer.Option(help="Folder of the file that remembers.")] = Path("data"),
    npc: Annotated[str | None, typer.Option(help="Only replies of this NPC.")] = None,
    player: Annotated[str | None, typer.Option(help="Only replies to this player.")] = None,
    all_replies: Annotated[bool, typer.Option("--list", help="List the replies instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The record as it is stored.")] = False,
) -> None:
    """Show what was in the prompt of a reply, what it cost and what was left out."""
    with reported():
        pack = load_world(world)
        path = store_path(data, pack.id)
        if not path.is_file():
            raise UnknownId("recorded talk", str(path))
        with Store.open(path, world=pack.id, world_version=pack.version) as store:
            newest = None if all_replies else 1
            records = store.audits(npc, player, limit=newest) if audit is None else (_record(store, audit),)
        if not records:
            raise UnknownId("reply", f"of {npc or 'anyone'} to {player or 'anyone'}")
        if all_replies:
            for record in records:
                print(f"{record.id}  {_told(record)}")
        elif as_json:
            print(records[-1].payload)
        else:
            show(Audit.from_payload(records[-1].payload), records[-1].id)


def _told(record: AuditRecord) -> str:
    try:
        said = Audit.from_payload(record.payload)
    except RecordErased:
        return f"{record.npc} → (erased)"
    return f"{said.npc} → {said.player}  {said.reply['say']}"


def _record(store: Store, id: str) -> AuditRecord:
    if id.startswith("t"):
        return next((one for one in store.audits() if one.turn == id), None) or store.audit(id)
    return store.audit(id)


def show(audit: Audit, id: str = "") -> None:
    """Print an audit record for a person."""
    report = audit.report
    if not report:
        print(f"no prompt could be made ({audit.reply['mark']})\n{audit.reply['say']}")
        return
    unit = report["unit"]
    out.print(line((audit.npc, "bold"), f" answering {audit.player} ", (id, "dim")))
    section = ""
    for name, _, text in audit.prompt:
        if name != section:
            out.print(line((f"── {name} ({dict(report['sections']).get(name, 0)} {unit}) ──", "dim")))
            section = name
        print(text, end="" if text.endswith("\n") else "\n")
    out.print(line(("── reply ──", "dim")))
    print(audit.reply["say"], end=" ")
    out.print(line((f"({audit.reply['mood']})", "dim")))
    for number, attempt in enumerate(audit.attempts):
        fate = f"refused: {attempt.refused}" if attempt.refused else "kept"
        out.print(line((f"attempt {number}: seed {attempt.seed}, {len(attempt.tokens)} tokens, {fate}", "dim")))
    spent = f" {report['total']} of {report['limit']} {unit}, {report['mandatory']} of them mandatory;"
    items = f" {len(report['kept'])} items kept, {len(report['dropped'])} dropped"
    out.print(line("\n", ("budget", "bold"), spent, items))
    if report["shortened"]:
        out.print(f"shortened: {', '.join(report['shortened'])}")
    if report["dropped"]:
        table = Table("id", "section", "reason", f"cost ({unit})", box=None, header_style="dim")
        for dropped in report["dropped"]:
            table.add_row(*map(str, dropped))
        out.print(table)
    out.print(line((f"prompt sha256 {audit.prompt_sha256}", "dim")))
