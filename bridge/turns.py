"""Whose turn it is: each NPC answers one line at a time, first come, first served, over all connections; NPCs who talk
with each other begin when nobody waits for either.

So does each idempotency key, whoever is asked with it: the second request finds what the first was answered. A key is
taken within a turn, never a turn within a key, so nobody waits in a circle.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from npc_memory.errors import EngineBusy
from npc_memory.floor import Floor, Place

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
        self._floor = Floor()
        self._begun: dict[Place, asyncio.Event] = {}
        self._lines: Counter[tuple[str, str]] = Counter()
        self._keys: dict[tuple[str, str], _Queue] = {}

    @property
    def waiting(self) -> int:
        """How many wait or have their turn."""
        return len(self._begun)

    @asynccontextmanager
    async def turn(self, owner: str, *npcs: str, player: bool = True) -> AsyncIterator[Place]:
        """Wait for the turn with ``npcs`` of ``owner``'s game. ``player``: somebody talks to them; else they talk with
        each other. Raises ``EngineBusy`` when too many wait already.
        """
        for npc in npcs:
            if self._lines[owner, npc] >= self._per_npc:
                raise EngineBusy(round(RETRY_PER_TALK * self._lines[owner, npc], 1), whose=repr(npc))
        if self.waiting >= self._total:
            raise EngineBusy(round(RETRY_PER_TALK * self.waiting, 1), whose="the bridge")
        named = [(owner, npc) for npc in npcs]
        place = self._floor.ask(named, player=player)
        begun = self._begun[place] = asyncio.Event()
        self._lines.update(named)
        try:
            if not self._floor.begin(place):
                await begun.wait()
            yield place
        finally:
            self._floor.leave(place)
            del self._begun[place]
            self._lines.subtract(named)
            self._lines = +self._lines
            for next in self._floor.next():
                self._begun[next].set()

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
