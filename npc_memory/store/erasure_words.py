"""The words that name a person, and how they are found in what others said.

A name is found as a word, in any case, composed or decomposed, with the endings that a name takes ("Rolfs",
"Довакина"). In scripts that put no spaces between words, and in Korean, whose endings stick to the name, it is found
anywhere.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from npc_memory.store.erasure_literals import FIELDS

__all__ = ["STAND_IN", "Words"]

STAND_IN = "someone"
"""What is read in place of a name that was struck out."""

_STICKING = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_STICKS = re.compile(f"[{_STICKING}]")
_LETTER = rf"[^\W_{_STICKING}]"

INFLECTED = 5
"""Names of so many letters may have an ending of two letters; shorter ones only an "s"."""


class Words:
    """``names`` (ids and display names) of one person. A name that is also somebody else's, one of ``spared``, is
    nobody's: it is not looked for. A longer name of somebody else that holds it ("Rolf the Red") stays whole.
    """

    def __init__(self, names: Iterable[str], spared: Iterable[str] = ()) -> None:
        others = {_folded(one): one for one in sorted(spared) if _says_something(one)}
        self.names = tuple(sorted({one for one in names if _says_something(one) and _folded(one) not in others}))
        folded = [_folded(one) for one in self.names]
        longer = [one for key, one in sorted(others.items()) if any(part in key for part in folded)]
        kept, found = _either(longer, ending=False), _either(self.names, ending=True)
        self._pattern = re.compile(f"(?P<kept>{kept})|{found}" if kept else found or r"(?!)", re.IGNORECASE)
        # A quick look for what every match begins with; in JSON a quotation mark in a name is escaped.
        starts = sorted({form.split()[0].lower() for one in self.names for form in _forms(one)})
        needles = dict.fromkeys(re.escape(one) for start in starts for one in (start, _in_json(start)))
        self._needles = re.compile("|".join(needles) or r"(?!)")

    def found(self, text: str) -> bool:
        """Whether ``text`` names the person."""
        return self.may_hold(text) and any(not self._spared(one) for one in self._pattern.finditer(text))

    def struck(self, text: str) -> str:
        """``text`` with ``STAND_IN`` in place of every name of the person."""
        if not self.may_hold(text):
            return text
        return self._pattern.sub(lambda one: one.group() if self._spared(one) else STAND_IN, text)

    def may_hold(self, text: str) -> bool:
        """False when ``text`` cannot name the person; quick."""
        return self._needles.search(text.lower()) is not None

    def struck_from(self, value: Any) -> Any:
        """The same for a plain value: its texts, also those that are keys of a map, if we do not read them."""
        if isinstance(value, str):
            return self.struck(value)
        if isinstance(value, list):
            return [self.struck_from(one) for one in value]
        if isinstance(value, dict):
            return {key if key in FIELDS else self.struck(key): self.struck_from(one) for key, one in value.items()}
        return value

    @staticmethod
    def _spared(match: re.Match[str]) -> bool:
        return match.groupdict().get("kept") is not None


def _says_something(name: str) -> bool:
    """A name without a letter or a digit is in every text."""
    return any(one.isalnum() for one in name)


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _in_json(form: str) -> str:
    return json.dumps(form, ensure_ascii=False)[1:-1]


def _forms(name: str) -> list[str]:
    """The ways a name may be written; what differs in simple case only is left to the pattern."""
    cased = dict.fromkeys((name, name.upper(), name.lower(), name.casefold()))
    return list(cased | dict.fromkeys(unicodedata.normalize(form, one) for one in cased for form in ("NFC", "NFD")))


def _either(names: Iterable[str], *, ending: bool) -> str:
    """A pattern for any of ``names``, the longest first."""
    forms = sorted({form for one in names for form in _forms(one)}, key=lambda one: (-len(one), one))
    return "|".join(_pattern_of(form, ending) for form in forms)


def _pattern_of(form: str, ending: bool) -> str:
    words = form.split()
    body = r"\s+".join(re.escape(word) for word in words)
    before = "" if _STICKS.match(words[0]) else rf"(?-i:(?<!{_LETTER}))"
    if _STICKS.match(words[-1][-1]):
        return f"{before}{body}"
    last = words[-1]
    suffix = ""
    if ending and last[-1].isalpha():
        suffix = r"(?-i:[^\W\d_]{0,2})" if len(last) >= INFLECTED else "s?" if len(last) > 1 else ""
    return rf"{before}{body}{suffix}(?-i:(?!{_LETTER}))"
