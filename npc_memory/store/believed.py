"""Reading beliefs: those that hold, those whose place a newer one has taken, and where they came from."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from npc_memory.errors import UnknownId
from npc_memory.memory import BeliefRecord, EpisodeRecord, EventRecord, Retirement, TurnRecord
from npc_memory.store import increments, queries, rows
from npc_memory.store.database import Database
from npc_memory.store.ids import record_id, seq_of
from npc_memory.store.seen import Growing, Seen

__all__ = ["Believed", "Source", "Wording"]

Source = BeliefRecord | EpisodeRecord | EventRecord | TurnRecord
"""What something may be known from."""

_MAKERS: dict[str, tuple[str, Callable[[sqlite3.Row], Source]]] = {
    "belief": ("beliefs", rows.belief),
    "episode": ("episodes", rows.episode),
    "event": ("events", rows.event),
    "turn": ("turns", rows.turn),
}

T = TypeVar("T")
G = TypeVar("G", bound=Growing)


class Wording(NamedTuple):
    """The number of a memory, what it says, and of a belief what of whom."""

    seq: int
    text: str
    slot: str
    subject: str


def _wording(row: sqlite3.Row) -> Wording:
    return Wording(int(row[0]), str(row[1]), str(row[2]), str(row[3]))


class Believed:
    """The part of a view that is about beliefs."""

    _database: Database
    _seen: Seen
    _with: Callable[..., dict[str, object]]
    _of: Callable[..., tuple[Any, ...]]
    _one: Callable[..., Any]
    _records: Callable[..., tuple[Any, ...]]
    _newest_of: Callable[..., tuple[Any, ...]]
    _numbered: Callable[..., list[Any]]

    def beliefs(self, npc: str, *, since: int = 0) -> tuple[BeliefRecord, ...]:
        """Every belief of ``npc`` after record number ``since``, oldest first."""
        return self._believed(npc, increments.BELIEFS, since)

    def beliefs_in(self, npc: str, slot: str) -> tuple[BeliefRecord, ...]:
        """Those of her beliefs that say what is in ``slot`` of whomever they are about, oldest first."""
        return self._believed(npc, f"{increments.BELIEFS} AND b.slot = :slot", 0, slot=slot)

    def slotted(self, subjects: Sequence[str]) -> tuple[BeliefRecord, ...]:
        """Everybody's beliefs that say what is in a slot of one who had one of these ids, oldest first. It looks at all
        visible beliefs.
        """
        parameters = self._with(ids=rows.canonical(list(subjects)))
        return tuple(self._database.read(rows.belief, queries.SLOTTED, parameters))

    def beliefs_saying(self, npc: str, text: str) -> tuple[BeliefRecord, ...]:
        """Those of her beliefs that say exactly ``text``, oldest first."""
        return self._believed(npc, f"{increments.BELIEFS} AND d.text = :text", 0, text=text)

    def wordings(self, npc: str, kind: Literal["episode", "belief"], *, since: int = 0) -> tuple[Wording, ...]:
        """What her own memories of a kind after record number ``since`` say, in brief, oldest first."""

        def read(since: int, npc: str) -> list[Wording]:
            return self._database.read(_wording, increments.WORDINGS[kind], self._with(npc=npc, since=since))

        return self._of((npc,), since, read, lambda one: one.seq)

    def growing(self, make: Callable[[], G]) -> G:
        """As ``kept``, and the same one within a transaction: it takes back what was taken back."""
        database = self._database
        with database.lock:
            found: G = self._seen.kept(make)
            found.stand(database.undone, database.span if database.in_transaction else 0, database.writes)
            return found

    def hearsay_since(self, npc: str, game_time: int) -> tuple[BeliefRecord, ...]:
        """Those of her beliefs that she was told at ``game_time`` or later, oldest first."""
        where = f"{increments.BELIEFS} AND r.game_time >= :time AND b.distance > 0"
        return self._believed(npc, where, 0, time=game_time)

    def episodes_saying(self, npc: str, text: str) -> tuple[EpisodeRecord, ...]:
        """Those of her own episodes that say exactly ``text``, oldest first."""

        def read(since: int, npc: str) -> tuple[EpisodeRecord, ...]:
            where = f"{increments.EPISODES} AND d.text = :text"
            return self._records(rows.episode, "episodes", where, npc=npc, since=since, text=text)

        return self._of((npc,), 0, read, lambda one: one.seq)

    def newest_memories(self, npc: str, most: int) -> tuple[BeliefRecord | EpisodeRecord, ...]:
        """The newest ``most`` of her own episodes and as many of her beliefs, in order of their numbers."""

        def read(since: int, npc: str) -> list[BeliefRecord | EpisodeRecord]:
            own = self._newest_of(rows.episode, "episodes", increments.EPISODES, most, npc=npc, since=since)
            held = self._newest_of(rows.belief, "beliefs", increments.BELIEFS, most, npc=npc, since=since)
            return sorted((*own, *held), key=lambda one: one.seq)

        return self._of((npc,), 0, read, lambda one: one.seq)

    def knowers(self, id: str) -> frozenset[str]:
        """The NPCs in whose memories lies anything made from the record ``id``, retired or not."""
        found = self._database.query(queries.KNOWERS, self._with(seq=seq_of(id)[1]))
        return frozenset(str(row[0]) for row in found)

    def beliefs_at(self, seqs: Sequence[int]) -> dict[int, BeliefRecord]:
        """The beliefs with these record numbers, by number; one that is not visible here, or retired, is left out."""
        return {one.seq: one for one in self._numbered(rows.belief, "beliefs", seqs)}

    def belief(self, id: str) -> BeliefRecord:
        """The belief of that id; ``UnknownId`` when it is not visible here, or retired."""
        found: BeliefRecord = self._one(rows.belief, "belief", "beliefs", id)
        return found

    def deprecations(self, npc: str) -> tuple[tuple[BeliefRecord, Retirement], ...]:
        """The beliefs of ``npc`` whose place a newer one has taken, and the records that say so, oldest first."""

        def read(since: int, npc: str) -> list[Retirement]:
            return self._database.read(rows.retirement, increments.DEPRECATIONS, self._with(npc=npc, since=since))

        said = {seq_of(one.target)[1]: one for one in self._of((npc,), 0, read, lambda one: one.seq)}
        parameters = self._with(seqs=rows.canonical(sorted(said)))
        found = self._database.read(rows.belief, queries.ever("beliefs"), parameters) if said else []
        return tuple((one, said[one.seq]) for one in found)

    def replaced_by(self, id: str) -> tuple[BeliefRecord, ...]:
        """The beliefs whose place the belief ``id`` has taken, oldest first."""
        parameters = self._with(seq=seq_of(id)[1])
        seqs = [int(row[0]) for row in self._database.query(queries.REPLACED, parameters)]
        return tuple(self._database.read(rows.belief, queries.ever("beliefs"), self._with(seqs=rows.canonical(seqs))))

    def ever(self, id: str) -> Source:
        """The belief, episode, event or turn of that id, retired or not; ``UnknownId`` when it is not visible here."""
        kind, seq = seq_of(id)
        if kind not in _MAKERS:
            raise UnknownId("memory", id)
        table, make = _MAKERS[kind]
        found = self._database.read(make, queries.ever(table), self._with(seqs=rows.canonical([seq])))
        if not found or found[0].id != record_id(kind, seq):
            raise UnknownId(kind, id)
        return found[0]

    def _believed(self, npc: str, where: str, since: int, **parameters: object) -> tuple[BeliefRecord, ...]:
        def read(since: int, npc: str) -> tuple[BeliefRecord, ...]:
            return self._records(rows.belief, "beliefs", where, npc=npc, since=since, **parameters)

        return self._of((npc,), since, read, lambda one: one.seq)
