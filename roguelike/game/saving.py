"""A game as bytes and back: canonical JSON with a version, the same bytes for the same game on every machine."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from npc_memory.errors import InvalidInput
from roguelike.game.checks import wrong
from roguelike.state import VERSION, State

__all__ = ["dump", "load"]

STATE = TypeAdapter(State)
HINT = "load another slot; a saved game cannot be mended by hand"


def dump(state: State) -> bytes:
    """The game, whole."""
    plain = STATE.dump_python(state, mode="json")
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def load(data: bytes) -> State:
    """The game that ``dump`` wrote. Raises ``InvalidInput`` for what it did not write, or a newer game did."""
    try:
        plain: Any = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InvalidInput("not a saved game: it is no JSON text", hint=HINT) from error
    version = plain.get("version") if isinstance(plain, dict) else None
    if type(version) is int and version > VERSION:
        raise InvalidInput(
            f"a saved game of format {version}; this game reads up to {VERSION}", hint="play it with a newer Emberfall"
        )
    try:
        state = STATE.validate_json(data, strict=True)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InvalidInput(f"not a saved game: {where or 'the whole'} is wrong", hint=HINT) from error
    problem = wrong(state)
    if problem:
        raise InvalidInput(f"not a saved game: {problem} is wrong", hint=HINT)
    return state
