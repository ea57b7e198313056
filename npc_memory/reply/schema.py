"""What a reply is: words, a mood, and perhaps an action the game offered. One pydantic schema, specialised per NPC.

``ReplySpec`` says what this NPC may do now; ``reply_model`` makes the pydantic model that holds exactly that, and the
grammar is derived from the model's JSON schema, so that the two cannot drift apart.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, create_model

from npc_memory.errors import InvalidInput

__all__ = ["MAX_ARG_CHARS", "Action", "ActionSpec", "Reply", "ReplySpec", "Shape", "reply_model"]

MAX_ARG_CHARS = 40
"""Longest argument of an action, in characters."""
MIN_SAY_CHARS = 16
"""Shortest sensible bound on ``say``, in characters."""
MAX_SAY_CHARS = 2000
"""Largest bound on ``say``, in characters (llama.cpp refuses grammars that repeat more often)."""
_UNSAFE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_JOINERS = {0x200C: None, 0x200D: None}  # part of Persian and Indic words
_RESERVED = frozenset('()[]{}<>|:;\\"`')

Shape = Literal["line", "json"]
"""How a reply looks between model and module: two short lines of plain text, or one JSON object."""


class Action(BaseModel):
    """An action the NPC wants: the ``id`` it was offered under and its arguments by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    args: dict[str, str] = Field(default_factory=dict)


class Reply(BaseModel):
    """One parsed reply: what she says, her mood ("" when she has none), and an action or None."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    say: Annotated[str, Field(min_length=1)]
    mood: str = ""
    action: Action | None = None


def _literal(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or value != value.strip() or len(value) > 60:
        raise InvalidInput(f"{what} must be 1 to 60 characters of text without space around it, not {value!r}")
    if any(c in _RESERVED or unicodedata.category(c) in _UNSAFE for c in value.translate(_JOINERS)):
        raise InvalidInput(
            f"{what} {value!r} holds a character that has a meaning in replies",
            hint="use letters, digits, spaces, '_', '-', '.' or an apostrophe; letters of any script are fine",
        )
    return value


def _distinct(values: tuple[str, ...], what: str) -> None:
    if len(set(values)) != len(values):
        raise InvalidInput(f"{what} {list(values)!r} are not all different", hint="name each one once")


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """An action the game offers: its ``id`` and the names of its arguments, in the order they are written."""

    id: str
    args: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _literal(self.id, "an action id")
        object.__setattr__(self, "args", tuple(_literal(a, f"an argument of {self.id!r}") for a in self.args))
        _distinct(self.args, f"arguments of {self.id!r}")


@dataclass(frozen=True, slots=True)
class ReplySpec:
    """What one reply may hold. The first mood is the one assumed when a reply names none.

    ``max_chars`` bounds ``say`` (16 to 2000 characters). Raises ``InvalidInput`` for moods or ids that could not be
    told apart from the text around them.
    """

    moods: tuple[str, ...] = ()
    actions: tuple[ActionSpec, ...] = ()
    max_chars: int = 240
    shape: Shape = "line"

    def __post_init__(self) -> None:
        object.__setattr__(self, "moods", tuple(_literal(m, "a mood") for m in self.moods))
        object.__setattr__(self, "actions", tuple(self.actions))
        _distinct(self.moods, "moods")
        _distinct(tuple(a.id for a in self.actions), "action ids")
        if type(self.max_chars) is not int or not MIN_SAY_CHARS <= self.max_chars <= MAX_SAY_CHARS:
            raise InvalidInput(f"max_chars must be {MIN_SAY_CHARS} to {MAX_SAY_CHARS}, not {self.max_chars!r}")
        if self.shape not in ("line", "json"):
            raise InvalidInput(f"shape must be 'line' or 'json', not {self.shape!r}")

    @property
    def default_mood(self) -> str:
        """The first mood, or "" when there are none."""
        return self.moods[0] if self.moods else ""

    def action(self, id: str) -> ActionSpec | None:
        """The offered action of that id, or None."""
        return next((a for a in self.actions if a.id == id), None)


def _one_of(values: tuple[str, ...]) -> Any:
    return Literal[values]


def _action_model(spec: ActionSpec) -> type[BaseModel]:
    # Aliases, because an argument's name need not be an identifier and may be that of a BaseModel method.
    text = Annotated[str, Field(min_length=1, max_length=MAX_ARG_CHARS)]
    fields: dict[str, Any] = {f"a{n}": (text, Field(alias=name)) for n, name in enumerate(spec.args)}
    args = create_model("Args", __config__=ConfigDict(extra="forbid"), **fields)
    return create_model(
        "Action", __config__=ConfigDict(extra="forbid"), id=(_one_of((spec.id,)), ...), args=(args, ...)
    )


@lru_cache(maxsize=256)
def reply_model(spec: ReplySpec) -> type[BaseModel]:
    """The pydantic model of exactly the replies that ``spec`` allows; its fields are in the order they are written."""
    fields: dict[str, Any] = {"say": (Annotated[str, Field(min_length=1, max_length=spec.max_chars)], ...)}
    if spec.moods:
        fields["mood"] = (_one_of(spec.moods), ...)
    if spec.actions:
        fields["action"] = (Union[(None, *(_action_model(a) for a in spec.actions))], ...)
    return create_model("Reply", __config__=ConfigDict(extra="forbid"), **fields)
