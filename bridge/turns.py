"""Whose turn it is: each NPC answers one line at a time, first come, first served, over all connections.

So does each idempotency key, whoever is asked with it: the second request finds what the first was answered. A key is
taken within a turn, never a turn within a key, so nobody waits in a circle.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from npc_memory.errors import EngineBusy

__all__ = ["Turns"]

RETRY_PER_TALK = 0.5
"""Seconds a client is told to wait for each line before his; a hint, not a promise."""


@dataclass(slots=True)
class _Queue:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class Turns:
    """``per_npc``: the most lines that wait for one NPC (the one she answers included); ``total``: for all of them."""

    def __init__(self, per_npc: int, total: int) -> None:
        self._per_npc, self._total = per_npc, total
        self._queues: dict[tuple[str, str], _Queue] = {}
        self._keys: dict[tuple[str, str], _Queue] = {}
        self._waiting = 0

    @asynccontextmanager
    async def turn(self, owner: str, npc: str) -> AsyncIterator[None]:
        """Wait for the turn with ``npc`` of ``owner``'s game. Raises ``EngineBusy`` when too many wait already."""
        queue = self._queues.setdefault((owner, npc), _Queue())
        if queue.waiting >= self._per_npc:
            raise EngineBusy(round(RETRY_PER_TALK * queue.waiting, 1), whose=repr(npc))
        if self._waiting >= self._total:
            raise EngineBusy(round(RETRY_PER_TALK * self._waiting, 1), whose="the bridge")
        queue.waiting += 1
        self._waiting += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.waiting -= 1
            self._waiting -= 1
            if not queue.waiting:
                del self._queues[owner, npc]

    @asynccontextmanager
    async def key(self, owner: str, key: str) -> AsyncIterator[None]:
        """Wait until no other request with ``key`` is under way in ``owner``'s game; "" is no key."""
        if not key:
            yield
            return
        queue = self._keys.setdefault((owner, key), _Queue())
        queue.waiting += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                del self._keys[owner, key]
