"""The engine as its callers see it: many requests at once, exact counts, a stream each."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Protocol, Self

from npc_memory.inference.generation import Generation
from npc_memory.inference.pieces import Pieces
from npc_memory.inference.request import EngineInfo, GenerationRequest, GenerationResult

__all__ = ["Engine", "generate"]


class Engine(Protocol):
    """Usable from any thread. ``LlamaEngine`` and ``ScriptedEngine`` are two of them."""

    @property
    def info(self) -> EngineInfo:
        """What the engine runs, and how far its replies can be reproduced."""

    def count(self, text: str) -> int:
        """Return the exact number of tokens of one segment (remembered). Raises ``EngineCrashed``."""

    def tokenize(self, segments: Iterable[str]) -> tuple[int, ...]:
        """Return the ids of the segments, each tokenised on its own, put end to end."""

    def pieces(self) -> Pieces | None:
        """Return what the vocabulary's tokens can stand for, or None if that bounds nothing."""

    def submit(self, request: GenerationRequest) -> Generation:
        """Queue a request and return at once. Raises ``EngineBusy`` when the queue is full."""

    def drop_cache(self) -> None:
        """Forget every prompt that nobody is computing with: after a player was forgotten, nothing of him may stay in
        memory either. It costs time at the next reply, nothing else.
        """

    def close(self) -> None:
        """Stop; whatever is open fails with ``Cancelled``. Closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def generate(engine: Engine, request: GenerationRequest) -> GenerationResult:
    """Submit a request and wait for its result; raises what ``Generation.result`` raises."""
    return engine.submit(request).result()
