"""Bad weather for the bridge: raw connections that misbehave, and a look at what they left behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bridge.testing import TestBridge, scripted_bridge

__all__ = ["ask", "calm", "greeted", "receive", "send", "talk", "until"]

NAMES = [Subprotocol("npc-memory.v1.msgpack")]


async def until(there: Callable[[], bool]) -> None:
    """Wait for something that will come."""
    while not there():
        await asyncio.sleep(0.005)


@asynccontextmanager
async def calm(script: Any = None, **settings: Any) -> AsyncIterator[TestBridge]:
    """A bridge; behind it no task, no thread and nothing in a queue is left of what happened."""
    tasks, threads = asyncio.all_tasks(), set(threading.enumerate())
    async with scripted_bridge(script, **settings) as bridge:
        yield bridge
        await until(lambda: bridge.server.clients == 0)
        assert (bridge.server._services.turns.waiting, bridge.server._services.turns._lines) == (0, {})
        assert bridge.mind._stage._speaking == {}
    await until(lambda: asyncio.all_tasks() <= tasks)
    assert set(threading.enumerate()) <= threads


@asynccontextmanager
async def greeted(url: str, **more: Any) -> AsyncIterator[ClientConnection]:
    """A raw connection that has been welcomed."""
    async with connect(url, subprotocols=NAMES, compression=None, max_size=None, proxy=None, **more) as socket:
        await send(socket, type="hello", id=0, protocol=1, client="weather")
        assert (await receive(socket))["type"] == "welcome"
        yield socket


async def send(socket: ClientConnection, **frame: Any) -> None:
    """A frame."""
    await socket.send(msgpack.packb(frame))


async def receive(socket: ClientConnection) -> dict[str, Any]:
    """The next frame."""
    frame: dict[str, Any] = msgpack.unpackb(await socket.recv())
    return frame


async def ask(socket: ClientConnection, **frame: Any) -> dict[str, Any]:
    """The answer to a frame."""
    await send(socket, **frame)
    while (answer := await receive(socket)).get("re") != frame["id"] or answer["type"] == "token":
        pass
    return answer


async def talk(socket: ClientConnection, npc: str = "marta", text: str = "Good evening.", **more: Any) -> str:
    """What she says; the joined stream is that."""
    await send(socket, type="talk", id=1, npc=npc, player="p1", text=text, **more)
    words = ""
    while (frame := await receive(socket))["type"] == "token":
        words += frame["text"]
    assert frame["type"] == "reply", frame
    assert words == frame["say"]
    return words
