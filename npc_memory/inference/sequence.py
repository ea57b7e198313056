"""A sequence: one request on its way through the engine — its tokens, how many are computed, its text so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from npc_memory.inference.request import Finish, GenerationRequest, GenerationResult, Timings, prompt_hash
from npc_memory.inference.stream import TextStream

__all__ = ["Sequence", "TokenSampler"]


class TokenSampler(Protocol):
    """Draws the tokens of one reply; owns whatever state that needs."""

    def sample(self) -> int | None:
        """Return the next token id, or ``None`` when there is none yet."""

    @property
    def logits_sha256(self) -> str:
        """Hash over the logits of all steps so far, or ""."""

    def close(self) -> None:
        """Free what the sampler holds."""


@dataclass(eq=False)
class Sequence:
    """``computed`` counts tokens (prompt, then output) the model holds; times are seconds of the engine's own clock.

    ``shared`` and ``stable`` are the request's hints in tokens. No step goes over the ``mark`` (tokens): what the slot
    holds just there is wanted.
    """

    id: int
    request: GenerationRequest
    prompt: tuple[int, ...]
    arrived: float
    output: list[int] = field(default_factory=list)
    computed: int = 0
    cached: int = 0
    slot: int = -1
    sampler: TokenSampler | None = None
    started: float = 0.0
    prompted: float = 0.0
    shared: int = 0
    stable: int = 0
    mark: int = 0

    def __post_init__(self) -> None:
        self.stream = TextStream(self.request.stop)

    @property
    def deadline_at(self) -> float | None:
        """When this request is given up, on the engine's clock."""
        return None if self.request.deadline is None else self.arrived + self.request.deadline

    @property
    def ahead(self) -> bool:
        """Whether only the prompt is to be computed."""
        return self.request.max_tokens == 0

    @property
    def tokens(self) -> tuple[int, ...]:
        """Prompt and output so far."""
        return (*self.prompt, *self.output)

    @property
    def pending(self) -> tuple[int, ...]:
        """Tokens the model has still to see before the next one can be sampled."""
        done = self.computed - len(self.prompt)
        return tuple(self.output[done:]) if done >= 0 else self.prompt[self.computed :] + tuple(self.output)

    def result(self, finish: Finish, now: float) -> GenerationResult:
        """Return the finished reply."""
        begun = self.started or now
        prompted = self.prompted or now
        return GenerationResult(
            text=self.stream.text,
            tokens=tuple(self.output),
            finish=finish,
            prompt_tokens=len(self.prompt),
            prompt_sha256=prompt_hash(self.prompt),
            cached_tokens=self.cached,
            timings=Timings(begun - self.arrived, prompted - begun, now - prompted, prompted - self.arrived),
            logits_sha256=self.sampler.logits_sha256 if self.sampler else "",
        )
