"""One client: what he sends is read, put in order, done, and answered.

Three tasks: the reader takes messages and answers what has no effect at once (``ping``, ``cancel``, bad frames); the
lane does the others in their order; the writer sends. A ``talk`` is a task of its own, so that several NPCs can speak
at once on one connection; what comes behind it waits until her snapshot has been taken, and ``end`` and ``explain``
until all is stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from concurrent.futures import Executor
from typing import Any, TypeVar

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from bridge.dispatch import serve, welcome
from bridge.messages import (
    CancelFrame,
    CancelledFrame,
    EndFrame,
    ErrorFrame,
    ExplainFrame,
    HelloFrame,
    PingFrame,
    PongFrame,
    ServerFrame,
    TalkFrame,
)
from bridge.outbox import Outbox
from bridge.protocol import ServerProtocol, error_frame
from bridge.talks import Talk
from bridge.turns import Turns
from npc_memory.errors import DuplicateId, HelloFirst, Internal, NpcMemoryError, UnknownId
from npc_memory.mind import Mind

__all__ = ["Connection"]

MOST_IN_LANE = 1024
"""Frames of one client that may wait for their order; then nothing more is read from him."""

MOST_TALKS = 256
"""Talks of one client under way or waiting; then his next frames wait."""

REMEMBERED = 1024
"""Talks already answered whose ids are still known to ``cancel``."""

log = logging.getLogger("npc_memory.bridge")

T = TypeVar("T")


class Connection:
    """Serves one websocket until it closes. ``clerk``: the thread for all that is not talk; ``workers``: for talk."""

    def __init__(
        self,
        socket: ServerConnection,
        protocol: ServerProtocol,
        mind: Mind,
        turns: Turns,
        clerk: Executor,
        workers: Executor,
    ) -> None:
        self._socket, self._protocol, self._root = socket, protocol, mind
        self._turns, self._clerk, self._workers = turns, clerk, workers
        self.mind: Mind | None = None
        """Whose game this client plays; None before ``welcome``."""
        self._outbox = Outbox()
        self._lane: asyncio.Queue[Any] = asyncio.Queue(MOST_IN_LANE)
        self._talks: dict[int, Talk] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(MOST_TALKS)
        self._answered: deque[int] = deque(maxlen=REMEMBERED)

    async def run(self) -> None:
        """Serve until the client leaves; return when nothing of his is under way any more."""
        helpers = [asyncio.ensure_future(self._write()), asyncio.ensure_future(self._work())]
        try:
            await self._read()
        except ConnectionClosed:
            pass
        finally:
            self._outbox.close()
            self.cancel_talks()
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)
            # What the client had asked for is still stored, as interrupted.
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def push(self, frame: ServerFrame) -> None:
        """Send a frame that answers nothing."""
        self._outbox.put(frame)

    def cancel_talks(self) -> None:
        """Stop every reply to this client."""
        for talk in list(self._talks.values()):
            talk.cancel()

    # -- reading and writing -----------------------------------------------------------------------------------------

    async def _read(self) -> None:
        async for message in self._socket:
            frame = self._protocol.receive(message)
            if type(frame) is PingFrame:
                self._outbox.put(PongFrame(re=frame.id))
            elif type(frame) is ErrorFrame:
                self._outbox.put(frame)
            elif type(frame) is CancelFrame:
                self._cancel(frame)
            else:
                await self._lane.put(frame)
            await self._outbox.room()

    async def _write(self) -> None:
        async def send(frame: ServerFrame) -> None:
            await self._socket.send(self._protocol.send(frame))

        try:
            await self._outbox.run(send)
        except ConnectionClosed:
            return

    def _cancel(self, frame: CancelFrame) -> None:
        talk = self._talks.get(frame.request)
        answer = CancelledFrame(re=frame.id, request=frame.request)
        if talk is not None:
            talk.cancel(then=answer)
        elif frame.request in self._answered:
            self._outbox.put(answer)
        else:
            self._outbox.put(error_frame(UnknownId("request", str(frame.request)), frame.id))

    # -- in order ----------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        while True:
            frame = await self._lane.get()
            if type(frame) is HelloFrame:
                await self._greet(frame)
            elif self.mind is None:
                self._outbox.put(error_frame(HelloFirst("there was no welcome", hint="send a good hello"), frame.id))
            elif type(frame) is TalkFrame:
                await self._start(frame, self.mind)
            else:
                await self._before(frame)
                await self._answer(frame, self.mind)

    async def _greet(self, frame: HelloFrame) -> None:
        try:
            self.mind, answer = await self._in_thread(welcome, frame, self._root)
        except Exception as error:
            self._protocol.greeted = False
            self._outbox.put(self._refused(error, frame.id))
        else:
            self._outbox.put(answer)

    async def _before(self, frame: Any) -> None:
        """Wait for the talks before ``frame``, as far as it needs them."""
        for talk in list(self._talks.values()):
            stored = type(frame) is EndFrame or type(frame) is ExplainFrame
            if stored and getattr(frame, "npc", None) in (None, talk.frame.npc):
                await talk.over.wait()
            else:
                await talk.heard.wait()

    async def _answer(self, frame: Any, mind: Mind) -> None:
        try:
            answer = await self._in_thread(serve, frame, mind)
        except Exception as error:
            self._outbox.put(self._refused(error, frame.id))
        else:
            self._outbox.put(answer)

    async def _start(self, frame: TalkFrame, mind: Mind) -> None:
        try:
            mind.world.npc(frame.npc)
            if frame.id in self._talks:
                raise DuplicateId("requests under way", str(frame.id))
        except NpcMemoryError as error:
            self._outbox.put(error_frame(error, frame.id))
            return
        await self._slots.acquire()
        talk = self._talks[frame.id] = Talk(frame, mind, self._outbox.put)
        task = asyncio.ensure_future(self._talk(talk))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _talk(self, talk: Talk) -> None:
        id = talk.frame.id
        try:
            await talk.run(self._turns, self._workers)
        except Exception as error:
            talk.fail(self._refused(error, id))
        finally:
            self._slots.release()
            del self._talks[id]
            self._answered.append(id)

    async def _in_thread(self, call: Any, *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, call, *args)

    def _refused(self, error: Exception, id: int) -> ErrorFrame:
        if isinstance(error, NpcMemoryError):
            return error_frame(error, id)
        log.error("a fault while serving a request", exc_info=error)
        return error_frame(Internal("a fault in the bridge", hint="send it again; the bridge's log names it"), id)
