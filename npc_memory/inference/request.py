"""What an engine is asked and what it answers: plain frozen data, the same for every engine.

A prompt is a sequence of *segments*, each tokenised on its own; their ids are put end to end. A segment with a true
attribute ``control`` is tokenised with special tokens, every other one without (promise P9). No ids are added.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from npc_memory.errors import RequestInvalid

__all__ = [
    "ControlText",
    "Determinism",
    "EngineInfo",
    "Finish",
    "GenerationRequest",
    "GenerationResult",
    "Priority",
    "Sampling",
    "Timings",
    "control_pairs",
    "prompt_hash",
]

Finish = Literal["stop", "length", "grammar", "cancelled", "warmed"]
MAX_GRAMMAR = 65_536
MAX_SEED = 2**64 - 1

_LARGEST = 3e38
"""The library computes with 32-bit floats."""

_MOST = 2**31 - 1
"""The library counts with 32-bit integers."""


class Priority(IntEnum):
    """Who is served first. More urgent work may pause less urgent work; it ends a warm-up."""

    CONSOLIDATION = -20
    WARM = -10
    NPC = 0
    PLAYER = 10


class ControlText(str):
    """A segment tokenised with special tokens, for callers that have no richer segment type of their own."""

    __slots__ = ()
    control = True


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is drawn. ``temperature`` 0 takes the likeliest token and ignores the rest but the penalty.

    ``top_k`` 0, ``top_p`` 1, ``min_p`` 0 and ``repeat_penalty`` 1 switch their step off. The penalty looks at the last
    ``repeat_last_n`` *generated* tokens only: words of the prompt stay free, or a fact could not be repeated.
    """

    temperature: float = 0.7
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.1
    repeat_last_n: int = 64

    def __post_init__(self) -> None:
        reals = (self.temperature, self.top_p, self.min_p, self.repeat_penalty)
        if not all(type(value) in (int, float) and abs(value) <= _LARGEST for value in reals):
            raise RequestInvalid("a sampling value is not a finite number", hint="use numbers, without quotes")
        # A bool is an int to Python, and "40" or 1.5 would only fail deep in the engine, reply after reply.
        if type(self.top_k) is not int or type(self.repeat_last_n) is not int:
            raise RequestInvalid("top_k and repeat_last_n are whole numbers", hint="write them like 40, without quotes")
        if self.temperature < 0 or not 0 <= self.top_p <= 1 or not 0 <= self.min_p <= 1:
            raise RequestInvalid(
                "a sampling value is out of range", hint="temperature ≥ 0, top_p and min_p between 0 and 1"
            )
        counts = (self.top_k, self.repeat_last_n)
        if self.repeat_penalty <= 0 or not all(0 <= count <= _MOST for count in counts):
            raise RequestInvalid(
                "a sampling value is out of range", hint="repeat_penalty > 0, repeat_last_n and top_k from 0 to 2**31-1"
            )


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """One reply to generate, or with ``max_tokens`` 0 a prompt to compute ahead (``finish`` is "warmed" then).

    ``max_tokens`` bounds the reply (tokens). ``seed`` is 0 … 2^64-1. ``grammar`` is GBNF with a rule ``root``.
    ``stop`` strings end the reply and are not part of it. ``deadline`` is a budget in seconds from submission.
    Higher ``priority`` is served first (see ``Priority``). ``hash_logits`` asks for a hash of every step's logits.
    Three hints change the speed only, never the words: ``conversation`` says whose cached state may be worth keeping
    together, ``shared`` how many leading segments other conversations begin with too, ``stable`` how many leading
    segments the next prompt of this conversation will probably begin with (0: not known).
    Raises ``RequestInvalid`` for values no engine could serve.
    """

    segments: Sequence[str]
    max_tokens: int
    seed: int
    grammar: str | None = None
    sampling: Sampling = field(default_factory=Sampling)
    stop: tuple[str, ...] = ()
    deadline: float | None = None
    priority: int = Priority.NPC
    conversation: str = ""
    shared: int = 0
    stable: int = 0
    hash_logits: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", tuple(self.segments))
        object.__setattr__(self, "stop", tuple(self.stop))
        if self.max_tokens < 0:
            raise RequestInvalid(f"max_tokens is {self.max_tokens}", hint="ask for a token, or for 0 to compute ahead")
        if not (0 <= self.shared <= len(self.segments) and 0 <= self.stable <= len(self.segments)):
            raise RequestInvalid(
                f"shared is {self.shared}, stable {self.stable}, of {len(self.segments)} segments",
                hint="count leading segments, from 0 on",
            )
        if not 0 <= self.seed <= MAX_SEED:
            raise RequestInvalid(f"the seed {self.seed} is out of range", hint="use an integer from 0 to 2**64-1")
        if "" in self.stop:
            raise RequestInvalid("an empty stop string would end every reply at once", hint="leave it out")
        if self.grammar is not None and len(self.grammar) > MAX_GRAMMAR:
            raise RequestInvalid(
                f"the grammar has {len(self.grammar)} characters, the limit is {MAX_GRAMMAR}", hint="use a shorter one"
            )
        if self.deadline is not None and not self.deadline >= 0:
            raise RequestInvalid("the deadline is not a number of seconds", hint="use None or a number ≥ 0")
        for text in (*self.segments, *self.stop, self.grammar or ""):
            check_text(text)


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds a request spent waiting, on its prompt and on its reply, and until its first token (from submission)."""

    queued: float = 0.0
    prompt: float = 0.0
    generation: float = 0.0
    first_token: float = 0.0


@dataclass(frozen=True, slots=True)
class GenerationResult:
    """A finished reply. Two results are equal when the same words came from the same prompt, however fast.

    ``tokens`` are all sampled ids, the ending one included. ``finish``: ``stop`` (end token or stop string),
    ``grammar`` (the grammar is complete: the text parses), ``length``, ``cancelled``. ``prompt_tokens`` is what was
    sent to the model, ``cached_tokens`` how many of them were not computed again. ``prompt_sha256`` is over the
    prompt's ids, ``logits_sha256`` over the raw float32 logits of every sampled step ("" unless asked for).
    """

    text: str
    tokens: tuple[int, ...]
    finish: Finish
    prompt_tokens: int
    prompt_sha256: str
    cached_tokens: int = field(default=0, compare=False)
    timings: Timings = field(default_factory=Timings, compare=False)
    logits_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Determinism:
    """What the start-up probe found. ``bit-exact``: same inputs, same reply. ``prompt-only``: only the prompt is."""

    word: Literal["bit-exact", "prompt-only"]
    reason: str


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What an engine runs. ``n_ctx`` in tokens; ``build`` is a fingerprint of the native library.

    ``special_tokens`` are the texts of all CONTROL and USER_DEFINED tokens of the vocabulary, by id: what the prompt
    has to break up in untrusted text (promise P9).
    """

    model: str
    model_sha256: str
    build: str
    n_ctx: int
    determinism: Determinism
    chat_template: str
    bos: str
    eos: str
    add_bos: bool
    special_tokens: tuple[str, ...]
    engine: Literal["llama", "scripted", "none"]


def check_text(text: str) -> None:
    """Raise ``RequestInvalid`` for text that is not valid Unicode (lone surrogates cannot be encoded)."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RequestInvalid(
            f"the text has a lone surrogate at character {error.start}", hint="clean the text before it is sent"
        ) from None


def control_pairs(segments: Iterable[str]) -> list[tuple[str, bool]]:
    """Return ``(plain text, control)`` for each segment."""
    return [(str.__str__(text), bool(getattr(text, "control", False))) for text in segments]


def prompt_hash(tokens: Sequence[int]) -> str:
    """Return the sha256 over token ids, each as four little-endian bytes: what the model was really shown."""
    return hashlib.sha256(b"".join(token.to_bytes(4, "little") for token in tokens)).hexdigest()
