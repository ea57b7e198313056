"""The engine that is not there: a game without a model file still gets its NPCs, with authored lines."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Self

from npc_memory.errors import EngineMissing, ModelError
from npc_memory.inference.generation import Generation
from npc_memory.inference.pieces import Pieces
from npc_memory.inference.request import Determinism, EngineInfo, GenerationRequest

__all__ = ["SilentEngine"]


class SilentEngine:
    """See ``Engine`` for the verbs. Every request is answered with ``reason``, so that an authored line stands in.

    There is no tokenizer either: use it with a policy in characters. ``count`` gives characters.
    """

    def __init__(self, reason: ModelError | EngineMissing, *, n_ctx: int = 2048) -> None:
        self.reason = reason
        self.info = EngineInfo(
            model="",
            model_sha256="",
            build="none",
            n_ctx=n_ctx,
            determinism=Determinism("bit-exact", "there is no model: every line is an authored one"),
            chat_template="",
            bos="",
            eos="",
            add_bos=False,
            special_tokens=(),
            engine="none",
        )

    def count(self, text: str) -> int:
        """Return the number of characters."""
        return len(text)

    def tokenize(self, segments: Iterable[str]) -> tuple[int, ...]:
        """Raise the reason: no model, no tokens."""
        raise self.reason

    def pieces(self) -> Pieces | None:
        """Return None: nothing is known of any vocabulary."""
        return None

    def submit(self, request: GenerationRequest) -> Generation:
        """Raise the reason."""
        raise self.reason

    def drop_cache(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
