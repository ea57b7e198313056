"""llama.cpp as the runner's backend: one window, its slots, one set of candidates.

Only ever imported in the engine's own process.
"""

from __future__ import annotations

from collections.abc import Sequence as Items
from functools import lru_cache

from npc_memory.errors import RequestInvalid
from npc_memory.inference.native import Context, Entry, Logits, Model
from npc_memory.inference.request import GenerationRequest
from npc_memory.inference.sampler import Candidates, NativeSampler
from npc_memory.inference.scheduler import MOST_SLOTS, Slice
from npc_memory.inference.sequence import Sequence

__all__ = ["LlamaBackend", "check_window", "slots_for"]

REMEMBERED_SEGMENTS = 4_096
SLOT_BYTES = 512_000_000
"""What all sequences may take together before there are fewer of them."""


def slots_for(model: Model, n_ctx: int) -> int:
    """Return how many sequences of ``n_ctx`` tokens to open: eight, fewer of a model that remembers at length."""
    return max(1, min(MOST_SLOTS, SLOT_BYTES // max(1, model.bytes_per_token * n_ctx)))


def check_window(model: Model, n_ctx: int) -> None:
    """Raise ``RequestInvalid`` for a window the model was not trained for."""
    if n_ctx > model.n_ctx_train:
        raise RequestInvalid(
            f"n_ctx is {n_ctx}, the model was trained for {model.n_ctx_train}", hint=f"use at most {model.n_ctx_train}"
        )


class LlamaBackend:
    """Computes steps with ``model`` over ``slots`` native sequences of ``n_ctx`` tokens."""

    def __init__(self, model: Model, *, n_ctx: int, n_threads: int, slots: int = 1) -> None:
        check_window(model, n_ctx)
        self.n_ctx = n_ctx
        self._model = model
        chunk = min(model.settings.chunk, n_ctx)
        self._context = Context(model, n_ctx=n_ctx, slots=slots, n_threads=n_threads, n_batch=chunk + slots)
        self._segment = lru_cache(maxsize=REMEMBERED_SEGMENTS)(self._tokenize)
        self._candidates = Candidates(model.n_vocab)
        self._rows: dict[int, int] = {}

    def tokenize(self, pairs: Items[tuple[str, bool]]) -> tuple[int, ...]:
        """Return the ids of ``(text, control)`` pairs, each tokenised on its own."""
        return tuple(token for text, control in pairs for token in self._segment(text, control))

    def _tokenize(self, text: str, control: bool) -> tuple[int, ...]:
        return tuple(self._model.tokenize(text, control))

    def forget(self) -> None:
        """Forget the texts whose tokens were remembered."""
        self._segment.cache_clear()

    def begin(self, sequence: Sequence) -> NativeSampler:
        """Return the sampler of a reply that begins now."""

        def row() -> Logits:
            return self._context.logits(self._rows[sequence.id])

        return NativeSampler(self._model, self._candidates, sequence.request, row)

    def keep(self, slot: int, n: int) -> bool:
        """Drop what a slot holds behind its first ``n`` tokens; empty it when this model's memory cannot do that."""
        if self._context.keep(slot, n):
            return True
        self._context.clear(slot)
        return False

    def clear(self, slot: int) -> None:
        """Empty a slot."""
        self._context.clear(slot)

    def save(self, slot: int) -> bytes:
        """Return what a slot holds, as the library writes it."""
        return self._context.save(slot)

    def restore(self, slot: int, state: bytes) -> bool:
        """Fill a slot with what was saved; False when it does not fit, and the slot is empty then."""
        if self._context.restore(slot, state):
            return True
        self._context.clear(slot)
        return False

    def decode(self, step: Items[Slice]) -> None:
        """Compute one step and remember whose logits are in which row."""
        entries: list[Entry] = []
        self._rows.clear()
        for part in step:
            last = len(part.tokens) - 1
            for i, token in enumerate(part.tokens):
                entries.append(Entry(token, part.start + i, part.sequence.slot, part.sample and i == last))
            if part.sample:
                self._rows[part.sequence.id] = len(entries) - 1
        self._context.decode(entries)

    def piece(self, token: int) -> bytes:
        """Return the bytes a token stands for; control tokens stand for none."""
        return self._model.piece(token)

    def ends(self, token: int, request: GenerationRequest) -> bool:
        """End tokens end a reply, and so does any other control token: what follows would be another's turn."""
        return self._model.is_end(token) or self._model.is_control(token)

    def close(self) -> None:
        """Free the window."""
        self._context.close()
