"""A request that makes NPCs speak, from its turn with them to its answer."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from bridge.messages import CancelledFrame, Frame, ServerFrame
from bridge.turns import Turns
from npc_memory.floor import Place
from npc_memory.mind import Cancellation, Mind

__all__ = ["Speech"]


class Speech(ABC):
    """On its way. ``heard`` is set when the (first) snapshot has been taken, ``over`` when all is stored.

    ``npcs``: who speaks, by the ids in the world pack from ``check`` on; ``overhearers``: the NPCs who hear it besides;
    ``player``: whether it is a player who makes them speak.
    """

    player = True

    def __init__(self, frame: Any, npcs: tuple[str, ...], put: Callable[[ServerFrame], None]) -> None:
        self.id: int = frame.id
        self.npcs = self._named = npcs
        self.overhearers: tuple[str, ...] = ()
        self.heard, self.over = asyncio.Event(), asyncio.Event()
        self.epoch: int | None = None
        """When it was asked for: after a load it is not answered any more."""
        self._key: str = getattr(frame, "key", None) or ""
        self._put = put
        self._cancellation = Cancellation()
        self._listening = False
        self._told = False
        self._then: list[ServerFrame] = []

    @abstractmethod
    def check(self, mind: Mind) -> None:
        """Raise the typed error of a request that cannot be served, before it waits for anyone."""

    def holds_up(self, frame: Frame) -> bool:
        """Whether ``frame``, which needs all that was said before it, has to wait until this is stored."""
        return getattr(frame, "npc", None) in (None, *self._named, *self.npcs)

    def cancel(self, then: ServerFrame | None = None) -> None:
        """Break off; ``then`` follows the answer. What has not had its turn yet is answered at once."""
        self._cancellation.cancel()
        if then is not None:
            self._then.append(then)
        if not self._listening or self._told:
            self._answer(self._cancelled())

    def fail(self, frame: ServerFrame) -> None:
        """Answer with an error."""
        self._answer(frame)

    async def run(self, mind: Mind, turns: Turns, workers: Executor) -> None:
        """Wait for the turn, speak in a thread, answer. Raises what the mind raises."""
        loop, owner = asyncio.get_running_loop(), mind.store.owner
        try:
            async with turns.turn(owner, *self.npcs, player=self.player) as place, turns.key(owner, self._key):
                self._listening = True
                answer = await loop.run_in_executor(workers, self._speak, mind, loop, place)
            self._answer(answer)
        finally:
            self.heard.set()
            self.over.set()

    @abstractmethod
    def _speak(self, mind: Mind, loop: asyncio.AbstractEventLoop, place: Place) -> ServerFrame:
        """In a worker's thread: have it said; return the answer."""

    def _on_heard(self, loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
        def on_heard() -> None:
            loop.call_soon_threadsafe(self.heard.set)

        return on_heard

    def _show(self, frame: ServerFrame) -> None:
        """Something of it, before the answer."""
        if not self._told:
            self._put(frame)

    def _cancelled(self) -> CancelledFrame:
        return CancelledFrame(re=self.id, request=self.id)

    def _answer(self, frame: ServerFrame) -> None:
        if not self._told:
            self._told = True
            self._put(frame)
        for one in self._then:
            self._put(one)
        self._then.clear()
