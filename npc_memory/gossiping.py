"""Gossip by rule: NPCs who share a place pass on what is worth telling. Deterministic, bounded, nothing invented.

What is passed on is a memory word for word, made from a record that is there: something she saw (the game's own
events), or a belief that came of one. Never what players told or whispered to her, what she alone saw a player do, what
is meant for few, what gives away a fact that the hearer must not know, what the hearer knows, or what has come through
too many mouths. Everybody tells what she knew when the round began, so nothing crosses a town in no time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npc_memory.judging import Judge, judge_of
from npc_memory.memory import Authority, BeliefRecord, EpisodeRecord
from npc_memory.memory.confidence import told
from npc_memory.people import place_of
from npc_memory.rumours import Rumour, rumour_of
from npc_memory.store import Store, View, Writer
from npc_memory.store.ids import looks_like_record
from npc_memory.telling import TELL, may_be_told, pass_on
from npc_memory.world import Gossip, World

__all__ = ["HOUR", "Round", "between_two", "companies", "may_gossip"]

HOUR = 60
"""Game minutes."""

REMEMBERED = 32
"""Of her newest episodes, and of her newest beliefs, so many may be on her tongue."""

_PRIVATE = frozenset(("talk", TELL, "whisper"))
"""Kinds of episodes that are nobody else's business: what was said to her."""


class Round:
    """One round of gossip among ``npcs`` who are at one ``place``, under the world's ``limits``."""

    def __init__(
        self, world: World, store: Store, writer: Writer, limits: Gossip, npcs: Sequence[str], place: str
    ) -> None:
        self._world, self._store, self._writer, self._limits = world, store, writer, limits
        self._npcs, self._place = sorted(set(npcs)), place
        self._hour = store.game_time() // HOUR
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
        for rumour in self._told[teller]:
            if hearer != rumour.subject and may_be_told(self._world, self._store, rumour, hearer):
                made = pass_on(self._world, self._store, self._writer, rumour, teller, hearer, place=self._place)
                if made:
                    return made
        return ""

    def _on_her_tongue(self, npc: str) -> Iterator[Rumour]:
        judge = judge_of(self._world, self._store, npc)
        memories = self._store.newest_memories(npc, REMEMBERED)
        fit = [one for one in memories if may_gossip(self._world, self._store, npc, one, judge)]
        rumours = [(one.seq, rumour_of(self._store, one)) for one in fit]
        ranked = sorted(rumours, key=lambda one: (-round(one[1].weight, 6), -one[0]))
        return (one for _, one in ranked if self._goes_on(one))

    def _goes_on(self, rumour: Rumour) -> bool:
        return rumour.distance < self._limits.distance and told(rumour.confidence) > 0


def may_gossip(world: World, view: View, npc: str, record: BeliefRecord | EpisodeRecord, judge: Judge) -> bool:
    """Whether ``record`` of ``npc`` is something to gossip about at all, whoever listens."""
    if isinstance(record, BeliefRecord):
        sourced = any(looks_like_record(one) for one in record.provenance)
        return sourced and not judge.against(record) and not between_two(world, view, npc, record)
    if record.authority < Authority.GAME or record.kind in _PRIVATE:
        return False
    return not between_two(world, view, npc, record)


def between_two(world: World, view: View, npc: str, record: BeliefRecord | EpisodeRecord) -> bool:
    """Whether a player has a part in it, and no other NPC was there."""
    players = [one for one in (record.speaker, record.addressee) if one and one not in world.npcs]
    others = [one for one in record.audience if one in world.npcs and one not in view.identities().ids(npc)]
    return bool(players) and not others


def companies(world: World, view: View) -> dict[str, list[str]]:
    """The places where several NPCs are, by id, and who is there; both sorted."""
    there: dict[str, list[str]] = {}
    for npc in world.npcs.values():
        if place := place_of(view, npc):
            there.setdefault(place, []).append(npc.id)
    return {place: sorted(npcs) for place, npcs in sorted(there.items()) if len(npcs) > 1}
