"""A model file's vocabulary alone, read in a child process: for tests and tools, no weights needed."""

from __future__ import annotations

import queue
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from npc_memory.errors import EngineCrashed
from npc_memory.inference.models import check_header
from npc_memory.inference.pieces import Pieces
from npc_memory.inference.process import EngineProcess
from npc_memory.inference.protocol import Frame, error_from, pieces_from
from npc_memory.inference.request import check_text, control_pairs
from npc_memory.inference.settings import Settings

__all__ = ["Vocabulary", "VocabularyToken", "vocab_tokens"]


@dataclass(frozen=True, slots=True)
class VocabularyToken:
    """``text`` as the vocabulary spells it; ``piece``: the bytes it stands for; then llama.cpp's attributes."""

    id: int
    text: str
    piece: bytes
    control: bool
    user_defined: bool
    end: bool


class Vocabulary:
    """An open vocabulary (a context manager): ``tokens`` by id, and exact tokenisation as the engine does it.

    Raises ``ModelMissing``, ``ModelDamaged``, ``EngineMissing``, ``EngineCrashed``. Not for several threads.
    """

    def __init__(self, path: str | Path) -> None:
        check_header(Path(path))
        self._answers: queue.SimpleQueue[Frame | EngineCrashed] = queue.SimpleQueue()
        load: Frame = {"path": str(path), "n_ctx": 0, "n_threads": 1, "vocab_only": True}
        self._process = EngineProcess(load, Settings(), self._answers.put, self._answers.put)
        info: dict[str, Any] = self._process.info
        self.tokens = tuple(VocabularyToken(id, *token) for id, token in enumerate(info["vocabulary"]))
        self.special_tokens: tuple[str, ...] = tuple(info["special_tokens"])
        self.chat_template: str = info["chat_template"]

    def tokenize(self, segments: Iterable[str]) -> tuple[int, ...]:
        """Return the ids of the segments, each tokenised on its own (``control`` ones with special tokens)."""
        pairs = control_pairs(segments)
        for text, _ in pairs:
            check_text(text)
        return tuple(self._ask({"op": "tokenize", "segments": pairs})["tokens"])

    def count(self, text: str) -> int:
        """Return the exact number of tokens of one segment."""
        return len(self.tokenize([text]))

    def pieces(self) -> Pieces | None:
        """Return what the tokens can stand for in a text, or None if that bounds nothing."""
        return pieces_from(self._ask({"op": "pieces"}))

    def close(self) -> None:
        """End the child."""
        self._process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, frame: Frame) -> Frame:
        self._process.send({**frame, "id": 0})
        answer = self._answers.get()
        if isinstance(answer, EngineCrashed):
            raise answer
        if answer["op"] == "error":
            raise error_from(answer)
        return answer


def vocab_tokens(path: str | Path) -> Vocabulary:
    """Open the vocabulary of a GGUF file (also one without weights)."""
    return Vocabulary(path)
