"""Frames on their way to one client: in order, and for a slow reader the waiting words of a reply in one piece."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from bridge.messages import ServerFrame, TokenFrame

__all__ = ["MOST_WAITING", "Outbox"]

MOST_WAITING = 256
"""Frames that may wait for a slow reader before nothing more is read from him."""

Send = Callable[[ServerFrame], Awaitable[None]]


class Outbox:
    """Filled from the event loop, emptied by ``run``. Tokens are joined while they wait, never dropped."""

    def __init__(self) -> None:
        self._frames: deque[ServerFrame] = deque()
        self._words: dict[int, list[str]] = {}
        self._filled = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many frames wait to be sent."""
        return len(self._frames)

    def put(self, frame: ServerFrame) -> None:
        """Queue a frame; one for a client who is gone is forgotten."""
        if self._closed:
            return
        if type(frame) is TokenFrame:
            if (waiting := self._words.get(frame.re)) is not None:
                waiting.append(frame.text)
                return
            self._words[frame.re] = [frame.text]
        self._frames.append(frame)
        self._filled.set()
        if len(self._frames) >= MOST_WAITING:
            self._room.clear()

    async def room(self) -> None:
        """Wait until the client has taken enough of what is waiting for him."""
        if not self._room.is_set():
            await self._room.wait()

    async def run(self, send: Send) -> None:
        """Send what is put in, until cancelled or ``send`` fails."""
        try:
            while True:
                await self._filled.wait()
                while self._frames:
                    await send(self._next())
                self._filled.clear()
        finally:
            self.close()

    def close(self) -> None:
        """Nobody takes these frames any more; whoever waits for room goes on."""
        self._closed = True
        self._frames.clear()
        self._words.clear()
        self._room.set()

    def _next(self) -> ServerFrame:
        frame = self._frames.popleft()
        if len(self._frames) < MOST_WAITING // 2:
            self._room.set()
        if type(frame) is TokenFrame:
            words = self._words.pop(frame.re)
            return frame if len(words) == 1 else TokenFrame(re=frame.re, text="".join(words))
        return frame
