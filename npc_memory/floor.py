"""Whose turn it is: an NPC speaks with one at a time, and a player goes before NPCs who talk with each other.

Pure bookkeeping: whoever uses it brings the lock and the waiting, for threads or for tasks.

    place = floor.ask(("marta",))       # in line from now on
    while not floor.begin(place): …     # wait until something has changed
    floor.leave(place)                  # in line no more, or done
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

__all__ = ["Floor", "Place"]


@dataclass(eq=False, slots=True)
class Place:
    """A place in line for all of ``npcs`` together. ``player``: somebody waits who is none of them.

    ``begun``: it is his turn. ``wanted``: since then a player has come who waits for one of the same NPCs.
    """

    npcs: tuple[Hashable, ...]
    player: bool
    begun: bool = False
    wanted: bool = False


class Floor:
    """Players are served in the order in which they came, each as soon as his NPC is free. NPCs among themselves begin
    when both are free and no player waits for either; so nobody waits in a circle, and no NPC waits for another.
    """

    def __init__(self) -> None:
        self._waiting: list[Place] = []
        self._holding: dict[Hashable, Place] = {}

    def ask(self, npcs: Sequence[Hashable], *, player: bool = True) -> Place:
        """Get in line."""
        place = Place(tuple(npcs), player)
        self._waiting.append(place)
        if player:
            for holder in filter(None, map(self._holding.get, place.npcs)):
                holder.wanted = True
        return place

    def begin(self, place: Place) -> bool:
        """Whether it is the turn of ``place`` (now, or still)."""
        if not place.begun and self._may_begin(place):
            place.begun = True
            self._waiting.remove(place)
            self._holding.update(dict.fromkeys(place.npcs, place))
        return place.begun

    def leave(self, place: Place) -> None:
        """Done, or tired of waiting."""
        if not place.begun:
            self._waiting.remove(place)
        for npc in place.npcs if place.begun else ():
            del self._holding[npc]

    def next(self) -> list[Place]:
        """Those whose turn it has become; they have begun."""
        return [place for place in list(self._waiting) if self.begin(place)]

    def _may_begin(self, place: Place) -> bool:
        if any(npc in self._holding for npc in place.npcs):
            return False
        earlier = True
        for other in self._waiting:
            if other is place:
                earlier = False
                continue
            goes_before = other.player and earlier if place.player else other.player or earlier
            if goes_before and any(npc in place.npcs for npc in other.npcs):
                return False
        return True
