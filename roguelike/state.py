"""Everything a game is, as plain records. What is not in here does not outlive a save, so it must not matter."""

from __future__ import annotations

from dataclasses import dataclass, field

from roguelike.dice import Dice

__all__ = ["VERSION", "Deed", "Effect", "Hero", "Item", "Level", "LogLine", "Monster", "Person", "Plot", "State"]

VERSION = 1
"""Of the format of a saved game."""

Effect = dict[str, int]
"""Name of an effect to the turns it still lasts."""


@dataclass
class Item:
    """A thing. ``kind``: its entry in the catalogue. ``x``, ``y``: where it lies, while it lies. ``owner``: whose it
    is, the id of a person; empty: nobody's. ``left``: turns a light still burns. ``edge``: what a smith put on it.
    ``on``: wielded, worn or burning.
    """

    id: str
    kind: str
    x: int = -1
    y: int = -1
    owner: str = ""
    left: int = 0
    on: bool = False
    edge: int = 0


@dataclass
class Monster:
    """Something that bites. ``awake``: 0 asleep, 1 hunting, 2 fleeing. ``seen_x``, ``seen_y``: where it last saw the
    hero. ``energy``: a hundred are a step.
    """

    id: str
    kind: str
    x: int
    y: int
    hp: int
    awake: int = 0
    energy: int = 0
    seen_x: int = -1
    seen_y: int = -1
    hidden: bool = False
    effects: Effect = field(default_factory=dict)


@dataclass
class Person:
    """Somebody of the town. ``place``: the place of the pack last reported. ``down``: turns until she is on her feet
    again. ``gone``: left the town for good. ``met``: the players she has talked with.
    """

    id: str
    x: int
    y: int
    place: str
    down: int = 0
    gone: bool = False
    angry: int = 0
    asleep: bool = False
    errand: str = ""
    errand_until: int = 0
    pack: list[Item] = field(default_factory=list)
    met: list[str] = field(default_factory=list)


@dataclass
class Level:
    """A map. ``rows``: tiles by letter. ``seen``: for each row a bit for each tile the hero has seen, in
    hexadecimal.
    """

    id: str
    rows: list[str]
    seen: list[str]
    up: tuple[int, int] = (-1, -1)
    down: tuple[int, int] = (-1, -1)
    items: list[Item] = field(default_factory=list)
    monsters: list[Monster] = field(default_factory=list)


@dataclass
class Hero:
    """Who the player is. ``id``: his player id on the wire. ``level``: of experience; ``where``: the id of the map."""

    id: str
    name: str
    x: int
    y: int
    where: str = "town"
    hp: int = 30
    max_hp: int = 30
    level: int = 1
    experience: int = 0
    coppers: int = 60
    pack: list[Item] = field(default_factory=list)
    effects: Effect = field(default_factory=dict)
    talking: str = ""


@dataclass
class Deed:
    """Something a hero did that people judge him by. ``known``: who saw it or has heard of it, in that order."""

    id: str
    kind: str
    hero: str
    target: str
    text: str
    minute: int
    known: list[str] = field(default_factory=list)


@dataclass
class Plot:
    """How far the story is. ``clues``: what each hero knows: clue to (source, game time). ``flags``: what has come
    about.
    """

    chapter: int = 1
    clues: dict[str, dict[str, tuple[str, int]]] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    promises: dict[str, list[str]] = field(default_factory=dict)
    met: dict[str, int] = field(default_factory=dict)
    ending: str = ""


@dataclass
class LogLine:
    """A line of the log."""

    text: str
    kind: str


@dataclass
class State:
    """A game. ``turn``: commands that took time. ``minute``: the game's clock. ``serial``: the last number given to a
    thing.
    """

    seed: int
    dice: Dice
    hero: Hero
    minute: int
    turn: int = 0
    serial: int = 0
    version: int = VERSION
    levels: dict[str, Level] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    plot: Plot = field(default_factory=Plot)
    log: list[LogLine] = field(default_factory=list)
    graves: list[str] = field(default_factory=list)
    dead: bool = False
