"""``warm``: the prompts of players who walk up, computed ahead one after the other, in nobody's way.

The newest hint goes first: who walked past three people and stopped at the fourth will talk to her.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

from npc_memory.errors import EngineBusy, NpcMemoryError
from npc_memory.mind import Mind

__all__ = ["MOST_HINTS", "Hints"]

MOST_HINTS = 64
"""Hints that may wait; one more is answered ``busy``."""

RETRY_AFTER = 1.0
"""Seconds such a client is told to wait."""

Hint = tuple[str, str, str | None]
"""Owner, NPC, player."""

log = logging.getLogger("npc_memory.bridge")


class Hints:
    """A thread that hands prompts to the engine; how long that takes, nobody waits for."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "bridge-warm")
        self._lock = threading.Lock()
        self._waiting: dict[Hint, Mind] = {}
        """Oldest first."""
        self._running: Hint | None = None

    def take(self, mind: Mind, npc: str, player: str | None) -> None:
        """Take a hint and return at once. The same one again goes first. Raises ``UnknownId``, ``InvalidInput``,
        ``EngineBusy``.
        """
        mind.check_warm(npc, player)
        hint = mind.store.owner, npc, player
        with self._lock:
            if hint == self._running:
                return
            known = hint in self._waiting
            if not known and len(self._waiting) + (self._running is not None) >= MOST_HINTS:
                raise EngineBusy(RETRY_AFTER, whose="warm-ups")
            self._waiting.pop(hint, None)
            self._waiting[hint] = mind
        if not known:
            self._thread.submit(self._next)

    def close(self) -> None:
        """Forget what waits; return when the thread has ended."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _next(self) -> None:
        with self._lock:
            self._running, mind = self._waiting.popitem()
            _, npc, player = self._running
        try:
            mind.warm(npc, player)
        except NpcMemoryError as error:
            log.info("no warm-up for %s: %s", npc, error.message)
        except Exception as error:
            log.error("a fault while warming up", exc_info=error)
        finally:
            with self._lock:
                self._running = None
