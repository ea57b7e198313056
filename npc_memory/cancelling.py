"""Stopping a reply from another thread."""

from __future__ import annotations

import threading

from npc_memory.inference import Generation

__all__ = ["Cancellation"]


class Cancellation:
    """Lets another thread stop a reply. Cancelling twice, or after the reply is over, is harmless."""

    def __init__(self) -> None:
        # Re-entrant: a signal handler may cancel while this very thread is cancelling.
        self._lock = threading.RLock()
        self._generation: Generation | None = None
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Stop the reply within one step of the engine."""
        with self._lock:
            self._cancelled = True
            if self._generation is not None:
                self._generation.cancel()

    def watch(self, generation: Generation) -> None:
        """The speaker's side: this generation is under way now."""
        with self._lock:
            self._generation = generation
            if self._cancelled:
                generation.cancel()
