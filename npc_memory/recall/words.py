"""Terms of a text, for matching: no locale, no rule that needs spaces.

Letters and digits of scripts that separate words form one term each, case-folded and with English endings trimmed;
runs of scripts that do not (Chinese, Japanese, Thai, Lao, Khmer, Burmese) become overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = ["STOP_WORDS", "forget_terms", "fresh_terms", "terms"]

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUNS = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)?")
_PAIRED = re.compile(rf"[{_UNSPACED}]")

STOP_WORDS = frozenset(
    """a about again all also am an and any are as at be been but by can could did do does done for from get go good
    had has have he hello her here hers hi him his how i if in into is it its just know let like may me might
    mine more my need needs no not now of off on one or our out over please said say says shall she should so
    some tell than thank thanks that the their them then there these they this those to too under up us very
    want wants was we well were what when where which who whom whose why will with would yes you your yours""".split()
)
"""English words that say nothing about what a line is about."""

SHORT = 500
"""Longest text whose terms are remembered, in characters."""

_ENDINGS = ("'s", "’s", "ing", "ed", "es", "s")


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def terms(text: str) -> tuple[str, ...]:
    """The terms of ``text`` in order, repeats included. Those of short texts are remembered: facts come again."""
    return _remembered(text) if len(text) <= SHORT else fresh_terms(text)


def fresh_terms(text: str) -> tuple[str, ...]:
    """The same, for a text that will not come again."""
    found: list[str] = []
    for run in _RUNS.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _PAIRED.match(run):
            found.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif run not in STOP_WORDS:
            found.append(_stem(run))
    return tuple(found)


_remembered = lru_cache(maxsize=2_000)(fresh_terms)


def forget_terms() -> None:
    """Drop the texts whose terms are remembered."""
    _remembered.cache_clear()
