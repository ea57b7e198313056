"""What waits to be sent, in the order in which it happened.

The order is the game's, not the network's: one request is under way at a time, and the next goes when that one was
answered. So what an NPC knows at her answer depends on what was done before it, and never on how quickly.
"""

from __future__ import annotations

from collections import deque

from roguelike.link.request import KEYED, Request

__all__ = ["LIMIT", "Outbox"]

LIMIT = 4096
"""Requests that may wait. A game that has more to tell stands still until the bridge is back: nothing is dropped."""

MINUTES = 10
"""Game minutes after which the clock is told even though nothing else happened."""


class Outbox:
    """A bounded line. ``session``: what keys begin with; no other run of the game may have it."""

    def __init__(self, session: str) -> None:
        self._session, self._number = session, 0
        self._waiting: deque[Request] = deque()
        self._time = self._told = -1

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def full(self) -> bool:
        """Whether the game should wait before it goes on."""
        return len(self._waiting) >= LIMIT

    @property
    def first(self) -> Request | None:
        """The one under way, or the next to go."""
        return self._waiting[0] if self._waiting else None

    def put(self, request: Request) -> None:
        """To the end of the line, behind the time at which it happened."""
        self._tell_time()
        self._append(request)

    def jump(self, request: Request) -> None:
        """To the head of the line."""
        self._waiting.appendleft(request)

    def clock(self, game_time: int) -> None:
        """It is ``game_time`` (minutes) now. Told with the next thing that happens, or every few minutes."""
        self._time = max(self._time, game_time)
        if self._time >= self._told + MINUTES:
            self._tell_time()

    def pop(self, request: Request) -> None:
        """``request`` has been answered."""
        if self.first is request:
            self._waiting.popleft()

    def take_back(self, request: Request) -> bool:
        """Take ``request`` out of the line, if it has not gone yet."""
        if request.sent or request not in self._waiting:
            return False
        self._waiting.remove(request)
        request.finish(None)
        return True

    def waiting(self, kind: type[Request]) -> list[Request]:
        """All of that ``kind`` in line, the one under way included."""
        return [request for request in self._waiting if isinstance(request, kind)]

    def clear(self, game_time: int = -1) -> None:
        """Drop everything: the past it belongs to is gone. ``game_time``: what the bridge's clock shows now."""
        dropped, self._time = list(self._waiting), game_time
        self._told = game_time
        self._waiting.clear()
        for request in dropped:
            request.finish(None)

    def _tell_time(self) -> None:
        if self._time > self._told:
            self._told = self._time
            self._append(Request("clock", {"game_time": self._time}))

    def _append(self, request: Request) -> None:
        if request.type in KEYED:
            self._number += 1
            request.fields["key"] = f"{self._session}-{self._number}"
        self._waiting.append(request)
