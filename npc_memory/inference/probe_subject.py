"""A loaded model under examination: the same few tokens, computed in every way the engine may compute them.

Only ever imported in the engine's own process. One text of 264 tokens is computed in one chunk, alone in an empty
window; the logits within it are what every other way must give. Its first 48 tokens are then a prompt that is computed
in each way an engine saves work, its first 262 (past the 256 that llama.cpp pads a window to) the much longer
neighbour. Every check leaves its slot full, so that the last one decodes all eight together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from npc_memory.inference.native import Context, Entry, Model

__all__ = ["WHOLE", "WORK", "Logits", "Subject"]

_TEXT = (
    "The innkeeper wipes the table and counts her silver twice. Snow lies on the north road, the bridge is burned, and"
    " nobody has come down from the mine since the feast of lanterns. A stranger asks about the king; 3 of the 12 men"
    " at the fire look up, then away. She pours the cider, says nothing, and waits for the wind to turn. "
)
_STEPS = 2
"""Tokens behind a prompt that are computed one at a time."""
SHORT = 48
LONG = 262
WHOLE = LONG + _STEPS
"""Tokens of the largest chunk that is compared."""
_SPLIT = 32
"""Tokens of the short prompt that are reused: a prefix."""
_COMMON = 216
"""Tokens of the long prompt that are copied for its second computation, which then crosses the padding."""
_CUTS = (1, 2, 3, 4, 5, 7, 8, 18)
"""Chunks of the short prompt: kernels differ for one row, for fewer than 4, 8 or 16, and for a remainder of those."""
_GLANCE = 8
_OTHER = 9
"""Tokens of a text of its own: what leaks from one sequence into another must not be what it says itself."""
_SLOTS = 8
_ROOM = 288

_KEEPS_LONG, _CUT, _COPIED, _RESTORED, _THREADS, _MIXED, _LONG_AGAIN, _STRANGER = range(_SLOTS)
_COMPANIES = ((tuple(range(_SLOTS)),), ((0, 1, 7), (2, 3, 4, 5, 6)))
"""Who is decoded with whom, step by step: all eight at once, then three and five."""

WORK = 510
"""Tokens an examination computes, about: for a progress bar."""

Logits = dict[int, bytes]
"""Raw logits by how many tokens of the text precede them."""


class Part(NamedTuple):
    """One sequence's share of a step: ``tokens`` from position ``start`` on."""

    slot: int
    start: int
    tokens: Sequence[int]


