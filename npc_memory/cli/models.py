"""``npc-memory models list|pull|verify``: which models there are, fetch one, check one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Protocol

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from npc_memory.cli.console import err, line, out, reported
from npc_memory.defaults import DEFAULT_MODEL
from npc_memory.inference import find_model, list_models, models_dir, pull_model, verify_model

__all__ = ["app"]

app = typer.Typer(help="The models on this machine.", no_args_is_help=True)


class Advance(Protocol):
    """Hears bytes done and bytes in all."""

    def __call__(self, done: int, total: int, /) -> None: ...


@app.command("list")
def list_() -> None:
    """Show the catalogue and the model files on this machine."""
    with reported():
        table = Table("name", "licence", "MB", "here", "about", header_style="bold")
        for model in list_models():
            entry = model.entry
            size = entry.size if entry else model.path.stat().st_size if model.path else 0
            table.add_row(
                model.name,
                entry.licence if entry else "?",
                f"{size / 1e6:.0f}",
                "yes" if model.path else "no",
                entry.about if entry else "a file of your own",
            )
        out.print(table)
        out.print(line((f"models lie in {models_dir()}", "dim")))


@app.command()
def pull(name: Annotated[str, typer.Argument(help="Name in the catalogue.")] = DEFAULT_MODEL) -> None:
    """Fetch a model of the catalogue and check it; nothing happens if it is here and sound."""
    with reported(), _progress(f"fetching {name}") as advance:
        path = pull_model(name, progress=advance)
    err.print(line(("ready", "green"), f" {path.name}"))


@app.command()
def verify(
    model: Annotated[str, typer.Argument(help="Name in the catalogue, or a .gguf file.")] = DEFAULT_MODEL,
) -> None:
    """Check size, header and sha256 of a model file."""
    with reported(), _progress(f"checking {model}") as advance:
        verified = verify_model(find_model(model), progress=advance)
    known = verified.name or "not in the catalogue, so only its header could be checked"
    out.print(line(("sound", "green"), f" {verified.path.name} ({known})\nsha256 {verified.sha256}"))


@contextmanager
def _progress(what: str) -> Iterator[Advance]:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
