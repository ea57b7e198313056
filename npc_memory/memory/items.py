"""What may enter a prompt: facts, state, rules, examples, turns, episodes, beliefs and agenda items.

All are frozen, all texts are cleaned on entry (``memory.text``), all ids are checked. Game times are integer minutes,
scores finite floats or int64 integers (higher is better).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from npc_memory.errors import InvalidInput
from npc_memory.memory.text import check_id, check_text, clean_text, is_clean, is_id

__all__ = ["AgendaItem", "Belief", "Episode", "Example", "Fact", "Rule", "StateEntry", "StateValue", "Turn"]

StateValue = str | int | bool
"""World state holds text, integers (int64) and booleans; nothing whose rendering could differ between machines."""

INT64 = range(-(2**63), 2**63)


def _clean(item: object, name: str) -> None:
    value = getattr(item, name)
    if not is_clean(value):
        object.__setattr__(item, name, check_text(value, f"{type(item).__name__}.{name}"))


def _id(item: object, name: str = "id") -> None:
    value = getattr(item, name)
    if not is_id(value):
        check_id(value, f"{type(item).__name__}.{name}")


def _minutes(item: object, name: str = "game_time") -> None:
    value = getattr(item, name)
    if type(value) is not int or value not in INT64:
        raise InvalidInput(
            f"{type(item).__name__}.{name} must be an integer number of game minutes, not {value!r}", hint="pass an int"
        )


def _finite(item: object, name: str) -> None:
    value = getattr(item, name)
    # An integer beyond int64 is as little a score as infinity is, and math.isfinite cannot even look at it.
    fits = isinstance(value, float) or (type(value) is int and value in INT64)
    if not fits or not math.isfinite(value):
        raise InvalidInput(f"{type(item).__name__}.{name} must be a finite number, not {value!r}", hint="pass a float")


def _ids(item: object, name: str) -> None:
    value = getattr(item, name)
    if type(value) is not tuple and (isinstance(value, str) or not isinstance(value, Iterable)):
        raise InvalidInput(
            f"{type(item).__name__}.{name} must be a list of ids, not {value!r}", hint="pass a list of str"
        )
    ids = tuple(value)
    for one in ids:
        if not is_id(one):
            check_id(one, f"{type(item).__name__}.{name}[]")
    object.__setattr__(item, name, ids)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of conduct the author gives (rank designer). Mandatory: it is in every prompt."""

    id: str
    text: str

    def __post_init__(self) -> None:
        _id(self)
        _clean(self, "text")


@dataclass(frozen=True, slots=True)
class Fact:
    """A canonical fact this NPC knows and that holds now (rank designer). Mandatory.

    ``public``: every NPC of the world knows it, so its text can stand in the prefix that all NPCs share.
    """

    id: str
    text: str
    public: bool = False

    def __post_init__(self) -> None:
        _id(self)
        _clean(self, "text")


@dataclass(frozen=True, slots=True)
class StateEntry:
    """A world-state entry in this NPC's scope (rank game). Mandatory.

    ``volatile``: changes often, so it stands in the prompt's tail. ``text`` is how the world pack words it; without
    one the prompt says "key: value".
    """

    key: str
    value: StateValue
    volatile: bool = False
    text: str = ""

    def __post_init__(self) -> None:
        _id(self, "key")
        _clean(self, "text")
        if isinstance(self.value, str):
            _clean(self, "value")
        elif not isinstance(self.value, int) or self.value not in INT64:
            raise InvalidInput(
                f"state {self.key!r} must be text, an integer (int64) or a boolean, not {self.value!r}",
                hint="send fractions as text or as an integer of a smaller unit",
            )

    def words(self) -> str:
        """The entry as the prompt says it."""
        if self.text:
            return self.text
        value = ("true" if self.value else "false") if isinstance(self.value, bool) else str(self.value)
        return f"{clean_text(self.key)}: {value}"


@dataclass(frozen=True, slots=True)
class Example:
    """An exchange the author wrote to show how this NPC talks; shown only while there is no dialogue."""

    id: str
    player: str
    npc: str

    def __post_init__(self) -> None:
        _id(self)
        _clean(self, "player")
        _clean(self, "npc")


@dataclass(frozen=True, slots=True)
class Turn:
    """One line by one speaker. ``speaker`` is a stable id; ``addressee`` is shown when it is a third party."""

    id: str
    speaker: str
    text: str
    game_time: int = 0
    addressee: str = ""

    def __post_init__(self) -> None:
        _id(self)
        _id(self, "speaker")
        _clean(self, "text")
        _minutes(self)
        if self.addressee:
            _id(self, "addressee")


@dataclass(frozen=True, slots=True)
class Episode:
    """Something this NPC lived through (rank reply). ``turns``: ids of the turns it was made from; ``folded``: ids of
    older ones that tell the same, for which this one stands.
    """

    id: str
    text: str
    score: float = 0.0
    game_time: int = 0
    turns: tuple[str, ...] = field(default=())
    folded: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        _id(self)
        _clean(self, "text")
        _finite(self, "score")
        _minutes(self)
        _ids(self, "turns")
        _ids(self, "folded")


@dataclass(frozen=True, slots=True)
class Belief:
    """Something this NPC holds true (rank inference) with a ``confidence`` from 0 to 1. It may be wrong.

    ``sentiment``: how she feels about it, from -1 to 1. ``teller``: how who told it is called, "" when nobody did;
    ``place``: where, as a text; ``distance``: how many tellers it came through. ``game_time`` is when she was told.
    """

    id: str
    text: str
    confidence: float = 0.5
    score: float = 0.0
    game_time: int = 0
    sentiment: float = 0.0
    teller: str = ""
    place: str = ""
    distance: int = 0

    def __post_init__(self) -> None:
        _id(self)
        _clean(self, "text")
        _clean(self, "teller")
        _clean(self, "place")
        _finite(self, "confidence")
        _finite(self, "score")
        _finite(self, "sentiment")
        _minutes(self)
        _minutes(self, "distance")
        if not 0 <= self.confidence <= 1:
            raise InvalidInput(
                f"confidence of belief {self.id!r} must be from 0 to 1, not {self.confidence!r}", hint="1 is certain"
            )
        if not -1 <= self.sentiment <= 1:
            raise InvalidInput(
                f"sentiment of belief {self.id!r} must be from -1 to 1, not {self.sentiment!r}", hint="0 is indifferent"
            )


@dataclass(frozen=True, slots=True)
class AgendaItem:
    """A pinned object, an active task or a note that is due."""

    id: str
    text: str
    score: float = 0.0

    def __post_init__(self) -> None:
        _id(self)
        _clean(self, "text")
        _finite(self, "score")
