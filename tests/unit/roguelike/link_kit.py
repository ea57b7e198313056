"""A link to a real bridge, and a cable between the two that a test can cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from roguelike.link import Link

__all__ = ["Cable", "linked"]


class Cable:
    """A TCP relay in front of a bridge. ``cut`` breaks every connection; ``answers`` False lets requests through but
    holds back what the bridge says, as when a connection dies right after a request.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._to = (parts.hostname or "127.0.0.1", parts.port or 0)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.answers = True
        self.made = 0
        self.heard = 0

    async def __aenter__(self) -> Cable:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.made += 1
        far_reader, far_writer = await asyncio.open_connection(*self._to)
        self._writers |= {writer, far_writer}
        for coroutine in (self._copy(reader, far_writer, True), self._copy(far_reader, writer, False)):
            task = asyncio.create_task(coroutine)
            self._tasks.add(task)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, there: bool) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                self.heard += there
                if there or self.answers:
                    writer.write(data)
                    await writer.drain()
        with suppress(OSError):
            writer.transport.abort()


@asynccontextmanager
async def linked(url: str, **more: Any) -> AsyncIterator[Link]:
    """A link that runs, connected."""

    async def address() -> str:
        return url

    link = Link(address, **more)
    running = asyncio.create_task(link.run())
    try:
        await asyncio.wait_for(link.here(), 30)
        yield link
    finally:
        await link.close(0)
        await asyncio.wait_for(running, 30)
