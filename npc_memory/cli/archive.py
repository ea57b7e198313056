"""``npc-memory export`` and ``npc-memory import``: one readable file of a world, an NPC or a player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from npc_memory.archiving import import_archive
from npc_memory.cli.console import err, line, out, reported
from npc_memory.errors import EngineError, ModelError, UnknownId
from npc_memory.hearing import policy_for
from npc_memory.inference import TokenCounter
from npc_memory.memory import Authority
from npc_memory.opening import CHARACTERS_PER_TOKEN, DEFAULT_MODEL, EngineKind, open_engine, prompt_for, store_path
from npc_memory.prompt import PromptTemplate
from npc_memory.prompt_files import load_prompt, template_for
from npc_memory.store import Store
from npc_memory.working_memory import BudgetPolicy, WorkingMemoryBuilder
from npc_memory.world import World, load_world

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
    model: Annotated[str, typer.Option(help="Whose window the world's state must fit into.")] = DEFAULT_MODEL,
    engine: Annotated[EngineKind, typer.Option(help="scripted counts roughly, without a model.")] = "llama",
    n_ctx: Annotated[int, typer.Option(help="The model's window in tokens.")] = 2048,
) -> None:
    """Read an archive into the world's file: all of it or nothing. A second time changes nothing."""
    with reported():
        pack = load_world(world)
        path = store_path(data, pack.id)
        with (
            Store.open(path, world=pack.id, world_version=pack.version, owner=owner) as store,
            _builder(pack, model, engine, n_ctx) as builder,
        ):
            err.print(f"reading {file}")
            done = import_archive(pack, store, builder, file, rank=Authority[rank.upper()])
        _show("imported", done.added)
        if done.known:
            out.print(f"{done.known:>9}  lines were there already")


@contextmanager
def _builder(pack: World, model: str, engine: EngineKind, n_ctx: int) -> Iterator[WorkingMemoryBuilder]:
    """What tells whether all that an NPC must be told fits."""
    try:
        file, counting = prompt_for(model, engine), open_engine(engine, model, n_ctx=n_ctx)
    except (ModelError, EngineError) as error:
        err.print(line(("measured without a model, in characters", "yellow"), f" {error}"))
        file, limit = load_prompt("transcript"), n_ctx * CHARACTERS_PER_TOKEN
        policy = BudgetPolicy(limit=limit, unit="characters")
        yield WorkingMemoryBuilder(policy, template=PromptTemplate(file.wording))
        return
    try:
        yield WorkingMemoryBuilder(
            policy_for(pack, file, n_ctx), TokenCounter(counting), template_for(file, counting.info)
        )
    finally:
        counting.close()


def _show(what: str, counts: dict[str, int]) -> None:
    out.print(line((what, "bold"), "" if counts else "  nothing new"))
    for kind, count in counts.items():
        out.print(f"{count:>9}  {kind}")
