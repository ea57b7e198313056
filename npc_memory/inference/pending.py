"""The requests an engine still owes an answer: bounded, told of by frames, failed together when the engine dies."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable

from npc_memory.errors import EngineBusy, NpcMemoryError
from npc_memory.inference.generation import Generation
from npc_memory.inference.protocol import Frame, error_from, result_from
from npc_memory.inference.request import GenerationRequest

__all__ = ["Pending"]

_SECONDS_EACH = 0.5


class Pending:
    """At most ``limit`` generations at once; one more is ``EngineBusy`` with a rough hint in seconds."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._open: dict[int, Generation] = {}

    def add(self, request: GenerationRequest, cancel: Callable[[int], None]) -> Generation:
        """Register a request. Raises ``EngineBusy`` when the queue is full."""
        with self._lock:
            if len(self._open) >= self.limit:
                raise EngineBusy(round(_SECONDS_EACH * max(1, len(self._open) / 2), 1))
            generation = Generation(next(self._ids), request, cancel)
            self._open[generation.id] = generation
            return generation

    def next_id(self) -> int:
        """Return an id for a frame that is no generation."""
        with self._lock:
            return next(self._ids)

    def feed(self, frame: Frame) -> None:
        """Take a ``chunk``, ``done`` or ``error`` frame; one for a request already answered is ignored."""
        with self._lock:
            take = self._open.get if frame["op"] == "chunk" else self._open.pop
            generation = take(frame["id"], None)
        if generation is None:
            return
        if frame["op"] == "chunk":
            generation.feed(frame["text"])
        elif frame["op"] == "done":
            generation.finish(result_from(frame["result"]))
        else:
            generation.finish(error_from(frame))

    def fail_all(self, error: NpcMemoryError) -> None:
        """The engine is gone: everything open fails."""
        with self._lock:
            generations = list(self._open.values())
            self._open.clear()
        for generation in generations:
            generation.finish(error)

    def stalled(self, grace: float) -> bool:
        """Whether some request is ``grace`` seconds over its deadline and still not acknowledged."""
        with self._lock:
            return any(generation.overdue > grace for generation in self._open.values())