class Subject:
    """``model`` in a window of its own, eight slots. ``heard`` is told the tokens of each step when it is computed."""

    def __init__(self, model: Model, n_threads: int, heard: Callable[[int], None]) -> None:
        tokens = model.tokenize(_TEXT * 8, False)
        self.text, self.other = tokens[:WHOLE], tokens[WHOLE : WHOLE - _OTHER : -1]
        self.n_threads, self._heard = n_threads, heard
        self.context = Context(model, n_ctx=_ROOM, slots=_SLOTS, n_threads=n_threads, n_batch=WHOLE)

    def close(self) -> None:
        """Free the window; the model stays."""
        self.context.close()

    def alone(self) -> Logits:
        """Compute the text the plainest way. It stays in the window, for the checks."""
        wanted = [_GLANCE, *(n + i for n in (SHORT, LONG) for i in range(_STEPS + 1))]
        self.context.decode([Entry(t, i, _KEEPS_LONG, i + 1 in wanted) for i, t in enumerate(self.text)])
        self._heard(WHOLE)
        seen = {n: self.context.logits(n - 1).tobytes() for n in wanted}
        self._back(_KEEPS_LONG, LONG)
        return seen

    def glance(self, alone: Logits) -> bool:
        """Whether the first few logits are these: enough to see that another way to load the weights gives others."""
        seen = self._step(Part(_CUT, 0, self.text[:_GLANCE]))
        self.context.clear(_CUT)
        return seen == [alone[_GLANCE]]

    def checks(self, alone: Logits) -> Iterator[tuple[str, bool]]:
        """Compute all of it again in other ways; yield what was changed, and whether the logits stayed the same."""
        behind = [alone[SHORT]]
        spoken = [alone[SHORT + i] for i in range(_STEPS + 1)]
        yield f"between prompt chunks of 1 to {WHOLE}", self._cut() == spoken
        self._back(_CUT, _SPLIT)
        state = self.context.save(_CUT)
        self._step(Part(_CUT, _SPLIT, self.other))
        self._back(_CUT, _SPLIT)
        yield "after a removed tail", self._rest(_CUT) == behind
        self._copy(_CUT, _COPIED)
        yield "after a copied prefix", self._rest(_COPIED) == behind
        if not self.context.restore(_RESTORED, state):
            self._again(_RESTORED, _SPLIT)
        yield "after a restored state", self._rest(_RESTORED) == behind
        threads = 2 if self.n_threads == 1 else 1
        yield f"between {self.n_threads} and {threads} threads", self._threads(threads) == spoken
        yield "in one batch with another's prompt", self._mixed() == [alone[LONG], *behind]
        yield f"beside {_SLOTS - 1} other sequences", self._together(alone)

    def _cut(self) -> list[bytes]:
        """The short prompt in chunks of many sizes."""
        at = 0
        for size in _CUTS:
            seen = self._step(Part(_CUT, at, self.text[at : at + size]))
            at += size
        return seen + self._speak(_CUT)

    def _threads(self, n: int) -> list[bytes]:
        self._copy(_CUT, _THREADS)
        self.context.set_threads(n)
        seen = self._rest(_THREADS) + self._speak(_THREADS)
        self.context.set_threads(self.n_threads)
        self._back(_THREADS, SHORT)
        return seen

    def _mixed(self) -> list[bytes]:
        """Prompts side by side, in two steps; the long one goes on behind a copied prefix."""
        self.context.copy(_KEEPS_LONG, _LONG_AGAIN)
        self._back(_LONG_AGAIN, _COMMON)
        half, at = SHORT // 2, _COMMON + SHORT // 2
        self._step(
            Part(_STRANGER, 0, self.other),
            Part(_LONG_AGAIN, _COMMON, self.text[_COMMON:at]),
            Part(_MIXED, 0, self.text[:half]),
        )
        return self._step(Part(_LONG_AGAIN, at, self.text[at:LONG]), Part(_MIXED, half, self.text[half:SHORT]))

    def _together(self, alone: Logits) -> bool:
        """All that the slots hold goes on: five times the short prompt, twice the long one, a stranger."""
        held = dict.fromkeys(range(_SLOTS), SHORT) | {_KEEPS_LONG: LONG, _LONG_AGAIN: LONG, _STRANGER: _OTHER}
        same = True
        for i, companies in enumerate(_COMPANIES):
            for company in companies:
                at = [held[slot] + i for slot in company]
                seen = self._step(*(Part(slot, n, [self.text[n]]) for slot, n in zip(company, at, strict=True)))
                answers = zip(company, at, seen, strict=True)
                same &= all(logits == alone[n + 1] for slot, n, logits in answers if slot != _STRANGER)
        return same

    def _speak(self, slot: int) -> list[bytes]:
        """The steps behind the short prompt, one token each."""
        return [self._step(Part(slot, n, [self.text[n]]))[0] for n in range(SHORT, SHORT + _STEPS)]

    def _rest(self, slot: int) -> list[bytes]:
        """What follows the split, in a slot that holds what precedes it."""
        return self._step(Part(slot, _SPLIT, self.text[_SPLIT:SHORT]))

    def _copy(self, source: int, target: int) -> None:
        """Copy whole, then remove the tail: part of a sequence cannot be copied."""
        self.context.copy(source, target)
        self._back(target, _SPLIT)

    def _back(self, slot: int, n: int) -> None:
        """Keep the first ``n`` tokens of a slot; where this model's memory cannot be cut, compute them anew."""
        if not self.context.keep(slot, n):
            self._again(slot, n)

    def _again(self, slot: int, n: int) -> None:
        self.context.clear(slot)
        self._step(Part(slot, 0, self.text[:n]))

    def _step(self, *parts: Part) -> list[bytes]:
        """Compute one batch; return the raw logits behind the last token of each part."""
        entries, rows = [], []
        for slot, start, tokens in parts:
            entries += [Entry(t, start + i, slot, i == len(tokens) - 1) for i, t in enumerate(tokens)]
            rows.append(len(entries) - 1)
        self.context.decode(entries)
        self._heard(len(entries))
        return [self.context.logits(row).tobytes() for row in rows]
