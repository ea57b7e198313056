"""Terms of a text, for matching: no locale, no rule that needs spaces.

Letters and digits of scripts that separate words form one term each, case-folded and stemmed. Runs of scripts that do
not (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and of Korean, whose words carry their particles, become
overlapping pairs of characters; an ideograph is a term of its own besides, for it is often a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from npc_memory.recall.kinds import KIND, MARK
from npc_memory.recall.stems import folded, stem
from npc_memory.recall.stop_words import STOP_PAIRS, STOP_WORDS

__all__ = ["PART", "SHORTEST_PART", "SHORTEST_REST", "forget_terms", "fresh_terms", "likeness", "terms"]

_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNSPACED = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\uac00-\ud7af{_IDEOGRAPHS}"
_RUNS = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)?")
_PAIRED = re.compile(rf"[{_UNSPACED}]")
_IDEOGRAPH = re.compile(rf"[{_IDEOGRAPHS}]")

SHORT = 500
"""Longest text whose terms are remembered, in characters."""

PART = 0.5
"""What a part of a compound counts, beside 1 for the word itself."""

SHORTEST_PART, SHORTEST_REST = 4, 3
"""Letters a part of a compound must have, and the rest of it."""


def terms(text: str) -> tuple[str, ...]:
    """The terms of ``text`` in order, repeats included. Those of short texts are remembered: facts come again."""
    return _remembered(text) if len(text) <= SHORT else fresh_terms(text)


def fresh_terms(text: str) -> tuple[str, ...]:
    """The same, for a text that will not come again."""
    found: list[str] = []
    for run in _RUNS.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _PAIRED.match(run):
            found.extend(_IDEOGRAPH.findall(run) if len(run) > 1 else ())
            pairs = (run[i : i + 2] for i in range(max(1, len(run) - 1)))
            found.extend(pair for pair in pairs if pair not in STOP_PAIRS)
        elif (term := _term(run)) is not None:
            found.append(term)
    return tuple(found)


@lru_cache(maxsize=20_000)
def _term(run: str) -> str | None:
    """The term of a word, None for a stop word. Words come again, texts seldom."""
    word = folded(run)
    return None if word in STOP_WORDS else stem(word)


def likeness(wanted: str, held: str) -> float:
    """How much finding the term ``held`` counts for the term ``wanted``: 1 for the same, ``KIND`` for the same kind,
    ``PART`` when one is the beginning or the end of the other ("brück" of "königsbrück"), else 0.
    """
    if wanted == held:
        return KIND if wanted.startswith(MARK) else 1.0
    short, long = sorted((wanted, held), key=len)
    if len(short) < SHORTEST_PART or len(long) - len(short) < SHORTEST_REST or _PAIRED.match(short):
        return 0.0
    return PART if long.startswith(short) or long.endswith(short) else 0.0


_remembered = lru_cache(maxsize=2_000)(fresh_terms)


def forget_terms() -> None:
    """Drop the texts and words whose terms are remembered."""
    _remembered.cache_clear()
    _term.cache_clear()
    stem.cache_clear()
