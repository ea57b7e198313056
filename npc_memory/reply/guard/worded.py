"""A claim as English sentences: a state entry without words of its own, "north_gate: closed", gets some."""

from __future__ import annotations

import re

from npc_memory.reply.guard.lexicon import PREDICATES

__all__ = ["worded"]

_ENTRY = re.compile(r"([^:.!?]{1,80}): ([^:]{1,200}?)\.?$")
_NOISE = frozenset(("now", "today", "currently", "current", "is", "has", "are", "state", "status"))
_COUNTED = frozenset(("free", "open", "empty", "spare", "left"))


def worded(text: str) -> str:
    """``text``, or what "key: value" means in words.

    >>> worded("north_gate: closed"), worded("curfew: false"), worded("free_rooms: 0"), worded("imre_awake: true")
    ('The north gate is closed.', 'There is no curfew.', 'There are 0 free rooms.', 'The imre is awake.')
    """
    entry = _ENTRY.match(text)
    if entry is None:
        return text
    key = [word for word in re.split(r"[\s_.\-/]+", entry[1]) if word and word.casefold() not in _NOISE]
    value = entry[2].strip()
    if not key:
        return text
    if key[0].casefold() == "the":
        key = key[1:]
    if value.casefold() in ("true", "false", "yes", "no"):
        return _switched(key, value.casefold() in ("true", "yes"))
    name = " ".join(key)
    if re.fullmatch(r"-?\d+", value):
        counted = key[0].casefold() in _COUNTED or key[-1].endswith("s")
        return f"There are {value} {name}." if counted else f"The {name} is at {value}."
    return f"The {name} is {value.replace('_', ' ')}."


def _switched(key: list[str], on: bool) -> str:
    last = (key[-1].casefold(),)
    if len(key) > 1 and last in PREDICATES:
        return f"The {' '.join(key[:-1])} is {'' if on else 'not '}{key[-1]}."
    return f"There is {'a' if on else 'no'} {' '.join(key)}."
