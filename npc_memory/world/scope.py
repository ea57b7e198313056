"""Who a fact or a state entry reaches: everyone, places, factions, NPCs.

World state names its scope in one word, as the wire does: "" (everyone), "place:inn", "faction:watch", "npc:marta".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["EVERYONE", "Scope", "Standing"]

EVERYONE = ""
"""The scope of world state that all NPCs share."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an NPC stands: her id, her home, where she is now, and her factions. What a scope is judged by."""

    npc: str
    home: str
    place: str
    factions: tuple[str, ...] = field(default=())

    def state_scopes(self) -> tuple[str, ...]:
        """The scopes of world state that reach her, narrowest first; of two factions the first by id wins.

        State is what can be perceived now, so it follows the place where she is, not her home.
        """
        factions = [f"faction:{faction}" for faction in sorted(self.factions)]
        place = [f"place:{self.place}"] if self.place else []
        return (f"npc:{self.npc}", *factions, *place, EVERYONE)


@dataclass(frozen=True, slots=True)
class Scope:
    """Who knows a canonical fact. Not ``everyone`` and three empty lists: nobody."""

    everyone: bool = True
    places: tuple[str, ...] = field(default=())
    factions: tuple[str, ...] = field(default=())
    npcs: tuple[str, ...] = field(default=())

    def covers(self, who: Standing) -> bool:
        """Whether it reaches ``who``. A place's facts are known to those at home there and to whoever is there now."""
        return (
            self.everyone
            or who.npc in self.npcs
            or who.home in self.places
            or who.place in self.places
            or any(faction in self.factions for faction in who.factions)
        )

    def with_npcs(self, ids: Iterable[str]) -> Scope:
        """The same scope, and these NPCs too."""
        if self.everyone:
            return self
        return Scope(False, self.places, self.factions, tuple(sorted({*self.npcs, *ids})))
