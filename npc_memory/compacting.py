"""Compacting lineages while the game goes on: a thread that lives only as long as there is something to do."""

from __future__ import annotations

from collections import deque
from threading import Condition, Thread

from npc_memory.errors import StoreError
from npc_memory.store import Store

__all__ = ["Compacting"]

PAUSE = 0.01
"""Seconds between two steps, for whoever waits for the store."""


class Compacting:
    """Does what ``Store.compact`` does, step by step, for all owners' games of one file."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: deque[Store] = deque()
        self._thread: Thread | None = None
        self._closed = False

    def wake(self, store: Store) -> None:
        """The lineage of ``store`` may have become too long."""
        with self._changed:
            if self._closed or not store.compactable():
                return
            self._waiting.append(store)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="compacting", daemon=True)
                self._thread.start()

    def settle(self) -> None:
        """Return when there is nothing more to do."""
        with self._changed:
            self._changed.wait_for(lambda: self._thread is None)

    def close(self) -> None:
        """Stop after the step that is being done; what is left is done another time."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while (store := self._next()) is not None:
            try:
                while not self._pause() and store.compact_step():
                    pass
            except StoreError:  # the disk failed: the store says so to everyone who writes
                continue

    def _next(self) -> Store | None:
        with self._changed:
            if self._waiting and not self._closed:
                return self._waiting.popleft()
            self._thread = None
            self._changed.notify_all()
            return None

    def _pause(self) -> bool:
        """Wait a little; True when there is to be no further step."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed, PAUSE)
