"""Raw websockets against a real bridge: what a client that knows only WIRE.md would do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from npc_memory.inference import GenerationRequest

__all__ = ["MSGPACK", "Raw", "gate", "hello", "raw"]

MSGPACK = Subprotocol("npc-memory.v1.msgpack")


class Raw:
    """One connection: maps out, maps in."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seen: list[dict[str, Any]] = []

    async def send(self, **frame: Any) -> None:
        await self.socket.send(msgpack.packb(frame))

    async def next(self) -> dict[str, Any]:
        frame = msgpack.unpackb(await asyncio.wait_for(self.socket.recv(), 30))
        self.seen.append(frame)
        return frame

    async def answer(self, id: int) -> dict[str, Any]:
        """The frame that ends request ``id``; what else comes meanwhile is kept in ``seen``."""
        for frame in self.seen:
            if frame.get("re") == id and frame["type"] != "token":
                return frame
        while True:
            frame = await self.next()
            if frame.get("re") == id and frame["type"] != "token":
                return frame

    def words(self, id: int) -> list[str]:
        return [frame["text"] for frame in self.seen if frame.get("re") == id and frame["type"] == "token"]

    async def ask(self, **frame: Any) -> dict[str, Any]:
        await self.send(**frame)
        return await self.answer(frame["id"])

    async def talk(self, id: int, npc: str, text: str, player: str = "p1", **more: Any) -> dict[str, Any]:
        return await self.ask(type="talk", id=id, npc=npc, player=player, text=text, **more)


async def hello(client: Raw, **more: Any) -> dict[str, Any]:
    return await client.ask(type="hello", id=0, protocol=1, client="test", **more)


@asynccontextmanager
async def raw(url: str, *, greet: bool = True, **more: Any) -> AsyncIterator[Raw]:
    settings = {"subprotocols": [MSGPACK], "compression": None, "max_size": None, "proxy": None, **more}
    async with connect(url, **settings) as socket:
        client = Raw(socket)
        if greet:
            assert (await hello(client))["type"] == "welcome"
        yield client


class gate:
    """A script that holds every reply back until a test lets it go; it counts who has come."""

    def __init__(self, say: str = "Aye, friend.") -> None:
        import threading

        self._open = threading.Event()
        self._say = say
        self.come = 0

    def __call__(self, request: GenerationRequest) -> str:
        self.come += 1
        self._open.wait(30)
        return self._say

    def open(self) -> None:
        self._open.set()

    async def until(self, come: int) -> None:
        while self.come < come:
            await asyncio.sleep(0.005)
