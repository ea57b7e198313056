"""What comes of a command, in order: things for the screen, and things the people of the town may remember.

Those for the memory carry the words of the wire: ``Observed`` becomes ``observe``, ``StateSet`` ``set_state``,
``ActorAt`` ``actor``, ``Clock`` ``clock``, ``Meeting`` ``converse``, ``Ended`` ``end``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "ActorAt",
    "Clock",
    "Died",
    "Ended",
    "Ending",
    "Happening",
    "LevelChanged",
    "Line",
    "Meeting",
    "Message",
    "Met",
    "Observed",
    "Offered",
    "StateSet",
    "Tone",
]

Tone = Literal["plain", "good", "bad", "danger", "quest", "speech", "dim"]


@dataclass(frozen=True)
class Message:
    """A line for the log. ``kind`` picks its colour."""

    text: str
    kind: Tone = "plain"


@dataclass(frozen=True)
class Met:
    """The hero walked into somebody who may be talked to; ``came``: she came up to him, with something on her mind."""

    npc: str
    came: bool = False


@dataclass(frozen=True)
class Line:
    """Something an NPC says by the book, whatever the model made of her: a clue, a hint, a refusal. Shown as her
    speech.
    """

    npc: str
    text: str
    mood: str = "calm"


@dataclass(frozen=True)
class Offered:
    """An NPC would do this if the hero agrees: an ``action`` of the pack with its ``args``. ``label``: in words."""

    npc: str
    action: str
    label: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LevelChanged:
    """The hero is somewhere else now. ``level``: its id, ``name``: what to call it."""

    level: str
    name: str


@dataclass(frozen=True)
class Died:
    """The hero is dead; ``Game.next_hero`` goes on in the same world. ``cause``: what to carve on the stone."""

    player: str
    cause: str


@dataclass(frozen=True)
class Ending:
    """The story is over. ``id`` is a literal, ``text`` a few paragraphs."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Observed:
    """Something happened, in words; ``audience`` are the ids of those who truly saw it, and nobody else remembers
    it.
    """

    kind: str
    text: str
    place: str | None = None
    actor: str | None = None
    target: str | None = None
    audience: tuple[str, ...] = ()
    importance: float | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StateSet:
    """World state has changed. ``scope``: as on the wire (``everyone`` when None)."""

    entries: Mapping[str, str | int | bool]
    scope: str | None = None


@dataclass(frozen=True)
class ActorAt:
    """Somebody is at another place of the pack now (None: at none of them), or has got a name."""

    actor: str
    name: str | None = None
    place: str | None = None
    faction: str | None = None


@dataclass(frozen=True)
class Clock:
    """The game's clock, in minutes."""

    game_time: int


@dataclass(frozen=True)
class Meeting:
    """Two NPCs have met and have something to say to each other about ``topic``."""

    a: str
    b: str
    place: str | None
    topic: str


@dataclass(frozen=True)
class Ended:
    """The hero has walked away from somebody he was talking with: that session is over."""

    npc: str
    player: str


Happening = (
    Message
    | Met
    | Line
    | Offered
    | LevelChanged
    | Died
    | Ending
    | Observed
    | StateSet
    | ActorAt
    | Clock
    | Meeting
    | Ended
)
