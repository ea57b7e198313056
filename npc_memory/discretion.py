"""What an NPC keeps to herself: what players told her, what she alone saw of them, and whatever was made of it."""

from __future__ import annotations

from npc_memory.errors import UnknownId
from npc_memory.memory import Authority, BeliefRecord, EpisodeRecord, EventRecord, TurnRecord
from npc_memory.memory.records import Stored
from npc_memory.rumours import marks
from npc_memory.store import Source, View
from npc_memory.store.ids import looks_like_record, seq_of
from npc_memory.world import World

__all__ = ["MOST_SOURCES", "TELL", "WHISPER", "Discretion", "is_kind"]

TELL = "tell"
"""The kind of an event in which an NPC tells others something."""

WHISPER = "whisper"
"""The kind of an event that is between those who were there."""

_PRIVATE = ("talk", TELL, WHISPER)
"""Kinds of episodes that are nobody else's business: what was said to her."""


_SOURCES = frozenset(("belief", "episode", "event", "turn"))
"""Kinds of records that are read back to what they were made from."""

MOST_SOURCES = 256
"""Records that are looked at to find what a memory was made from; one that was made from more is kept."""


def is_kind(kind: str, *among: str) -> bool:
    """Whether an event's ``kind``, the game's own word, is one of these; case is ignored."""
    return kind.casefold() in among


class Discretion:
    """Judges memories one after the other and remembers what they were made from. Good as long as nothing is written
    that retires or erases: for one round, one line.
    """

    def __init__(self, world: World, view: View) -> None:
        self._npcs, self._view = world.npcs, view
        self._read: dict[str, Source | None] = {}

    def keeps(self, npc: str, record: BeliefRecord | EpisodeRecord) -> bool:
        """Whether ``record`` of ``npc`` is nothing to pass on unasked. So is a belief that has no source."""
        if not record.text.strip():
            return True
        if isinstance(record, EpisodeRecord):
            if record.authority < Authority.GAME or is_kind(record.kind, *_PRIVATE):
                return True
        elif not any(map(looks_like_record, record.provenance)):
            return True
        return self._between_two(npc, record) or self.made_of_private(record)

    def made_of_private(self, record: Stored, hearer: str = "") -> bool:
        """Whether something private is among what ``record`` was made from, at whatever remove. What ``hearer``, an
        NPC, was there for is not private to her.
        """
        found = self._made_from(record)
        return found is None or any(self._is_private(one) for one in found if not hearer or hearer not in one.audience)

    def scopes(self, record: Stored, hearer: str) -> frozenset[str]:
        """Who may be told of ``record`` and of all it was made from, where ``hearer`` was not there herself."""
        found: list[Stored] = [record, *(self._made_from(record) or ())]
        return frozenset(scope for one in found if (scope := _scope(one, hearer)))

    def _made_from(self, record: Stored) -> list[Source] | None:
        """All that ``record`` was made from and is still there; None when that is too much to look at."""
        seen = dict.fromkeys(filter(looks_like_record, record.provenance))
        left, found = list(seen), []
        while left:
            if len(seen) > MOST_SOURCES:
                return None
            source = self._source(left.pop())
            if source is None:
                continue
            found.append(source)
            further = [one for one in source.provenance if looks_like_record(one) and one not in seen]
            seen.update(dict.fromkeys(further))
            left += further
        return found

    def _is_private(self, source: Source) -> bool:
        """Whether nothing made from ``source`` is to be passed on: a player said it, or one NPC alone saw him do it."""
        if isinstance(source, TurnRecord):
            return source.player not in self._npcs
        if not isinstance(source, BeliefRecord) and is_kind(source.kind, WHISPER):
            return True
        if isinstance(source, EventRecord):
            players = self._players(source.actor, source.target)
        else:
            players = self._players(source.speaker, source.addressee)
        below = source.authority < Authority.GAME
        said = isinstance(source, EpisodeRecord) and (below or is_kind(source.kind, *_PRIVATE))
        if players and said:
            return True
        there = [one for one in source.audience if one in self._npcs]
        return bool(players) and len(there) < 2

    def _between_two(self, npc: str, record: BeliefRecord | EpisodeRecord) -> bool:
        """Whether a player has a part in it, and no other NPC was there."""
        hers = self._view.identities().ids(npc)
        others = [one for one in record.audience if one in self._npcs and one not in hers]
        return bool(self._players(record.speaker, record.addressee)) and not others

    def _players(self, *ids: str) -> list[str]:
        return [one for one in ids if one and one not in self._npcs]

    def _source(self, id: str) -> Source | None:
        if id not in self._read:
            self._read[id] = self._seen(id)
        return self._read[id]

    def _seen(self, id: str) -> Source | None:
        if seq_of(id)[0] not in _SOURCES:
            return None
        try:
            return self._view.ever(id)
        except UnknownId:
            return None


def _scope(record: Stored, hearer: str) -> str:
    if not isinstance(record, BeliefRecord | EventRecord) or hearer in record.audience:
        return ""
    return record.scope if isinstance(record, BeliefRecord) else marks(record.data).scope
