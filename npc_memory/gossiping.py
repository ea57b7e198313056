"""Gossip by rule: NPCs who share a place pass on what is worth telling. Deterministic, bounded, nothing invented.

What is passed on is a memory word for word, made from a record that is there: something she saw (the game's own
events), or a belief that came of one. Never what players told or whispered to her, what she alone saw a player do, what
is meant for few, what gives away a fact that the hearer must not know, what the hearer knows, or what has come through
too many mouths. Everybody tells what she knew when the round began, so nothing crosses a town in no time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npc_memory.discretion import Discretion
from npc_memory.judging import Judge, judge_of
from npc_memory.memory import BeliefRecord, EpisodeRecord
from npc_memory.memory.confidence import told
from npc_memory.people import Cast, place_of
from npc_memory.rumours import Rumour, rumour_of
from npc_memory.store import Store, View, Writer
from npc_memory.telling import in_circle, is_news, may_be_told, pass_on
from npc_memory.world import Gossip, World

__all__ = ["HOUR", "Round", "companies"]

HOUR = 60
"""Game minutes."""

REMEMBERED = 32
"""Of her newest episodes, and of her newest beliefs, so many may be on her tongue."""


class Round:
    """One round of gossip among ``npcs`` who are at one ``place``, under the world's ``limits``."""

    def __init__(
        self, world: World, store: Store, writer: Writer, limits: Gossip, npcs: Sequence[str], place: str
    ) -> None:
        self._world, self._store, self._writer, self._limits = world, store, writer, limits
        self._npcs, self._place = sorted(set(npcs)), place
        self._hour = store.game_time() // HOUR
        self._cast = Cast(world, store)
        self._discretion = Discretion(world, store)
        self._judges: dict[str, Judge] = {}
        self._settled: set[tuple[str, str]] = set()
        self._meant: dict[tuple[str, str], bool] = {}
        self._knowers: dict[str, frozenset[str]] = {}
        self._told = {npc: list(self._on_her_tongue(npc)) for npc in self._npcs}

    def run(self) -> tuple[str, ...]:
        """Everybody listens to the others in turn, beginning with another one every hour. Ids of new beliefs."""
        return tuple(id for hearer in self._npcs for id in self._listens(hearer))

    def _listens(self, hearer: str) -> Iterator[str]:
        others = [one for one in self._npcs if one != hearer]
        begin = self._hour % len(others) if others else 0
        left = self._limits.per_hour - len(self._store.hearsay_since(hearer, self._hour * HOUR))
        more = True
        while more:
            more = False
            for teller in (*others[begin:], *others[:begin]):
                if left > 0 and (made := self._tells(teller, hearer)):
                    left, more = left - 1, True
                    yield made

    def _tells(self, teller: str, hearer: str) -> str:
        """The best that ``hearer`` does not know and may; the belief's id, "" for nothing."""
        for record, rumour in self._told[teller]:
            if self._is_for(record, rumour, hearer) and not self._denied(teller, record):
                self._settled.add((rumour.origin, hearer))
                return pass_on(self._world, self._store, self._writer, rumour, teller, hearer, place=self._place)
        return ""

    def _is_for(self, record: BeliefRecord | EpisodeRecord, rumour: Rumour, hearer: str) -> bool:
        """Whether she does not know it, from whomever, and may. What she may not be told by one teller, because of what
        that one made it of, she may by another.
        """
        key = rumour.origin, hearer
        if key in self._settled:
            return False
        if rumour.origin not in self._knowers:
            self._knowers[rumour.origin] = self._store.knowers(rumour.origin)
        known = not self._knowers[rumour.origin].isdisjoint(self._cast.known_as(hearer))
        hers = rumour.subject != "" and self._cast.id_of(rumour.subject) == hearer
        if known or hers or not is_news(self._store, rumour, hearer):
            self._settled.add(key)
            return False
        if (record.id, hearer) not in self._meant:
            meant = in_circle(self._world, self._store, self._discretion.scopes(record, hearer), hearer)
            self._meant[record.id, hearer] = meant and may_be_told(self._world, self._store, rumour, hearer)
        return self._meant[record.id, hearer]

    def _denied(self, npc: str, record: BeliefRecord | EpisodeRecord) -> bool:
        """Whether ``npc`` knows better by now. What she saw she saw."""
        if npc not in self._judges:
            self._judges[npc] = judge_of(self._world, self._store, npc)
        return isinstance(record, BeliefRecord) and self._judges[npc].against(record) != ""

    def _on_her_tongue(self, npc: str) -> Iterator[tuple[BeliefRecord | EpisodeRecord, Rumour]]:
        """What she might tell, weightiest first, then the newest."""
        memories = self._store.newest_memories(npc, REMEMBERED)
        open_to_all = [one for one in memories if not self._discretion.keeps(npc, one)]
        rumours = [(one, rumour_of(self._store, one)) for one in open_to_all]
        ranked = sorted(rumours, key=lambda one: (-round(one[1].weight, 6), -one[0].seq))
        return (one for one in ranked if self._goes_on(one[1]))

    def _goes_on(self, rumour: Rumour) -> bool:
        return rumour.distance < self._limits.distance and told(rumour.confidence) > 0


def companies(world: World, view: View) -> dict[str, list[str]]:
    """The places where several NPCs are, by id, and who is there; both sorted."""
    there: dict[str, list[str]] = {}
    for npc in world.npcs.values():
        if place := place_of(view, npc):
            there.setdefault(place, []).append(npc.id)
    return {place: sorted(npcs) for place, npcs in sorted(there.items()) if len(npcs) > 1}
