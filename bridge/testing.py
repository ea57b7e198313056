"""A bridge for other people's tests: the real server, the real store, and an engine that says what a test tells it to.

async with scripted_bridge(["Aye, friend."]) as bridge:
async with connect(bridge.url) as client: ...

with running_bridge(["Aye, friend."]) as bridge:        # for clients in other languages and blocking code
subprocess.run(["my-client", bridge.url])
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.server import Server
from npc_memory.inference import GenerationRequest, ScriptedEngine
from npc_memory.inference.script import ScriptSource
from npc_memory.mind import Mind
from npc_memory.opening import store_path
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world

__all__ = ["TestBridge", "running_bridge", "scripted_bridge"]


@dataclass(frozen=True, slots=True)
class TestBridge:
    """A running bridge: where it listens, and what is behind it."""

    __test__ = False  # pytest: this is no test class

    url: str
    server: Server
    mind: Mind
    engine: ScriptedEngine


@asynccontextmanager
async def scripted_bridge(
    script: ScriptSource = None,
    *,
    world: str | Path = "emberfall",
    data: Path | None = None,
    engine: ScriptedEngine | None = None,
    deadline: float | None = 60.0,
    **settings: Any,
) -> AsyncIterator[TestBridge]:
    """Serve ``world`` in this event loop on a free port. ``script``: see ``ScriptedEngine`` (or give an ``engine``).
    ``data``: folder of the world's file, None to keep nothing. ``settings``: those of ``Server``.
    """
    pack = load_world(world)
    speaker = engine or ScriptedEngine(script, format=_as_line)
    place = ":memory:" if data is None else store_path(data, pack.id)
    store = Store.open(place, world=pack.id, world_version=pack.version)
    with Mind(pack, store, speaker, load_prompt("transcript"), deadline=deadline) as mind:
        async with Server(mind, **{"port": 0, **settings}) as server:
            yield TestBridge(server.url, server, mind, speaker)


@contextmanager
def running_bridge(script: ScriptSource = None, **more: Any) -> Iterator[TestBridge]:
    """The same in a thread and an event loop of its own. ``more``: as for ``scripted_bridge``."""
    started: list[TestBridge | BaseException] = []
    ready, loop = threading.Event(), asyncio.new_event_loop()
    done = asyncio.Event()

    async def serve() -> None:
        try:
            async with scripted_bridge(script, **more) as bridge:
                started.append(bridge)
                ready.set()
                await done.wait()
        except BaseException as error:
            started.append(error)
            raise
        finally:
            ready.set()

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        except BaseException as error:
            if not started or started[0] is not error:
                raise
        finally:
            loop.close()

    thread = threading.Thread(target=run, name="test-bridge")
    thread.start()
    ready.wait()
    first = started[0]
    if isinstance(first, BaseException):
        thread.join()
        raise first
    try:
        yield first
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()


def _as_line(text: str, request: GenerationRequest) -> str:
    """A scripted text in the shape the default template asks for."""
    return f"{text}\n"
