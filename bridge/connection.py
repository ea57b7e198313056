"""One client: what he sends is read, done in its order, and answered.

The reader takes messages and answers what has no effect on memory at once (``ping``, ``cancel``, bad frames); the lane
does the others; the writer sends. All of them, and every talk, are tasks of one group: none outlives the connection.
"""

from __future__ import annotations

import asyncio

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from bridge.lane import Lane, Services, refused
from bridge.messages import CancelFrame, ErrorFrame, PingFrame, PongFrame, ServerFrame
from bridge.outbox import Outbox
from bridge.protocol import ServerProtocol
from npc_memory.mind import Mind

__all__ = ["MOST_PUSHED", "Connection"]

MOST_PUSHED = 4096
"""Frames that may wait for a client before a push is too much: one who reads nothing for so long is cut off."""


class Connection:
    """Serves one websocket until it closes."""

    def __init__(self, socket: ServerConnection, protocol: ServerProtocol, services: Services) -> None:
        self._socket, self._protocol = socket, protocol
        self._outbox = Outbox()
        self._lane = Lane(services, protocol, self._outbox.put)

    @property
    def mind(self) -> Mind | None:
        """Whose game this client plays; None before ``welcome``."""
        return self._lane.mind

    async def run(self) -> None:
        """Serve until the client leaves; return when nothing of his is under way any more.

        What he had sent before he left takes effect; the replies he was waiting for are stored as interrupted.
        """
        async with asyncio.TaskGroup() as group:
            helpers = [group.create_task(self._write()), group.create_task(self._watch())]
            group.create_task(self._lane.run(group))
            try:
                await self._read()
            except ConnectionClosed:
                pass
            finally:
                self.leave()
                self._outbox.close()
                for helper in helpers:
                    helper.cancel()

    def push(self, frame: ServerFrame) -> None:
        """Send a frame that answers nothing."""
        if self._outbox.waiting >= MOST_PUSHED:
            self._socket.transport.abort()
        else:
            self._outbox.put(frame)

    def leave(self) -> None:
        """Make no more replies for this client."""
        self._lane.leave()

    async def _read(self) -> None:
        async for message in self._socket:
            frame = self._protocol.receive(message)
            if type(frame) is PingFrame:
                self._outbox.put(PongFrame(re=frame.id))
            elif type(frame) is ErrorFrame:
                self._outbox.put(frame)
            elif type(frame) is CancelFrame:
                self._lane.cancel(frame)
            else:
                await self._lane.take(frame)
            await self._outbox.room()

    async def _write(self) -> None:
        try:
            await self._outbox.run(self._send)
        except ConnectionClosed:
            return

    async def _send(self, frame: ServerFrame) -> None:
        try:
            message = self._protocol.send(frame)
        except Exception as error:  # an answer the wire cannot carry is a fault of ours; the client is told
            message = self._protocol.send(refused(TypeError(f"{error}"), getattr(frame, "re", None)))
        await self._socket.send(message)

    async def _watch(self) -> None:
        """A client who goes while the reader waits for room is noticed as well."""
        await self._socket.wait_closed()
        self.leave()
