"""What the screen needs, as one frozen picture. Nothing in it leads back into the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from roguelike.happenings import Happening, Message

__all__ = ["Bars", "Carried", "Cell", "Done", "Figure", "Journal", "JournalEntry", "Topic", "View"]

Sight = Literal["lit", "seen", "unseen"]


@dataclass(frozen=True)
class Cell:
    """A tile of the map. ``lit``: in view now; ``seen``: as remembered; ``unseen``: a blank. ``colour``:
    ``#rrggbb``.
    """

    glyph: str
    colour: str
    sight: Sight


@dataclass(frozen=True)
class Figure:
    """Somebody or something in view. ``kind``: hero, person, monster or item. ``note``: hurt, asleep, angry …, or
    empty.
    """

    id: str
    name: str
    glyph: str
    colour: str
    x: int
    y: int
    kind: str
    note: str = ""


@dataclass(frozen=True)
class Carried:
    """An item in the hero's pack. ``equipped``: wielded, worn or burning. ``verb``: what Use does, empty for
    nothing.
    """

    id: str
    name: str
    glyph: str
    colour: str
    equipped: bool
    about: str
    verb: str = ""


@dataclass(frozen=True)
class Bars:
    """The hero in numbers. ``coppers``: ten are a silver. ``light``: turns until the burning light goes out."""

    id: str
    name: str
    hp: int
    max_hp: int
    attack: int
    guard: int
    coppers: int
    level: int
    light: int
    effects: tuple[str, ...] = ()


@dataclass(frozen=True)
class View:
    """The game as the hero sees it. ``tiles[y][x]``. ``level``: an id; ``place``: a place of the world pack or None."""

    width: int
    height: int
    tiles: tuple[tuple[Cell, ...], ...]
    figures: tuple[Figure, ...]
    hero: Bars
    x: int
    y: int
    pack: tuple[Carried, ...]
    level: str
    level_name: str
    place: str | None
    time_text: str
    game_time: int
    turn: int
    log: tuple[Message, ...]
    over: str | None


@dataclass(frozen=True)
class JournalEntry:
    """Something the hero knows. ``source``: a person's name, or what it was found on."""

    text: str
    source: str
    day: str


@dataclass(frozen=True)
class Journal:
    """What the hero knows, what he promised, what he could do next (best first)."""

    entries: tuple[JournalEntry, ...]
    promises: tuple[str, ...]
    leads: tuple[str, ...]


@dataclass(frozen=True)
class Topic:
    """Something one can ask an NPC about. ``line``: the question, to be said as it stands. ``fresh``: she has something
    to say about it that this hero has not heard from her.
    """

    id: str
    label: str
    line: str
    fresh: bool = True


@dataclass(frozen=True)
class Done:
    """What the game made of an action an NPC wanted. ``error``: why it refused, for ``result``."""

    ok: bool
    error: str = ""
    happenings: tuple[Happening, ...] = ()
