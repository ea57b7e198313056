"""A generation: the caller's end of one request — text as it comes, then the result or a typed error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from npc_memory.errors import DeadlinePassed, NpcMemoryError
from npc_memory.inference.request import GenerationRequest, GenerationResult

__all__ = ["Generation"]


class Generation:
    """One reply under way. Iterate for decoded text, never half a character; joined it equals ``result().text``.

    Usable from any thread, by several readers at once; each sees all of it. A slow reader holds nobody up.
    """

    def __init__(self, id: int, request: GenerationRequest, cancel: Callable[[int], None]) -> None:
        self.id = id
        self.request = request
        self.submitted = time.monotonic()
        self._cancel = cancel
        self._changed = threading.Condition()
        self._chunks: list[str] = []
        self._result: GenerationResult | None = None
        self._error: NpcMemoryError | None = None

    @property
    def done(self) -> bool:
        """Whether the result or the error is there."""
        return self._result is not None or self._error is not None

    @property
    def overdue(self) -> float:
        """Seconds since the deadline passed; negative while there is time."""
        deadline = self.request.deadline
        return -1.0 if deadline is None else time.monotonic() - self.submitted - deadline

    def __iter__(self) -> Iterator[str]:
        """Yield the text as it comes; raises the request's error where the text breaks off."""
        at = 0
        while True:
            chunk = self._next(at)
            if chunk is None:
                self.result()
                return
            yield chunk
            at += 1

    def result(self, timeout: float | None = None) -> GenerationResult:
        """Wait for the reply. A cancelled one is a result too (``finish`` "cancelled").

        Raises ``DeadlinePassed`` (also by itself, should the engine have stalled), ``PromptTooLong``,
        ``RequestInvalid``, ``EngineCrashed``, ``Cancelled`` (engine closed), and ``TimeoutError`` after ``timeout`` s.
        """
        until = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not self.done:
                self._wait(until)
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def cancel(self) -> None:
        """Ask the engine to stop; it does within one step. Harmless when the reply is over."""
        if not self.done:
            self._cancel(self.id)

    def feed(self, text: str) -> None:
        """The engine's side: more text has come."""
        with self._changed:
            self._chunks.append(text)
            self._changed.notify_all()

    def finish(self, outcome: GenerationResult | NpcMemoryError) -> None:
        """The engine's side: it is over. Only the first outcome counts."""
        with self._changed:
            if self.done:
                return
            if isinstance(outcome, NpcMemoryError):
                self._error = outcome
            else:
                self._result = outcome
            self._changed.notify_all()

    def _next(self, at: int) -> str | None:
        with self._changed:
            while at >= len(self._chunks) and not self.done:
                self._wait(None)
            return self._chunks[at] if at < len(self._chunks) else None

    def _wait(self, until: float | None) -> None:
        """Wait for a change, for ``until``, or for the deadline; called with the lock held."""
        now = time.monotonic()
        limits = [] if until is None else [until - now]
        if self.request.deadline is not None:
            limits.append(-self.overdue)
        if until is not None and until <= now:
            raise TimeoutError("the reply is not there yet")
        if self.request.deadline is not None and self.overdue >= 0:
            self._error = DeadlinePassed(
                f"the reply was not finished within {self.request.deadline:g} s",
                hint="allow more time, ask for fewer tokens or use a smaller model",
                details={"deadline": self.request.deadline},
            )
            self._changed.notify_all()
            self._cancel(self.id)
            return
        self._changed.wait(min(limits) if limits else None)
