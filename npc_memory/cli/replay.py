"""``npc-memory replay``: are the prompts of a recorded game built the same today?"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from npc_memory.cli.console import err, line, out, show_error
from npc_memory.errors import ModelMissing, NpcMemoryError
from npc_memory.inference import Engine, SilentEngine
from npc_memory.memory import AuditRecord
from npc_memory.opening import DEFAULT_MODEL, EngineKind, open_engine
from npc_memory.replaying import Replay, Replayed, audit_from, recorded

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
        records = recorded(file, owner=owner, npc=npc, player=player, limit=limit)
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
        out.print(f"      {found.generated} of them spoken again, token for token")
    if found.silent:
        out.print(f"      {found.silent} replies had no prompt: there was no engine to count it with")


def _engine(records: tuple[AuditRecord, ...], kind: EngineKind | None, model: str) -> Engine:
    """The engine the recording asks for: its kind, and none at all when no budget was in tokens."""
    counted = [audit for audit in map(audit_from, records) if audit.prompt and audit.policy["unit"] == "tokens"]
    if not counted:
        return SilentEngine(ModelMissing("nothing recorded needs a model"))
    chosen: EngineKind = kind or ("scripted" if counted[0].model["name"] == "scripted" else "llama")
    return open_engine(chosen, model, n_ctx=counted[0].model["n_ctx"], progress=lambda text: err.print(text))


def _progress(total: int) -> Callable[[int], None]:
    def told(done: int) -> None:
        if done % 500 == 0:
            err.print(f"{done} of {total} replies")

    return told
