"""Choosing the fastest settings among those that cannot change a word.

Only ever imported in the engine's own process. Which settings are faster depends on the machine and on what else it
does just now; so a measurement may only ever choose between settings that give the same logits, bit for bit, in all the
ways the probe knows. What is chosen then is a matter of speed alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from npc_memory.errors import NpcMemoryError
from npc_memory.inference.headroom import room_for
from npc_memory.inference.native import Context, Entry, Model
from npc_memory.inference.probe import Findings, agrees
from npc_memory.inference.probe_subject import WHOLE
from npc_memory.inference.race import race

__all__ = ["CHUNK", "MARGIN", "Tuned", "tune"]

MARGIN = 1.1
"""How many times as fast something has to be to be chosen."""

CHUNK = 256
"""The larger chunk that is tried; the probe's largest covers it."""

STEP_SECONDS = 0.25
"""Longest step a larger chunk may bring: a cancel and everybody else's next word wait for the end of a step."""

_LOSS = 0.95
"""How many times as fast single tokens must be at the least when prompts are faster."""

_FIRST = 100
_PROMPT = 64
_WORDS = 6


class Tuned(NamedTuple):
    """The model to go on with, its settings in ``model.settings``, and what to say of the choice ("" for nothing)."""

    model: Model
    said: str


def tune(model: Model, path: Path, n_threads: int, findings: Findings, heard: Callable[[int], None]) -> Tuned:
    """Try what may be faster on a model found exact; of two loaded models the one not chosen is freed."""
    if findings.determinism.word != "bit-exact":
        return Tuned(model, "")
    said = []
    packed, ratio = _repacked(model, path, n_threads, findings, heard)
    if packed is not None:
        model.close()
        model = packed
        said.append(f"weights are repacked: prompts {ratio:.1f} times as fast, the same bits")
    step = findings.seconds * CHUNK / WHOLE / ratio
    if model.settings.chunk < CHUNK and step <= STEP_SECONDS and _larger_chunk(model, n_threads, heard):
        model.settings = replace(model.settings, chunk=CHUNK)
        said.append(f"prompts are computed {CHUNK} tokens at a time")
    return Tuned(model, "; ".join(said))


def _repacked(
    model: Model, path: Path, n_threads: int, findings: Findings, heard: Callable[[int], None]
) -> tuple[Model | None, float]:
    """Load the weights once more, rearranged for this processor; keep that if it is exact and clearly faster."""
    if not room_for(path):
        return None, 1.0
    other: Model | None = None
    try:
        other = Model(str(path), replace(model.settings, extra_bufts=True))
        if other.rearranged and agrees(other, n_threads, findings.logits, heard):
            ratio = _faster(model, other, n_threads, heard)
            if ratio >= MARGIN:
                return other, ratio
    except NpcMemoryError:
        pass  # What cannot be loaded or computed that way is not chosen; the model at hand is sound.
    if other is not None:
        other.close()
    return None, 1.0


def _faster(model: Model, other: Model, n_threads: int, heard: Callable[[int], None]) -> float:
    """Return how many times as fast the other computes prompts; 0 if single tokens get slower.

    Counted in seconds of this process's processors: other programs on the machine distort those least.
    """
    with (
        closing(_Course(model, n_threads, time.process_time, heard)) as a,
        closing(_Course(other, n_threads, time.process_time, heard)) as b,
    ):
        ratio = race(lambda: a.run(_PROMPT, _PROMPT), lambda: b.run(_PROMPT, _PROMPT))
        if ratio < MARGIN:
            return ratio
        return ratio if race(lambda: a.run(_WORDS, 1), lambda: b.run(_WORDS, 1)) >= _LOSS else 0.0


def _larger_chunk(model: Model, n_threads: int, heard: Callable[[int], None]) -> bool:
    """Whether a larger chunk pays, by the clock on the wall: what it saves is cores that wait for each other."""
    with closing(_Course(model, n_threads, time.perf_counter, heard)) as course:
        return race(lambda: course.run(CHUNK, model.settings.chunk), lambda: course.run(CHUNK, CHUNK)) >= MARGIN


class _Course:
    """Tokens to compute and a clock that says how long they took."""

    def __init__(self, model: Model, n_threads: int, clock: Callable[[], float], heard: Callable[[int], None]) -> None:
        self._context = Context(model, n_ctx=CHUNK, slots=1, n_threads=n_threads, n_batch=CHUNK)
        self._clock, self._heard = clock, heard
        self.close = self._context.close

    def run(self, tokens: int, chunk: int) -> float:
        """Return the seconds that ``tokens`` take in an empty window, ``chunk`` at a time."""
        self._context.clear(0)
        start = self._clock()
        for at in range(0, tokens, chunk):
            ends = min(at + chunk, tokens)
            self._context.decode([Entry(_FIRST + i, i, 0, i == ends - 1) for i in range(at, ends)])
        seconds = self._clock() - start
        self._heard(tokens)
        return max(seconds, 1e-6)
