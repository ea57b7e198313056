"""What of somebody a sentence tells: where he lives, whom he married. A few plain sentences of four languages.

A slot is something of which everybody has one at a time, so a newer value takes the place of an older one. Whatever is
not one of these sentences from beginning to end, or does not name one known person, has no slot: two beliefs beside
each other do less harm than one that is wrongly taken away.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["STATE", "Slot", "read_slot", "same_value"]

STATE = "state:"
"""A slot that begins so is a key of world state, and its value one of that key's."""


class Slot(NamedTuple):
    """What of whom, and which value it has."""

    subject: str
    slot: str
    value: str


_WHO = r"(?P<who>[^\W\d_][\w'’ -]{0,60}?)"
_WHAT = r"(?P<what>[\w'’][\w'’ -]{0,80}?)"
_SINCE = r"(?: (?:now|again|these days|jetzt|nun|wieder|теперь|сейчас))?"

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("home", rf"{_WHO} (?:now )?(?:lives|dwells|resides) (?:in|at) {_WHAT}"),
    ("home", rf"{_WHO} (?:has )?moved (?:from [\w'’ -]{{1,60}} )?to {_WHAT}"),
    ("spouse", rf"{_WHO} (?:is married to|has married|married) {_WHAT}"),
    ("home", rf"{_WHO} wohnt(?: jetzt| nun)? in {_WHAT}"),
    ("home", rf"{_WHO} ist (?:von [\w'’ -]{{1,60}} )?nach {_WHAT} (?:um)?gezogen"),
    ("spouse", rf"{_WHO} ist mit {_WHAT} verheiratet"),
    ("home", rf"{_WHO} (?:теперь |сейчас )?жив[её]т в {_WHAT}"),
    ("home", rf"{_WHO} переехала?(?: из [\w'’ -]{{1,60}})? в {_WHAT}"),
    ("home", r"(?P<who>\w{1,30}?)は(?:今は?、?|いま)?(?P<what>\w{1,40}?)に(?:住んでいる|住んでいます)"),
    ("home", r"(?P<who>\w{1,30}?)は(?:\w{1,30}?から)?(?P<what>\w{1,40}?)[にへ]引っ越し(?:た|ました)"),
)

_READERS = tuple((slot, re.compile(rf"\s*{pattern}{_SINCE}\s*[.!。！]?\s*")) for slot, pattern in _PATTERNS)

_PRONOUNS = frozenset("he she they er sie он она 彼 彼女".split())


def read_slot(text: str, subject: str, names: Mapping[str, str]) -> Slot | None:
    """What ``text`` tells of ``subject`` (an id; "": of the one it names). ``names`` are display names by id."""
    plain = unicodedata.normalize("NFKC", text)
    for slot, reader in _READERS:
        found = reader.fullmatch(plain) or (reader.fullmatch(f"he {plain}") if subject else None)
        if found is None:
            continue
        if found["what"][:1].islower():  # a name begins with a capital: "in fear" is no place
            return None
        who = found["who"]
        if subject and (_folded(who) in _PRONOUNS or _called(who, names.get(subject, subject))):
            return Slot(subject, slot, found["what"])
        if subject:
            return None
        called = [id for id in sorted(names) if _called(who, names[id])]
        return Slot(called[0], slot, found["what"]) if len(called) == 1 else None
    return None


def same_value(one: str, other: str) -> bool:
    """Whether two values of a slot are the same, whatever their case, spaces and punctuation."""
    return _value(one) == _value(other)


def _value(text: str) -> str:
    letters = (char if char.isalnum() or unicodedata.category(char).startswith("M") else " " for char in _folded(text))
    return " ".join("".join(letters).split())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _called(who: str, name: str) -> bool:
    """Whether somebody called ``name`` may be meant by ``who``: the whole of it, or one of its words."""
    words = _folded(name).split()
    return _folded(who) == " ".join(words) or _folded(who) in words
