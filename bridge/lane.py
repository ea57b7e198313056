"""What one client asked for, done in the order in which he asked.

A ``talk``, a ``retry`` or a ``converse`` is a task of its own, so that several NPCs can speak at once. What comes
behind it waits until her snapshot has been taken; ``end``, ``explain``, ``forget``, ``recall`` and ``save`` wait until
all is stored; ``load`` waits for none and ends what is under way. Another ``talk`` waits for neither, unless one of the
two NPCs overhears the other: what was said before she has heard, what comes behind she has not. ``warm`` is a hint,
and nobody waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from bridge.conversing import Converse
from bridge.dispatch import serve, welcome
from bridge.hints import Hints
from bridge.messages import (
    CancelFrame,
    CancelledFrame,
    ConverseFrame,
    DeleteFrame,
    EditFrame,
    EndFrame,
    ErrorFrame,
    ExplainFrame,
    ForgetFrame,
    HelloFrame,
    LoadFrame,
    OkFrame,
    RecallFrame,
    RetryFrame,
    SaveFrame,
    ServerFrame,
    TalkFrame,
    WarmFrame,
)
from bridge.protocol import ServerProtocol, error_frame
from bridge.speech import Speech
from bridge.talks import Talk
from bridge.turns import Turns
from npc_memory.errors import DuplicateId, HelloFirst, Internal, NpcMemoryError, UnknownId
from npc_memory.mind import Mind

__all__ = ["MOST_IN_LANE", "MOST_TALKS", "Lane", "Services", "refused"]

MOST_IN_LANE = 1024
"""Frames of one client that may wait for their order; then nothing more is read from him."""

MOST_TALKS = 256
"""Talks of one client under way or waiting for their NPC; then his next frames wait."""

REMEMBERED = 1024
"""Talks already answered whose ids are still known to ``cancel``."""

log = logging.getLogger("npc_memory.bridge")


@dataclass(frozen=True, slots=True)
class Services:
    """What all connections share. ``clerk``: the thread for all that is not talk; ``workers``: those for talk."""

    mind: Mind
    turns: Turns
    hints: Hints
    clerk: Executor
    workers: Executor


class Lane:
    """Filled by ``take``, emptied by ``run``. ``put`` sends an answer. After ``leave`` what was taken is still done but
    no reply is made any more: every talk is stored as interrupted. Then ``run`` returns.
    """

    def __init__(self, services: Services, protocol: ServerProtocol, put: Callable[[ServerFrame], None]) -> None:
        self._services, self._protocol, self._put = services, protocol, put
        self.mind: Mind | None = None
        """Whose game this client plays; None before ``welcome``."""
        self._waiting: deque[Any] = deque()
        self._filled, self._room = asyncio.Event(), asyncio.Event()
        self._left = False
        self._known: dict[int, Speech] = {}
        self._under_way: dict[int, Speech] = {}
        self._answered: deque[int] = deque(maxlen=REMEMBERED)
        self._slots = asyncio.Semaphore(MOST_TALKS)

    async def take(self, frame: Any) -> None:
        """Put a frame in line; waits while too many are waiting."""
        if isinstance(frame, TalkFrame | RetryFrame | ConverseFrame):
            if frame.id in self._known:
                self._put(error_frame(DuplicateId("requests under way", str(frame.id)), frame.id))
                return
            frame = Converse(frame, self._put) if isinstance(frame, ConverseFrame) else Talk(frame, self._put)
            self._known[frame.id] = frame
            if self._left:
                frame.cancel()
        while len(self._waiting) >= MOST_IN_LANE and not self._left:
            self._room.clear()
            await self._room.wait()
        self._waiting.append(frame)
        self._filled.set()

    def cancel(self, frame: CancelFrame) -> None:
        """Stop a talk or a conversation, wherever it is on its way; acts at once."""
        answer = CancelledFrame(re=frame.id, request=frame.request)
        if (talk := self._known.get(frame.request)) is not None:
            talk.cancel(then=answer)
        elif frame.request in self._answered:
            self._put(answer)
        else:
            self._put(error_frame(UnknownId("request", str(frame.request)), frame.id))

    def leave(self) -> None:
        """The client is gone, or the bridge closes."""
        self._left = True
        for talk in list(self._known.values()):
            talk.cancel()
        self._filled.set()
        self._room.set()

    async def run(self, group: asyncio.TaskGroup) -> None:
        """Do what is in line, talks as tasks of ``group``, until ``leave``."""
        while True:
            await self._filled.wait()
            while self._waiting:
                frame = self._waiting.popleft()
                self._room.set()
                await self._next(frame, group)
            if self._left:
                return
            self._filled.clear()

    async def _next(self, frame: Any, group: asyncio.TaskGroup) -> None:
        if type(frame) is HelloFrame:
            await self._greet(frame)
        elif isinstance(frame, Speech):
            await self._start(frame, group)
        elif type(frame) is WarmFrame:
            self._warm(frame)
        else:
            await self._answer(frame)

    async def _greet(self, frame: HelloFrame) -> None:
        try:
            self.mind, answer = await self._in_thread(welcome, frame, self._services.mind)
        except Exception as error:
            self._protocol.greeted = False
            self._put(refused(error, frame.id))
        else:
            self._put(answer)

    async def _answer(self, frame: Any) -> None:
        stored = type(frame) in (DeleteFrame, EditFrame, EndFrame, ExplainFrame, ForgetFrame, RecallFrame, SaveFrame)
        for talk in list(self._under_way.values()):
            if type(frame) is LoadFrame:
                break
            await (talk.over if stored and talk.holds_up(frame) else talk.heard).wait()
        try:
            self._put(await self._in_thread(serve, frame, self._welcomed()))
        except Exception as error:
            self._put(refused(error, frame.id))

    def _warm(self, frame: WarmFrame) -> None:
        try:
            self._services.hints.take(self._welcomed(), frame.npc, frame.player)
        except NpcMemoryError as error:
            self._put(error_frame(error, frame.id))
        else:
            self._put(OkFrame(re=frame.id))

    async def _start(self, talk: Speech, group: asyncio.TaskGroup) -> None:
        try:
            mind = self._welcomed()
            talk.epoch = mind.store.epoch
            await self._in_thread(talk.check, mind)
        except Exception as error:
            talk.fail(refused(error, talk.id))
            self._over(talk)
            return
        for earlier in list(self._under_way.values()):
            if any(npc in earlier.overhearers for npc in talk.npcs):
                await earlier.over.wait()
            elif any(npc in talk.overhearers for npc in earlier.npcs):
                await earlier.heard.wait()
        await self._slots.acquire()
        self._under_way[talk.id] = talk
        group.create_task(self._talk(talk, mind))

    async def _talk(self, talk: Speech, mind: Mind) -> None:
        try:
            await talk.run(mind, self._services.turns, self._services.workers)
        except Exception as error:
            talk.fail(refused(error, talk.id))
        finally:
            self._slots.release()
            del self._under_way[talk.id]
            self._over(talk)

    def _over(self, talk: Speech) -> None:
        del self._known[talk.id]
        self._answered.append(talk.id)

    def _welcomed(self) -> Mind:
        if self.mind is None:
            raise HelloFirst("there was no welcome", hint="send a good hello and wait for its answer")
        return self.mind

    async def _in_thread(self, call: Any, *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._services.clerk, call, *args)


def refused(error: Exception, re: int | None) -> ErrorFrame:
    """The frame that tells a client of ``error``. What is no typed one is a fault of ours: it goes to the log."""
    if isinstance(error, NpcMemoryError):
        return error_frame(error, re)
    log.error("a fault while serving a request", exc_info=error)
    return error_frame(Internal("a fault in the bridge", hint="send it again; the bridge's log names it"), re)
