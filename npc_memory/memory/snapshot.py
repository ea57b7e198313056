"""The frozen input of one reply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from npc_memory.errors import DuplicateId, InvalidInput
from npc_memory.memory.items import AgendaItem, Belief, Episode, Example, Fact, Rule, StateEntry, Turn
from npc_memory.memory.text import check_id, check_text

__all__ = ["SECTIONS", "Snapshot"]

SECTIONS: dict[str, type[Any]] = {
    "rules": Rule,
    "examples": Example,
    "canonical_facts": Fact,
    "world_state": StateEntry,
    "pinned": AgendaItem,
    "tasks": AgendaItem,
    "notes": AgendaItem,
    "dialogue": Turn,
    "episodes": Episode,
    "beliefs": Belief,
}
"""The fields of a snapshot that hold items, and of which kind."""

ORDERED = ("rules", "examples", "dialogue")
"""The fields whose order is kept as given."""

_NAMESPACES: dict[str, str] = {"pinned": "agenda items", "tasks": "agenda items", "notes": "agenda items"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All that one reply may draw on, frozen deep: lists are copied into tuples, texts are cleaned.

    Only ``npc``, ``persona``, ``player`` and ``player_line`` are required. ``canonical_facts`` are those that hold and
    that this NPC knows; ``world_state`` is what is in her scope. ``dialogue``, ``rules`` and ``examples`` keep the
    order they come in; everything else may come in any order. ``game_time`` is in minutes. ``names`` maps ids to the
    display names the prompt shows (an id without one is shown itself); ``time_text`` is the time in the world's own
    calendar, else the prompt says "Day 3, 23:50".

    Raises ``InvalidInput`` for a value of the wrong kind, ``DuplicateId`` for an id given twice in one section (the
    agenda's three lists count as one).
    """

    npc: str
    persona: str
    player: str
    player_line: str
    game_time: int = 0
    rules: Sequence[Rule] = ()
    examples: Sequence[Example] = ()
    canonical_facts: Sequence[Fact] = ()
    world_state: Sequence[StateEntry] = ()
    pinned: Sequence[AgendaItem] = ()
    tasks: Sequence[AgendaItem] = ()
    notes: Sequence[AgendaItem] = ()
    dialogue: Sequence[Turn] = ()
    episodes: Sequence[Episode] = ()
    beliefs: Sequence[Belief] = ()
    names: Mapping[str, str] | Sequence[tuple[str, str]] = ()
    time_text: str = ""

    def __post_init__(self) -> None:
        check_id(self.npc, "Snapshot.npc")
        check_id(self.player, "Snapshot.player")
        for name in ("persona", "player_line", "time_text"):
            object.__setattr__(self, name, check_text(getattr(self, name), f"Snapshot.{name}"))
        if type(self.game_time) is not int:
            raise InvalidInput(
                f"Snapshot.game_time must be an integer of minutes, not {self.game_time!r}", hint="pass an int"
            )
        self._freeze_names()
        seen: set[tuple[str, str]] = set()
        for name, cls in SECTIONS.items():
            if name in ORDERED and isinstance(getattr(self, name), Set):
                raise InvalidInput(f"Snapshot.{name} is a set, but its order counts", hint="pass a list")
            items = _frozen(getattr(self, name), name, cls)
            object.__setattr__(self, name, items)
            space = _NAMESPACES.get(name, name)
            for item in items:
                key = (space, item.key if isinstance(item, StateEntry) else item.id)  # type: ignore[attr-defined]
                if key in seen:
                    raise DuplicateId(*key)
                seen.add(key)

    def _freeze_names(self) -> None:
        given = self.names
        try:
            pairs = [(key, name) for key, name in (given.items() if isinstance(given, Mapping) else given)]
        except (TypeError, ValueError) as error:
            raise InvalidInput("Snapshot.names must map ids to names", hint='e.g. {"p1": "Rolf"}') from error
        names = {check_id(k, "Snapshot.names"): check_text(v, "Snapshot.names") for k, v in pairs}
        object.__setattr__(self, "names", tuple(sorted(names.items())))


def _frozen(given: object, name: str, cls: type) -> tuple[object, ...]:
    if type(given) not in (tuple, list) and (isinstance(given, str | bytes) or not isinstance(given, Iterable)):
        raise InvalidInput(
            f"Snapshot.{name} must be a list of {cls.__name__}, not {type(given).__name__}", hint="pass a list"
        )
    items: tuple[object, ...] = tuple(given)  # type: ignore[arg-type]  # it can be gone through
    for item in items:
        if not isinstance(item, cls):
            raise InvalidInput(
                f"Snapshot.{name} must hold {cls.__name__}, not {type(item).__name__}", hint=f"make it a {cls.__name__}"
            )
    return items
