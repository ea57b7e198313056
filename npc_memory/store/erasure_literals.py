"""Which words in rows are our own. They are nobody's id and nobody's name, though a player may be called "player"."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from npc_memory.memory import DEPRECATED
from npc_memory.memory.records import SILENCE

__all__ = ["FIELDS", "TAGS", "is_ours", "scope_parts", "shown_texts", "told_texts"]

TAGS = frozenset({"engine", "player", "reply", SILENCE})
"""What ``provenance`` says of a record that was made from no other."""

FIELDS = frozenset(
    "actions affection amount args confidence debt exact fear id name object of public reason relation relations"
    " respect scope slot source subject to triples trust valid_from valid_to value".split()
)
"""Names of fields in the ``data`` of an event and in an action."""

_OURS = {
    "kind": frozenset({"action-done", "action-refused", "talk", "tell", "whisper"}),
    "reason": frozenset({DEPRECATED, "deleted", "edited", "said anew"}),
    "slot": frozenset({"home", "spouse"}),
}
"""Values of these columns that something is done by."""

_ANSWERED = frozenset({"kind", "mood", "reason", "verb"})
_SHOWN = frozenset({"grammar_sha256", "model", "policy", "prompt_sha256", "sampling", "spec", "template"})


def is_ours(column: str, value: str) -> bool:
    """Whether ``value`` of ``column`` is a word of ours as a whole."""
    return value in _OURS.get(column, ())


def scope_parts(scope: str) -> tuple[str, str]:
    """What a scope begins with ("npc:", a word of ours), and the id after it."""
    kind, colon, id = scope.partition(":")
    return (kind + colon, id) if colon else ("", scope)


def told_texts(answer: str) -> Iterator[str]:
    """The texts in the answer kept for a key."""
    yield from _texts_in(
        answer, lambda found: [_without(found, _ANSWERED | {"answer"}), _without(found.get("answer"), _ANSWERED)]
    )


def shown_texts(payload: str) -> Iterator[str]:
    """The texts in an audit payload: of a prompt's sections what they say, not what they are called."""
    yield from _texts_in(payload, lambda found: [_said(found)])


def _texts_in(text: str, parts: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> Iterator[str]:
    try:
        found = json.loads(text)
    except ValueError:  # of nobody knows which version: all of it
        found = text
    for part in parts(found) if isinstance(found, dict) else [found]:
        yield from _leaves(part)


def _said(payload: dict[str, Any]) -> dict[str, Any]:
    said = _without(payload, _SHOWN)
    if isinstance(said.get("prompt"), list):
        said["prompt"] = [one[-1] if isinstance(one, list) and one else one for one in said["prompt"]]
    if isinstance(said.get("report"), dict):
        said["report"] = _without(said["report"], frozenset({"sections", "unit"}))
    return said


def _without(value: Any, fields: frozenset[str]) -> dict[str, Any]:
    return {key: one for key, one in value.items() if key not in fields} if isinstance(value, dict) else {}


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
