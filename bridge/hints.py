"""``warm``: the prompts of players who walk up, computed ahead one after the other, in nobody's way."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from npc_memory.errors import EngineBusy, NpcMemoryError
from npc_memory.mind import Mind

__all__ = ["MOST_HINTS", "Hints"]

MOST_HINTS = 64
"""Hints that may wait; one more is answered ``busy``."""

RETRY_AFTER = 1.0
"""Seconds such a client is told to wait."""

log = logging.getLogger("npc_memory.bridge")


class Hints:
    """A thread that hands prompts to the engine; how long that takes, nobody waits for."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "bridge-warm")
        self._waiting: set[tuple[str, str, str | None]] = set()

    def take(self, mind: Mind, npc: str, player: str | None) -> None:
        """Take a hint and return at once. The same one twice counts once. Raises ``UnknownId``, ``InvalidInput``,
        ``EngineBusy``.
        """
        mind.check_warm(npc, player)
        hint = mind.store.owner, npc, player
        if hint in self._waiting:
            return
        if len(self._waiting) >= MOST_HINTS:
            raise EngineBusy(RETRY_AFTER, whose="warm-ups")
        self._waiting.add(hint)
        self._thread.submit(self._warm, mind, hint)

    def close(self) -> None:
        """Forget what waits; return when the thread has ended."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _warm(self, mind: Mind, hint: tuple[str, str, str | None]) -> None:
        try:
            mind.warm(hint[1], hint[2])
        except NpcMemoryError as error:
            log.info("no warm-up for %s: %s", hint[1], error.message)
        except Exception as error:
            log.error("a fault while warming up", exc_info=error)
        finally:
            self._waiting.discard(hint)
