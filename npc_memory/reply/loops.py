"""Loops: a text that goes round in circles, or that only says again what was said.

Units are words; in scripts without spaces (Japanese, Chinese, Thai …) every letter is a unit. Thresholds are chosen so
that emphasis stays ("No, no, no!", "ha ha ha") and what small models do ("a traveler, traveler, traveler, traveler,
traveler", whole phrases twice) does not; measured lines are in the tests.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from npc_memory.reply.sentences import sentences

__all__ = ["goes_round", "is_circling", "repeats"]

_WIDE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_UNIT = re.compile(f"[{_WIDE}]|[^\\W_{_WIDE}][^\\W_{_WIDE}\u0300-\u036f'’]*|[\U0001f000-\U0001faff\u2600-\u27bf]")
_IS_WIDE = re.compile(f"[{_WIDE}]")
_RUN = re.compile(r"(\S)\1{9,}", re.S)

# (longest period, repetitions that make a loop), for words and for single letters
_WORD_LIMITS = ((1, 5), (2, 4), (5, 3), (10**6, 2))
_LETTER_LIMITS = ((1, 9), (3, 5), (9, 3), (10**6, 2))
MAX_PERIOD = 100
"""Longest phrase, in units, that is looked for right behind itself; a bound on the work."""
MIN_WEIGHT = 12
"""A line lighter than this (letters; one of a script without spaces counts twice) may be said again: "Aye."."""
WINDOW = 3
"""How many of her own last lines count as being said again."""


def _units(text: str) -> list[str]:
    return _UNIT.findall(unicodedata.normalize("NFKC", text).casefold())


def _is_wide(units: Sequence[str]) -> bool:
    return 2 * sum(1 for u in units if _IS_WIDE.match(u)) > len(units)


def _weight(units: Sequence[str]) -> int:
    return sum(2 if _IS_WIDE.match(u) else len(u) for u in units)


def is_circling(text: str) -> bool:
    """Whether ``text`` (whole sentences) loops: a character, a phrase or a sentence comes again and again."""
    if _RUN.search(text):
        return True
    units = _units(text)
    return _has_period(units) or _has_sentence_again(text)


def goes_round(text: str) -> bool:
    """Whether the finished ``text`` loops: it is circling, or most of its n-grams are not new."""
    return is_circling(text) or _is_poor(_units(text))


def _has_period(units: Sequence[str]) -> bool:
    limits = _LETTER_LIMITS if _is_wide(units) else _WORD_LIMITS
    for period in range(1, min(len(units) // 2, MAX_PERIOD) + 1):
        needed = next(times for longest, times in limits if period <= longest)
        same = 0  # how many units in a row equal the one a period before
        for at in range(period, len(units)):
            same = same + 1 if units[at] == units[at - period] else 0
            if same >= period * (needed - 1):
                return True
    return False


def _has_sentence_again(text: str) -> bool:
    counts = Counter(tuple(_units(s)) for s in sentences(text, final=True))
    return any(units and n >= (2 if _weight(units) >= MIN_WEIGHT else 4) for units, n in counts.items())


def _is_poor(units: Sequence[str]) -> bool:
    size, least = (6, 40) if _is_wide(units) else (3, 16)
    grams = [tuple(units[n : n + size]) for n in range(len(units) - size + 1)]
    return len(units) >= least and 2 * len(set(grams)) < len(grams)


def repeats(say: str, own_lines: Sequence[str]) -> bool:
    """Whether ``say`` only says again what the NPC said in her last lines (oldest first; the last three count).

    A short line ("Aye.") is a repeat only when both of the last two lines were just that.
    """
    units = _units(say)
    last = [_units(line) for line in own_lines[-WINDOW:]]
    if not units or not last:
        return False
    if _weight(units) < MIN_WEIGHT:
        return len(last) >= 2 and units == last[-1] == last[-2]
    if any(_alike(units, line) for line in last):
        return True
    known = {tuple(_units(s)) for line in own_lines[-WINDOW:] for s in sentences(line, final=True)}
    return all(tuple(_units(s)) in known for s in sentences(say, final=True) if _units(s))


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Equal, or nine tenths of their pairs of neighbours in common (Dice coefficient of bigrams)."""
    if list(one) == list(other):
        return True
    a, b = (Counter(pairwise(x)) for x in (one, other))
    total = a.total() + b.total()
    return total >= 16 and 2 * (a & b).total() >= 0.9 * total
