"""What the fields of frames may hold. The limits of the wire stand here, once."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from npc_memory.errors import InvalidInput, TextTooLong
from npc_memory.memory.text import MAX_ID_CHARS, check_id

__all__ = [
    "INT64",
    "MAX_TEXT_BYTES",
    "Frame",
    "Id",
    "Ids",
    "Importance",
    "Int64",
    "Minutes",
    "OptionalId",
    "Part",
    "Text",
    "TooLong",
]

INT64 = range(-(2**63), 2**63)

MAX_TEXT_BYTES = 64 * 1024
"""Longest text of one field, in bytes of UTF-8."""


class TooLong(ValueError):
    """A text over its limit, on its way through pydantic. ``size`` in bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size} bytes are more than {MAX_TEXT_BYTES}")
        self.size = size

    def at(self, field: str) -> TextTooLong:
        """The error for the client; ``field`` says where."""
        return TextTooLong(field, self.size, MAX_TEXT_BYTES)


def _short_enough(text: str) -> str:
    if len(text) * 4 > MAX_TEXT_BYTES and (size := len(text.encode("utf-8"))) > MAX_TEXT_BYTES:
        raise TooLong(size)
    return text


def _an_id(text: str) -> str:
    if text.isprintable() and 0 < len(text) <= MAX_ID_CHARS:
        return text  # the quick way: nothing printable is forbidden in an id
    try:
        return check_id(text, "the id")
    except InvalidInput as error:
        raise ValueError(error.message) from error


def _an_id_or_none(text: str) -> str | None:
    return _an_id(text) if text else None


class Part(BaseModel):
    """A map within a frame: frozen, no coercion, unknown fields ignored (the wire's rule of evolution)."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    def fields(self) -> dict[str, Any]:
        """The map that travels; a field that is None is not sent."""
        return {
            name: value if type(value) in _BARE else _bare(value)
            for name, value in self.__dict__.items()
            if value is not None
        }


class Frame(Part):
    """Base of all frames; ``type`` says which one it is."""

    type: str


_BARE = frozenset({str, int, bool, float, dict})


def _bare(value: Any) -> Any:
    if isinstance(value, Part):
        return value.fields()
    if type(value) is list:
        return [_bare(each) for each in value]
    return value


Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Minutes = Annotated[int, Field(ge=0, lt=2**63, description="game minutes")]
Text = Annotated[str, AfterValidator(_short_enough), Field(description="text")]
Id = Annotated[str, AfterValidator(_an_id), Field(description="id")]
OptionalId = Annotated[str, AfterValidator(_an_id_or_none), Field(description="id")] | None
"""An id that may be left out; "" and null count as left out, for languages in which a text is never missing."""
Ids = list[Id]
Importance = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
