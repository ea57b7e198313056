"""Why a map is no frame, as the typed error that tells its sender which field is wrong and what it should be."""

from __future__ import annotations

from typing import Any, cast

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from bridge.messages.fields import TooLong
from npc_memory.errors import FrameInvalid, InvalidInput, NpcMemoryError

__all__ = ["validated"]

LONGEST_PATH = 200
"""Characters of a field's path that are told back."""

WANTED = {
    "string_type": "text",
    "int_type": "an integer",
    "float_type": "a number",
    "bool_type": "a boolean",
    "list_type": "a list",
    "dict_type": "a map",
    "none_required": "null",
}
"""What the checks of pydantic ask for, in the wire's words."""


def validated(adapter: TypeAdapter[Any], data: dict[str, Any]) -> BaseModel:
    """The frame in ``data``. Raises ``FrameInvalid`` for an unknown type, ``TextTooLong``, else ``InvalidInput``."""
    try:
        return cast(BaseModel, adapter.validate_python(data))
    except ValidationError as error:
        raise _refusal(error, data) from None


def _refusal(error: ValidationError, data: dict[str, Any]) -> NpcMemoryError:
    """The first problem as a typed error, a text too long before others; ``details.field`` says where it is."""
    problems = error.errors(include_url=False, include_input=False)
    for problem in problems:
        cause = problem.get("ctx", {}).get("error")
        if isinstance(cause, TooLong):
            return cause.at(_path(problem, data))
    kind = data.get("type")
    if not isinstance(kind, str):
        return FrameInvalid("a frame without a type", hint='e.g. {"type": "ping", "id": 1}')
    if problems[0]["type"] == "union_tag_invalid":
        return FrameInvalid(f"there is no frame {kind[:50]!r}", hint="docs/wire.md lists all frames")
    field = _path(problems[0], data)
    said = _said([problem for problem in problems if _path(problem, data) == field])
    return InvalidInput(
        f"{kind}: {field}{': ' if field else ''}{said}",
        hint="docs/wire.md lists the fields of every frame",
        details={"field": field},
    )


def _said(problems: list[ErrorDetails]) -> str:
    """What is wrong with one field; each member of a union has its own problem with it."""
    wanted = [WANTED[problem["type"]] for problem in problems if problem["type"] in WANTED]
    if len(wanted) == len(problems):
        return "should be " + (" or ".join(wanted) if len(wanted) < 3 else f"{', '.join(wanted[:-1])} or {wanted[-1]}")
    first = problems[0]
    if first["type"] == "missing":
        return "is missing"
    if first["type"] in ("too_short", "too_long"):
        bound = "at least {min_length}" if first["type"] == "too_short" else "at most {max_length}"
        return f"should have {bound.format(**first['ctx'])}, it has {first['ctx']['actual_length']}"
    return first["msg"].removeprefix("Value error, ").removeprefix("Input ")


def _path(problem: ErrorDetails, data: dict[str, Any]) -> str:
    """Where in the frame. What ``data`` does not have is a name of pydantic's own, unless it is the missing field."""
    loc, steps = problem["loc"][1:], []
    value: Any = data
    for number, step in enumerate(loc, 1):
        if _holds(value, step):
            value = value[step]
        elif problem["type"] != "missing" or number != len(loc):
            break
        name = str(step)
        steps.append(name if name.isprintable() else ascii(name)[1:-1])
    return ".".join(steps)[:LONGEST_PATH]


def _holds(value: Any, step: int | str) -> bool:
    return isinstance(step, int) if isinstance(value, list) else isinstance(value, dict) and step in value
