"""``npc-memory serve``: a world for game engines, over a websocket."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from npc_memory.cli.console import err, line, out, reported
from npc_memory.cli.index_bar import IndexBar
from npc_memory.errors import InvalidInput
from npc_memory.inference import CACHE_MB
from npc_memory.mind import Mind
from npc_memory.opening import DEFAULT_MODEL, EngineKind, open_mind

__all__ = ["serve"]


def serve(
    world: Annotated[str, typer.Argument(help="Name or folder of the world pack.")] = "emberfall",
    host: Annotated[str, typer.Option(help="Address; one that is not loopback needs a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes any free one and prints it.")] = 8765,
    data: Annotated[Path, typer.Option(help="Folder of the file that remembers.")] = Path("data"),
    model: Annotated[str, typer.Option(help="Name in the catalogue, or a .gguf file.")] = DEFAULT_MODEL,
    engine: Annotated[EngineKind, typer.Option(help="llama speaks; scripted is a test double.")] = "llama",
    prompt: Annotated[str | None, typer.Option(help="Template file; by default the model family's.")] = None,
    threads: Annotated[int, typer.Option(help="Threads of the model; they change speed, never words.")] = 2,
    slots: Annotated[
        int | None, typer.Option(min=1, help="NPCs that speak at once. [default: up to 8, as memory allows]")
    ] = None,
    cache_mb: Annotated[
        int, typer.Option("--cache-mb", min=0, help="Host memory (MB) for what other NPCs were last asked.")
    ] = CACHE_MB,
    semantic: Annotated[
        bool, typer.Option("--semantic", help="Find memories by meaning too (needs the extra [semantic]).")
    ] = False,
    reindex: Annotated[
        bool, typer.Option("--reindex", help="Make all vectors anew, with the embedding used now; means --semantic.")
    ] = False,
    token: Annotated[
        str, typer.Option(envvar="NPC_MEMORY_TOKEN", help="Launch token that clients send in hello.", show_envvar=True)
    ] = "",
    origin: Annotated[list[str] | None, typer.Option(help="A web origin that may connect; may be repeated.")] = None,
    parent_pid: Annotated[int | None, typer.Option(min=1, help="End when this process ends.")] = None,
    max_frame: Annotated[int, typer.Option(help="Longest frame, in bytes.")] = 1024 * 1024,
    queue: Annotated[int, typer.Option(help="Lines that may wait for one NPC.")] = 64,
) -> None:
    """Serve a world to game engines. Ctrl-C, SIGTERM or the end of --parent-pid ends it; all is remembered."""
    with reported():
        if not 0 <= port <= 65535:
            raise InvalidInput(f"{port} is no port", hint="give one from 0 to 65535")
        if max_frame < 1024 or queue < 1:
            raise InvalidInput("--max-frame must be at least 1024 and --queue at least 1", hint="leave them out")
        from bridge.address import check_address, check_port

        check_address(host, token)
        check_port(host, port)
        logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")
        _many_files()
        mind = open_mind(
            world,
            data,
            engine=engine,
            model=model,
            prompt=prompt,
            n_threads=threads,
            slots=slots,
            cache_mb=cache_mb,
            without_model=True,
            semantic=semantic,
            reindex=reindex,
            progress=lambda text: err.print(
                f"{text}: a first start with a model takes up to a minute while it is probed"
            ),
            indexed=IndexBar(),
        )
        with mind:
            asyncio.run(_serve(mind, host, port, token, origin or [], parent_pid, max_frame, queue))


async def _serve(
    mind: Mind,
    host: str,
    port: int,
    token: str,
    origins: list[str],
    parent_pid: int | None,
    max_frame: int,
    queue: int,
) -> None:
    from bridge.parent import parent_gone
    from bridge.server import Server

    stop = asyncio.Event()
    _when_signalled(stop)  # before the ready line: whoever waits for that may send a signal at once
    async with Server(
        mind, host=host, port=port, token=token, origins=origins, max_frame=max_frame, queue=queue
    ) as server:
        reasons: list[asyncio.Future[object]] = [asyncio.ensure_future(stop.wait())]
        if parent_pid is not None:
            reasons.append(asyncio.ensure_future(parent_gone(parent_pid)))
        _ready(mind, server.url)
        await asyncio.wait(reasons, return_when=asyncio.FIRST_COMPLETED)
        for reason in reasons:
            reason.cancel()
        await asyncio.gather(*reasons, return_exceptions=True)


def _ready(mind: Mind, url: str) -> None:
    """One line a program can wait for, and one for the person who started it."""
    info = mind.engine.info
    out.print(line(("ready", "green"), f" {url} {mind.world.id} {info.model or '-'} {info.determinism.word}"))
    sys.stdout.flush()
    if not info.model:
        reason = getattr(mind.engine, "reason", "")
        err.print(line(("no model", "yellow"), f" every line is an authored one: {reason}"))
    elif info.determinism.word != "bit-exact":
        err.print(line(("prompt-only", "yellow"), f" {info.determinism.reason}"))


def _when_signalled(stop: asyncio.Event) -> None:
    """Set ``stop`` at SIGINT or SIGTERM. A second one while the bridge shuts down changes nothing."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))


def _many_files() -> None:
    """A connection is an open file; take as many as the system lets this process have."""
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
