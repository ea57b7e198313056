"""``npc-memory lint WORLD``: everything wrong with a pack, and what each NPC's mandatory text costs at worst."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from npc_memory.cli.console import err, line, out, reported
from npc_memory.errors import EngineError, ModelError, Problem
from npc_memory.hearing import policy_for
from npc_memory.inference import TokenCounter
from npc_memory.opening import DEFAULT_MODEL, EngineKind, open_engine, prompt_for
from npc_memory.prompt import PromptTemplate
from npc_memory.prompt_files import template_for
from npc_memory.working_memory import BudgetPolicy, WorkingMemoryBuilder
from npc_memory.world import BudgetRow, World, check_world, load_world, mandatory_budgets

__all__ = ["lint"]


def lint(
    world: Annotated[str, typer.Argument(help="Name or folder of the world pack.")] = "emberfall",
    model: Annotated[str, typer.Option(help="Whose tokens are counted.")] = DEFAULT_MODEL,
    engine: Annotated[EngineKind, typer.Option(help="scripted counts roughly, without a model.")] = "llama",
    n_ctx: Annotated[int, typer.Option(help="The model's window in tokens.")] = 2048,
    characters: Annotated[int | None, typer.Option(help="Measure against a limit in characters instead.")] = None,
) -> None:
    """Check a world pack: references, duplicate ids, contradictions, budgets. Exits with 1 if an error was found."""
    with reported():
        problems = check_world(world)
        for problem in problems:
            _print(problem)
        if any(problem.severity == "error" for problem in problems):
            raise typer.Exit(1)
        pack = load_world(world)
        rows, unit, floor = _budgets(pack, model, engine, n_ctx, characters)
        out.print(_table(rows, unit))
        tight = [row for row in rows if row.limit - row.mandatory < floor]
        for row in tight:
            room = f"{row.mandatory} of {row.limit} {unit} leave no room for a line"
            out.print(line(("error", "red"), f" {row.npc}: {room}"))
        warnings = sum(1 for problem in problems if problem.severity != "error")
        out.print(f"{pack.name}: {len(pack.npcs)} NPCs, {len(pack.canon)} facts, {warnings} warnings")
        if tight:
            raise typer.Exit(1)


def _budgets(
    pack: World, model: str, engine: EngineKind, n_ctx: int, characters: int | None
) -> tuple[tuple[BudgetRow, ...], str, int]:
    file = prompt_for(model, engine if characters is None else "scripted")
    if characters is not None:
        policy = BudgetPolicy(limit=characters)
        builder = WorkingMemoryBuilder(policy, template=PromptTemplate(file.wording))
        return _measured(pack, builder), policy.unit, policy.floor
    try:
        with err.status("counting tokens"), open_engine(engine, model, n_ctx=n_ctx) as counting:
            policy = policy_for(pack, file, n_ctx)
            builder = WorkingMemoryBuilder(policy, TokenCounter(counting), template_for(file, counting.info))
            return _measured(pack, builder), policy.unit, policy.floor
    except (ModelError, EngineError) as error:
        err.print(line(("no model to count with", "yellow"), f" {error}"))
        err.print("use --characters LIMIT to measure without one")
        raise


def _measured(pack: World, builder: WorkingMemoryBuilder) -> tuple[BudgetRow, ...]:
    return mandatory_budgets(
        pack, {}, lambda snapshot: sum(builder.mandatory(snapshot).values()), limit=builder.policy.limit
    )


def _table(rows: tuple[BudgetRow, ...], unit: str) -> Table:
    table = Table("NPC", "name", header_style="bold", title=f"mandatory {unit} at worst")
    for heading in ("facts", "state", unit, "limit", "share"):
        table.add_column(heading, justify="right")
    for row in rows:
        colour = "green" if row.share < 0.5 else "yellow" if row.share < 0.8 else "red"
        numbers = (row.facts, row.state_entries, row.mandatory, row.limit)
        table.add_row(row.npc, row.name, *map(str, numbers), Text(f"{row.share:.0%}", colour))
    return table


def _print(problem: Problem) -> None:
    colour = "red" if problem.severity == "error" else "yellow"
    where = f"{problem.file}:{problem.line}" if problem.line else problem.file
    out.print(line((problem.severity, colour), f" {where}: {problem.message}"))
    out.print(line("      ", (problem.cure, "dim")))
