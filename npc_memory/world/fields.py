"""The field types of the pack schema, with errors that name the cure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator
from pydantic_core import PydanticCustomError

from npc_memory.errors import InvalidInput
from npc_memory.memory import StateValue, check_id, clean_text
from npc_memory.world.calendar import PLACEHOLDERS
from npc_memory.world.patterns import PatternRefused, compile_pattern

__all__ = [
    "CalendarText",
    "FileId",
    "Id",
    "Line",
    "Pattern",
    "Persona",
    "Scalar",
    "StateText",
    "Strict",
    "TripleText",
    "Word",
    "bad",
]


class Strict(BaseModel):
    """A part of a pack: nothing is coerced, nothing unknown is allowed, nothing changes later."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def bad(message: str, cure: str) -> PydanticCustomError:
    """An error that pydantic reports at the field, with a cure the loader passes on."""
    return PydanticCustomError("pack", "{message}", {"message": message, "cure": cure})


def _id(value: str) -> str:
    try:
        check_id(value, "an id")
    except InvalidInput as error:
        raise bad(error.message, error.hint) from error
    if value != value.strip():
        raise bad("an id has blanks at its ends", "remove them")
    return value


_UNSAFE = re.compile(r'[\\/:*?"<>|]|^\.|[. ]$')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def _file_id(value: str) -> str:
    if _UNSAFE.search(value) or _RESERVED.fullmatch(value) or len(value.encode()) > 100:
        raise bad(
            f"{value!r} cannot be a file name on every system",
            'use at most 100 bytes without \\ / : * ? " < > | and without a dot at either end',
        )
    return value


def _text(limit: int) -> Callable[[str], str]:
    def check(value: str) -> str:
        text = clean_text(value.strip())
        if not text.strip():
            raise bad("the text is empty", "write it, or remove the line")
        if len(text) > limit:
            raise bad(f"the text has {len(text)} characters, the limit is {limit}", "shorten it")
        return text

    return check


def _scalar(value: object) -> StateValue:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, int):
        return value
    raise bad("a state value is text, a whole number, true or false", "write one value, in quotes if it is text")


def _pattern(value: str) -> str:
    try:
        compile_pattern(value)
    except PatternRefused as error:
        raise bad(error.message, error.cure) from error
    return value


def _placeholders(known: tuple[str, ...]) -> Callable[[str], str]:
    def check(value: str) -> str:
        rest = re.sub(r"\{(?:" + "|".join(known) + r")\}", "", value)
        if "{" in rest or "}" in rest:
            raise bad(
                "the text holds braces that are no placeholder", "known: " + ", ".join(f"{{{name}}}" for name in known)
            )
        return value

    return check


def _version(value: object) -> object:
    return str(value) if type(value) is int else value


Id = Annotated[str, AfterValidator(_id)]
FileId = Annotated[Id, AfterValidator(_file_id)]
Word = Annotated[str, AfterValidator(_text(80))]
Line = Annotated[str, AfterValidator(_text(400))]
Persona = Annotated[str, AfterValidator(_text(2000))]
Pattern = Annotated[str, AfterValidator(_pattern)]
Scalar = Annotated[StateValue, PlainValidator(_scalar)]
StateText = Annotated[Line, AfterValidator(_placeholders(("value",)))]
TripleText = Annotated[Line, AfterValidator(_placeholders(("subject", "object")))]
CalendarText = Annotated[Line, AfterValidator(_placeholders(PLACEHOLDERS))]
Version = Annotated[Word, BeforeValidator(_version)]
Minutes = Annotated[int, Field(ge=-(2**62), le=2**62)]
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]


def as_list(value: Any) -> Any:
    """A single value where a list may stand."""
    return value if isinstance(value, list) else [value]
