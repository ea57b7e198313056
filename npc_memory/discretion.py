"""What an NPC keeps to herself: what players told her, what she alone saw of them, and whatever was made of it."""

from __future__ import annotations

from npc_memory.errors import UnknownId
from npc_memory.memory import Authority, BeliefRecord, EpisodeRecord, TurnRecord
from npc_memory.store import Source, View
from npc_memory.store.ids import looks_like_record, seq_of
from npc_memory.world import World

__all__ = ["TELL", "Discretion"]

TELL = "tell"
"""The kind of an event in which an NPC tells others something."""

_PRIVATE = frozenset(("talk", TELL, "whisper"))
"""Kinds of episodes that are nobody else's business: what was said to her."""


class Discretion:
    """Judges memories one after the other and remembers what they were made from. Good as long as nothing is written
    that retires or erases: for one round, one line.
    """

    def __init__(self, world: World, view: View) -> None:
        self._npcs, self._view = world.npcs, view
        self._sources: dict[str, bool] = {}

    def keeps(self, npc: str, record: BeliefRecord | EpisodeRecord) -> bool:
        """Whether ``record`` of ``npc`` is nothing to pass on unasked. So is a belief that has no source."""
        if not record.text.strip():
            return True
        made_from = [one for one in record.provenance if looks_like_record(one)]
        if isinstance(record, EpisodeRecord):
            if record.authority < Authority.GAME or record.kind in _PRIVATE:
                return True
        elif not made_from:
            return True
        return self._between_two(npc, record) or any(self._private(one) for one in made_from)

    def _private(self, id: str) -> bool:
        found = self._sources.get(id)
        if found is None:
            found = self._sources[id] = self._is_private(self._seen(id))
        return found

    def _is_private(self, source: Source | None) -> bool:
        """Whether nothing made from ``source`` is to be passed on: a player said it, or one NPC alone saw him do it."""
        if source is None or isinstance(source, BeliefRecord):
            return False  # what a belief was made from is named beside it
        if isinstance(source, TurnRecord):
            return source.player not in self._npcs
        if isinstance(source, EpisodeRecord):
            players = self._players(source.speaker, source.addressee)
            return bool(players) and (source.authority < Authority.GAME or source.kind in _PRIVATE)
        if source.kind == "whisper":
            return True
        there = [one for one in source.audience if one in self._npcs]
        return bool(self._players(source.actor, source.target)) and len(there) < 2

    def _between_two(self, npc: str, record: BeliefRecord | EpisodeRecord) -> bool:
        """Whether a player has a part in it, and no other NPC was there."""
        hers = self._view.identities().ids(npc)
        others = [one for one in record.audience if one in self._npcs and one not in hers]
        return bool(self._players(record.speaker, record.addressee)) and not others

    def _players(self, *ids: str) -> list[str]:
        return [one for one in ids if one and one not in self._npcs]

    def _seen(self, id: str) -> Source | None:
        if seq_of(id)[0] not in ("belief", "episode", "event", "turn"):
            return None
        try:
            return self._view.ever(id)
        except UnknownId:
            return None
