"""What the runner needs of a model, and llama.cpp as that."""

from __future__ import annotations

from collections.abc import Sequence as Items
from typing import Protocol

from npc_memory.inference.request import GenerationRequest
from npc_memory.inference.scheduler import Slice
from npc_memory.inference.sequence import Sequence, TokenSampler

__all__ = ["Backend"]


class Backend(Protocol):
    """A model under the runner: real or scripted."""

    n_ctx: int

    def tokenize(self, pairs: Items[tuple[str, bool]]) -> tuple[int, ...]:
        """Return the ids of ``(text, control)`` pairs, each tokenised on its own."""

    def forget(self) -> None:
        """Forget the texts whose tokens were remembered."""

    def begin(self, sequence: Sequence) -> TokenSampler:
        """Return the sampler of a reply that begins now. Raises ``RequestInvalid`` (grammar)."""

    def keep(self, slot: int, n: int) -> bool:
        """Drop what a slot holds behind its first ``n`` tokens; False when it had to be emptied instead."""

    def clear(self, slot: int) -> None:
        """Empty a slot."""

    def save(self, slot: int) -> bytes:
        """Return what a slot holds; empty when this model's memory cannot be saved."""

    def restore(self, slot: int, state: bytes) -> bool:
        """Fill a slot with what was saved; False when it does not fit, and the slot is empty then."""

    def decode(self, step: Items[Slice]) -> None:
        """Compute one step; afterwards the samplers of its complete slices may be asked."""

    def piece(self, token: int) -> bytes:
        """Return the bytes a token stands for."""

    def ends(self, token: int, request: GenerationRequest) -> bool:
        """Whether the reply is over with this token."""
