"""``npc-memory replay``: are the prompts of a recorded game built the same today?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from npc_memory.audit import Audit
from npc_memory.cli.console import err, line, out, show_error
from npc_memory.errors import NpcMemoryError, RecordErased, UnknownId
from npc_memory.inference import Engine
from npc_memory.memory import AuditRecord
from npc_memory.opening import DEFAULT_MODEL, EngineKind, open_engine
from npc_memory.recordings import Recording, open_recording
from npc_memory.replaying import Replay, Replayed, audit_from, needs_model

__all__ = ["replay"]

DIVERGED = 3
EXIT_CODES = {"recording_too_new": 4, "recording_model": 5}
"""Exit codes, beside 0 (all the same), 1 (any other typed error) and 2 (wrong usage)."""


def replay(
    file: Annotated[Path, typer.Argument(help="The file that remembers a world, e.g. data/emberfall.sqlite3.")],
    npc: Annotated[str | None, typer.Option(help="Only replies of this NPC.")] = None,
    player: Annotated[str | None, typer.Option(help="Only replies to this player.")] = None,
    owner: Annotated[str, typer.Option(help="Whose game, if the file holds several.")] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many replies, the newest.")] = None,
    model: Annotated[str, typer.Option(help="Name in the catalogue, or a .gguf file.")] = DEFAULT_MODEL,
    engine: Annotated[EngineKind | None, typer.Option(help="By default the kind that was recorded.")] = None,
    tokens: Annotated[bool, typer.Option("--tokens", help="Let the model speak again and compare its tokens.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """Build every recorded prompt again and compare bytes.

    Exit code: 0 all the same, 3 diverged, 4 recorded by a newer version, 5 recorded with another model.
    """
    try:
        with open_recording(file, owner=owner, npc=npc, player=player, limit=limit) as records:
            if not records.ids:
                raise UnknownId("reply", f"of {npc or 'anyone'} to {player or 'anyone'}")
            with _engine(records, engine, model) as speaker:
                found = Replay(speaker, tokens=tokens).run(records, _progress(len(records)))
    except NpcMemoryError as error:
        show_error(error)
        raise typer.Exit(EXIT_CODES.get(error.code, 1)) from error
    if as_json:
        print(json.dumps(asdict(found), ensure_ascii=False))
    else:
        show(found)
    if found.divergence is not None:
        raise typer.Exit(DIVERGED)


def show(found: Replayed) -> None:
    """Print what a replay found, for a person."""
    diverged = found.divergence
    if diverged is None:
        out.print(line(("same", "green"), f"  {found.prompts} prompts of {found.replies} replies, byte for byte"))
    else:
        where = f"  {diverged.record}, {diverged.npc}, attempt {diverged.attempt}: "
        before = f"  ({found.replies} replies before it are the same)"
        out.print(line(("diverged", "red"), where, (diverged.what, "bold"), before))
        for one in diverged.diff():
            out.print(line((one, {"-": "red", "+": "green"}.get(one[:1], "dim"))))
    if found.generated:
        out.print(f"      {found.generated} of them spoken again{', token for token' if diverged is None else ''}")
    if found.unspoken:
        out.print(f"      {found.unspoken} not spoken again: another build, or not bit-exact (docs/determinism.md)")
    if found.erased:
        out.print(f"      {found.erased} replies were erased: there is nothing left to compare")
    if found.silent:
        out.print(f"      {found.silent} replies had no prompt: there was no engine to count it with")


@contextmanager
def _engine(records: Recording, kind: EngineKind | None, model: str) -> Iterator[Engine | None]:
    """The engine that the first reply with a model asks for; None when there is no such reply."""
    first = next((audit for audit in map(_audit, records) if audit is not None and needs_model(audit)), None)
    if first is None:
        yield None
        return
    chosen: EngineKind = kind or ("scripted" if first.model["name"] == "scripted" else "llama")
    with open_engine(chosen, model, n_ctx=first.model["n_ctx"], progress=lambda text: err.print(text)) as engine:
        yield engine


def _audit(record: AuditRecord) -> Audit | None:
    try:
        return audit_from(record)
    except RecordErased:
        return None


def _progress(total: int) -> Callable[[int], None]:
    def told(done: int) -> None:
        if done % 500 == 0:
            err.print(f"{done} of {total} replies")

    return told
