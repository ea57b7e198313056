"""``npc-memory bench …``: the benchmarks of the checkout, scripts in ``benchmarks/`` with a ``main(arguments)``."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from npc_memory.cli.console import reported
from npc_memory.errors import InvalidInput

__all__ = ["app", "run_script"]

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"

app = typer.Typer(help="Measure: rates and ratios of one run.", no_args_is_help=True)


def run_script(name: str, arguments: Sequence[str]) -> None:
    """Run ``benchmarks/<name>.py`` with ``arguments``. Raises ``InvalidInput`` where there is no checkout."""
    path = FOLDER / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise InvalidInput(
            f"there is no benchmark {name!r} here: an installed package comes without them",
            hint="run it in a checkout of the repository",
        )
    if str(FOLDER.parent) not in sys.path:  # a benchmark may be made of several files
        sys.path.insert(0, str(FOLDER.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    module.main(list(arguments))


@app.command("guard")
def guard(
    as_json: Annotated[bool, typer.Option("--json", help="The counts as one JSON object.")] = False,
    show: Annotated[bool, typer.Option("--show", help="List the mistakes of the development half.")] = False,
) -> None:
    """Both error rates of the canon guard on its labelled lines: harmless stopped, contradictions caught."""
    with reported():
        run_script("guard", ["--json"] * as_json + ["--show"] * show)


@app.command("saves")
def saves(
    records: Annotated[int, typer.Option(min=1000, help="Records of the past.")] = 100_000,
    loads: Annotated[int, typer.Option(min=1, help="Quick-loads that are played on.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="The numbers as one JSON object.")] = False,
) -> None:
    """A save, a load with the first snapshot after it, and snapshots before and after many quick-loads."""
    with reported():
        run_script("saves", ["--records", str(records), "--loads", str(loads), *["--json"] * as_json])


@app.command("bridge")
def bridge(
    as_json: Annotated[bool, typer.Option("--json", help="The numbers as one JSON object.")] = False,
    turns: Annotated[int, typer.Option(min=10, help="Turns of the crowd; its memory is printed every tenth.")] = 2000,
) -> None:
    """Frames per second beside a bare echo, and a crowd of 1,000 connections: turns per second, memory."""
    with reported():
        run_script("bridge", ["--turns", str(turns), *["--json"] * as_json])


@app.command("inference")
def inference(
    as_json: Annotated[bool, typer.Option("--json", help="The numbers as one JSON object.")] = False,
    long: Annotated[bool, typer.Option("--long", help="All turns with everybody, more rounds.")] = False,
    plot: Annotated[str, typer.Option(help="Draw the result into this PNG (needs the extra [bench]).")] = "",
    server_python: Annotated[
        str, typer.Option(help="Interpreter that has llama-cpp-python[server], to measure that server too.")
    ] = "",
    model: Annotated[str, typer.Option(help="Name or file of the model; default: the catalogue's first.")] = "",
    threads: Annotated[int, typer.Option(min=1, help="Threads of everybody.")] = 2,
    seconds: Annotated[int, typer.Option(min=30, help="About how long it may take; --long knows no limit.")] = 270,
) -> None:
    """First words, tokens per second and memory, beside the bare library and llama-cpp-python's own caches."""
    given = {"--plot": plot, "--server-python": server_python, "--model": model}
    options = [part for name, value in given.items() if value for part in (name, value)]
    numbers = ["--threads", str(threads), "--seconds", str(seconds)]
    with reported():
        run_script("inference", [*options, *numbers, *["--json"] * as_json, *["--long"] * long])


@app.command("recall")
def recall(
    locomo: Annotated[
        Path | None, typer.Option(help="LoCoMo's locomo10.json, which cannot be shipped.", exists=True, dir_okay=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The numbers as one JSON object.")] = False,
) -> None:
    """How well recall finds what is asked for, beside plain ways to choose memories, and what it costs as it grows."""
    with reported():
        run_script("recall", [*(("--locomo", str(locomo.resolve())) if locomo else ()), *["--json"] * as_json])
