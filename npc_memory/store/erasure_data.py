"""What is left of an event's ``data`` when a person is erased.

Beliefs, relations and triples are made of it long after, whenever the event is told on. So what it says of the person
goes as a whole: "someone" would be one whom everybody who was ever forgotten shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from npc_memory.store.erasure_literals import scope_parts
from npc_memory.store.erasure_words import Words

__all__ = ["data_left"]

_ENDS = frozenset({"object", "of", "relation", "subject", "to"})
"""The fields of a relation and of a triple that hold ids."""


def data_left(data: dict[str, Any], ids: Sequence[str], words: Words) -> dict[str, Any]:
    """``data`` without what it says of the person of these ``ids``, and with his names struck out of the rest."""

    def named(value: object) -> bool:
        return isinstance(value, str) and (value in ids or words.found(value))

    def about(entry: object) -> bool:
        if isinstance(entry, dict):
            return any(named(value) for key, value in entry.items() if key in _ENDS)
        return isinstance(entry, list) and any(map(named, entry))

    left = dict(data)
    for name in ("relations", "triples"):
        if isinstance(left.get(name), list):
            left[name] = [one for one in left[name] if not about(one)]
    if any(named(left.get(name)) for name in ("subject", "value")):
        left = {name: value for name, value in left.items() if name not in ("subject", "slot", "value")}
    struck: dict[str, Any] = words.struck_from({name: value for name, value in left.items() if name != "scope"})
    if "scope" in left:  # to whom it may be told stays a scope: without one it would be for everybody
        struck["scope"] = _struck_scope(left["scope"], words)
    return struck


def _struck_scope(scope: object, words: Words) -> object:
    if not isinstance(scope, str):
        return words.struck_from(scope)
    kind, id = scope_parts(scope)
    return f"{kind}{words.struck(id)}"
