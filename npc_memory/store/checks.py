"""What a record's fields must be before they are stored. Lone surrogates, which UTF-8 cannot hold, are dropped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from npc_memory.errors import InvalidInput, TextTooLong
from npc_memory.memory import StateValue, TurnMark, check_id
from npc_memory.memory.relationships import BOUNDS, How

__all__ = [
    "HOWS",
    "MARKS",
    "MAX_TEXT_BYTES",
    "count",
    "flag",
    "fraction",
    "ids",
    "minutes",
    "move",
    "optional_id",
    "plain",
    "signed_fraction",
    "state_value",
    "text",
    "without_surrogates",
    "words_of_a_turn",
]

MAX_TEXT_BYTES = 64 * 1024
"""Longest text of a record, in bytes of UTF-8."""

MARKS: tuple[TurnMark, ...] = ("", "fallback", "interrupted")

HOWS: tuple[How, ...] = ("by", "to", "off")

MAX_DEPTH = 16
"""Most levels of maps and lists in a value."""

_INT64 = range(-(2**63), 2**63)


def without_surrogates(value: object, what: str) -> str:
    """``value`` without lone surrogates; ``InvalidInput`` when it is not text."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}", hint="pass a str")
    return value.encode("utf-8", "ignore").decode("utf-8")


def text(value: object, what: str) -> str:
    """``value`` without lone surrogates; ``TextTooLong`` over 64 KiB."""
    clean = without_surrogates(value, what)
    size = len(clean.encode("utf-8"))
    if size > MAX_TEXT_BYTES:
        raise TextTooLong(what, size, MAX_TEXT_BYTES)
    return clean


def optional_id(value: object, what: str) -> str:
    """``value`` if it is an id or ""."""
    return "" if value == "" else check_id(value, what)


def ids(values: object, what: str) -> tuple[str, ...]:
    """``values`` as a tuple of ids, in order."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(f"{what} must be a list of ids, not {type(values).__name__}", hint="pass a tuple of ids")
    return tuple(check_id(one, f"{what}[]") for one in values)


def minutes(value: object, what: str) -> int:
    """``value`` if it is a game time: an int64 number of minutes."""
    if type(value) is not int or value not in _INT64:
        raise InvalidInput(f"{what} must be an integer number of game minutes, not {value!r}", hint="pass an int")
    return value


def fraction(value: object, what: str) -> float:
    """``value`` as a float from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:  # NaN is not, either
        raise InvalidInput(f"{what} must be a number from 0 to 1, not {value!r}", hint="scale it to 0 to 1")
    return float(value)


def signed_fraction(value: object, what: str) -> float:
    """``value`` as a float from -1 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:  # NaN is not, either
        raise InvalidInput(f"{what} must be a number from -1 to 1, not {value!r}", hint="scale it to -1 to 1")
    return float(value) + 0.0  # no -0.0, which reads differently


def count(value: object, what: str) -> int:
    """``value`` if it is an int64 that is not negative."""
    if not isinstance(value, int) or minutes(value, what) < 0:
        raise InvalidInput(f"{what} must be a number from 0 on, not {value!r}", hint="pass an int")
    return value


def flag(value: object, what: str) -> bool:
    """``value`` if it is a bool: "no" would be taken for yes."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{what} must be true or false, not {value!r}", hint="pass a bool")
    return value


def move(kind: object, how: object, amount: object) -> tuple[str, str, int]:
    """Kind, way and amount of a change of a relationship. An amount may be as large as the kind's range is."""
    if kind not in BOUNDS or not isinstance(kind, str):
        raise InvalidInput(f"there is no relationship of kind {kind!r}", hint=f"use one of {', '.join(BOUNDS)}")
    if how not in HOWS or not isinstance(how, str):
        raise InvalidInput(f"a relationship cannot change {how!r}", hint='use "by", "to" or "off"')
    low, high = BOUNDS[kind]
    least, most = (low, high) if how == "to" else (low - high, high - low)
    if type(amount) is not int or not least <= amount <= most:
        raise InvalidInput(
            f"{kind} must be a whole number from {least} to {most}, not {amount!r}", hint="keep it in these bounds"
        )
    return kind, how, amount


def words_of_a_turn(said: str, mark: str, mood: str, action: str) -> tuple[str, str, str, str]:
    """Text, mark, mood and action of a turn, if they can be stored."""
    if mark not in MARKS:
        raise InvalidInput(f"a turn's mark cannot be {mark!r}", hint='use "", "fallback" or "interrupted"')
    return text(said, "a turn's text"), mark, text(mood, "a mood"), text(action, "an action")


def plain(value: Mapping[str, Any], what: str) -> dict[str, Any]:
    """``value`` if it is a map of plain values (text, integers, finite numbers, booleans, None, lists, maps)."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} must be a map, not {type(value).__name__}", hint="pass a dict with text keys")
    found = _plain(value, what, 0)
    assert isinstance(found, dict)
    return found


def _plain(value: object, what: str, depth: int) -> object:
    if isinstance(value, str):
        return without_surrogates(value, what)
    if value is None or isinstance(value, bool) or (isinstance(value, int) and value in _INT64):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if depth < MAX_DEPTH and isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {without_surrogates(key, what): _plain(one, what, depth + 1) for key, one in value.items()}
    if depth < MAX_DEPTH and isinstance(value, list | tuple):
        return [_plain(one, what, depth + 1) for one in value]
    raise InvalidInput(f"{what} cannot hold {value!r}", hint=f"plain values, at most {MAX_DEPTH} levels deep")


def state_value(value: object, what: str) -> StateValue | None:
    """``value`` if world state can hold it: text, an int64, a boolean, or None to remove."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value, what)
    if isinstance(value, int) and value in _INT64:
        return int(value)
    raise InvalidInput(
        f"{what} must be text, an integer (int64) or a boolean, not {value!r}",
        hint="send fractions as text or as an integer of a smaller unit",
    )
