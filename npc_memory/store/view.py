"""Reading: what one owner's timeline can see, now or as it was at an earlier record."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, TypeVar, cast

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory import (
    SILENCE,
    ActorRecord,
    AuditRecord,
    Authority,
    EpisodeRecord,
    EventRecord,
    Identities,
    StateValue,
    TurnRecord,
)
from npc_memory.store import folds, increments, queries, rows
from npc_memory.store.audited import audited
from npc_memory.store.believed import Believed
from npc_memory.store.bond_view import BondView
from npc_memory.store.database import Database
from npc_memory.store.ids import record_id, seq_of
from npc_memory.store.lineage import present
from npc_memory.store.owners import owner_id
from npc_memory.store.seen import Given, Seen

__all__ = ["View"]

T = TypeVar("T")


class View(Believed, BondView):
    """What can be seen from one timeline. Reads only; safe from several threads."""

    def __init__(self, database: Database, seen: Seen) -> None:
        self._database = database
        self._seen = seen
        self._identities: tuple[Mapping[Any, Any] | None, Identities] = (None, Identities())
        self._asked: tuple[tuple[int, int], dict[Any, Any]] = ((-1, 0), {})

    @property
    def timeline(self) -> int:
        """The number of the timeline this is seen from."""
        return self._seen.lineage.timeline

    @property
    def owner(self) -> str:
        """The human owner whose records these are."""
        return owner_id(self._seen.lineage.owner)

    @property
    def owner_key(self) -> str:
        """What the owner is called in the file."""
        return self._seen.lineage.owner

    def at(self, seq: int) -> View:
        """The past: what was visible from this timeline when ``seq`` was its newest record. For a look: it is good
        until the next load.
        """
        with self._database.lock:
            return View(self._database, self._seen.past(seq))

    def seen_by(self, sql: str) -> list[sqlite3.Row]:
        """What a statement of this package's finds that starts from the ``:lineage``."""
        return self._database.query(sql, self._with())

    def newest_seq(self) -> int:
        """The number of the newest record visible here, 0 when there is none."""
        return self._asked_once("newest", lambda: present(self._database, self._seen.lineage)[1])

    def game_time(self) -> int:
        """The world's time in minutes; 0 before the first clock record."""
        return self._database.number(queries.GAME_TIME, self._with(npc="", kind="clock"))

    def state(self) -> Mapping[tuple[str, str], StateValue]:
        """World state: (scope, key) → value, in that order. Removed keys are absent."""
        return folds.folded(self._database, self._seen, folds.STATE)

    def actors(self) -> Mapping[str, ActorRecord]:
        """The newest record of every actor, by actor id, in order of ids."""
        return folds.folded(self._database, self._seen, folds.ACTORS)

    def actor(self, id: str) -> ActorRecord | None:
        """What was last said of the one who has ``id`` now, under whichever of his ids; None if nothing was."""
        actors = self.actors()
        known = ((one, actors.get(one.id)) for one in self.identities().same(id))
        said = [found for one, found in known if found is not None and one.knows(found.seq)]
        return max(said, key=_seq, default=None)

    def identities(self) -> Identities:
        """Who is who: which ids mean the same one, and which mean somebody else now."""
        with self._database.lock:
            ties = folds.folded(self._database, self._seen, folds.IDENTITIES)
            if self._identities[0] is not ties:
                self._identities = ties, Identities((seq, actor, of) for seq, (actor, of) in ties.items())
            return self._identities[1]

    def session(self, npc: str, player: str) -> int:
        """The number of the conversation of ``npc`` with ``player`` that is going on or comes next, from 1."""
        return self._database.number(queries.SESSION, self._with(npc=npc, player=player)) + 1

    def known_session(self, npc: str, player: str, session: int | None) -> int:
        """``session`` if it has begun, the current one for None; else ``InvalidInput``."""
        current = self.session(npc, player)
        if session is None:
            return current
        if type(session) is not int or not 1 <= session <= current:
            raise InvalidInput(
                f"session {session!r} of {npc!r} with {player!r} has not begun; the current one is {current}",
                hint="leave the session out to mean the current one",
            )
        return session

    def open_sessions(self, player: str) -> tuple[str, ...]:
        """The NPCs with turns in a conversation with ``player`` that is not over, sorted."""
        found = self._database.query(queries.OPEN_SESSIONS, self._with(player=player))
        return tuple(str(row[0]) for row in found)

    def dialogue(
        self, npc: str, player: str, session: int | None = None, *, limit: int | None = None, since: int = 0
    ) -> tuple[TurnRecord, ...]:
        """The turns of one conversation (the current one) as ``npc`` remembers it, overheard lines included, in order;
        only those after record number ``since``, and only the newest ``limit`` of them if given.
        """

        def read(since: int, npc: str, player: str) -> tuple[TurnRecord, ...]:
            number = self.session(npc, player) if session is None else session
            parameters = {"npc": npc, "player": player, "session": number, "since": since}
            return self._newest_of(rows.turn, "turns", increments.DIALOGUE, limit, **parameters)

        found = self._of((npc, player), since, read, _seq)
        return found if limit is None else found[max(0, len(found) - limit) :]

    def lines(self, npc: str, player: str, *, since: int = 0) -> tuple[rows.Line, ...]:
        """What was said after record number ``since`` in the current conversation of ``npc`` with ``player``, and what
        she overheard ``player`` and others say to each other since the one before it; in brief, in order.
        """

        def read(since: int, npc: str, player: str) -> list[rows.Line]:
            ended, silent = self.ended(npc, player)
            parameters = self._with(npc=npc, player=player, session=ended + 1, since=since)
            own = self._database.read(rows.line, increments.LINES, parameters)
            parameters["since"] = max(since, silent)
            return own + self._database.read(rows.line, increments.HEARD_LINES, parameters)

        ids = self.identities().ids(npc)
        found = self._of((npc, player), since, read, _seq)
        return tuple(sorted((one for one in found if not one.heard or one.npc not in ids), key=_seq))

    def ended(self, npc: str, player: str) -> tuple[int, int]:
        """The number of their last conversation that is over, and the record since which what is overheard belongs to
        the next one: the word that it was over, or, when it ended in silence, the last that was said in it.
        """
        row = self._database.query(queries.LAST_END, self._with(npc=npc, player=player))
        if not row:
            return 0, 0
        ended, seq = int(row[0]["session"]), int(row[0]["seq"])
        if SILENCE not in rows.ids(row[0]["provenance"]):
            return ended, seq
        parameters = self._with(npc=npc, player=player, session=ended)
        return ended, self._database.number(queries.LAST_TURN, parameters)

    def turns_at(self, seqs: Sequence[int]) -> dict[int, TurnRecord]:
        """The turns with these record numbers, by number; one that is not visible here, or retired, is left out."""
        return {one.seq: one for one in self._numbered(rows.turn, "turns", seqs)}

    def hearers(self, id: str) -> tuple[str, ...]:
        """The NPCs who overheard the turn or episode of that id, sorted."""
        found = self._database.query("SELECT npc FROM hearings WHERE seq = ? ORDER BY npc", (seq_of(id)[1],))
        return tuple(str(row[0]) for row in found)

    def exchange_count(self, npc: str) -> int:
        """How many lines ``npc`` has spoken so far. A retired answer counts: rolled again, it draws anew."""
        ids = self.identities().ids(npc)
        return max(self._database.number(queries.EXCHANGES, self._with(npc=one, kind="turn")) for one in ids)

    def exchange_number(self, turn: str) -> int:
        """Which of the lines that NPC has spoken this one is, from 1; for a player's line, how many she had by then."""
        return self._database.number("SELECT exchange FROM turns WHERE seq = ?", (self.turn(turn).seq,))

    def turns(self, npc: str) -> tuple[TurnRecord, ...]:
        """Every turn ``npc`` remembers, oldest first."""
        return self._of((npc,), 0, partial(self._since, rows.turn, "turns", increments.TURNS), _seq)

    def newest_turn(self, npc: str) -> TurnRecord | None:
        """The last that was said in the hearing of ``npc`` and is not taken back, if it is the last she remembers."""
        return next(iter(self.turns_at([self._newest(npc, "turn")]).values()), None)

    def untold(self, turn: str) -> bool:
        """Whether no episode was ever made of ``turn``, on whatever timeline, although it was said in earnest."""
        return bool(self._database.query(queries.UNTOLD, {"seq": seq_of(turn, "turn")[1]}))

    def episodes(self, npc: str, *, since: int = 0) -> tuple[EpisodeRecord, ...]:
        """Every episode of ``npc`` after record number ``since``, oldest first."""
        return self._of((npc,), since, partial(self._since, rows.episode, "episodes", increments.EPISODES), _seq)

    def heard_episodes(self, npc: str, *, since: int = 0) -> tuple[EpisodeRecord, ...]:
        """Episodes of others that ``npc`` overheard, after record number ``since``, oldest first."""

        def read(since: int, npc: str) -> list[EpisodeRecord]:
            return self._database.read(rows.episode, increments.HEARD_EPISODES, self._with(npc=npc, since=since))

        ids = self.identities().ids(npc)
        return tuple(one for one in self._of((npc,), since, read, _seq) if one.npc not in ids)

    def events(self) -> tuple[EventRecord, ...]:
        """Every event the game reported, oldest first."""
        return self._records(rows.event, "events", "r.npc = '' AND r.kind = 'event'")

    def event(self, id: str) -> EventRecord:
        """The event of that id; ``UnknownId`` when it is not visible here."""
        return self._one(rows.event, "event", "events", id)

    def episodes_at(self, seqs: Sequence[int]) -> dict[int, EpisodeRecord]:
        """The episodes with these record numbers, by number; one that is not visible here, or retired, is left out."""
        return {one.seq: one for one in self._numbered(rows.episode, "episodes", seqs)}

    def retired(self, npc: str, *, since: int = 0) -> tuple[tuple[int, int], ...]:
        """What ``npc`` remembers or overheard and was retired after record number ``since``: numbers of the retirement
        and of what it retired, oldest first.
        """

        def read(since: int, npc: str) -> list[tuple[int, int]]:
            parameters = self._with(npc=npc, since=since)
            found = [self._database.query(sql, parameters) for sql in (increments.RETIRED, increments.HEARD_RETIRED)]
            return sorted((int(row[0]), int(row[1])) for rows in found for row in rows)

        return self._asked_once(("retired", npc, since), lambda: self._of((npc,), since, read, lambda one: one[0]))

    def turn(self, id: str) -> TurnRecord:
        """The turn of that id; ``UnknownId`` when it is not visible here, or retired."""
        return self._one(rows.turn, "turn", "turns", id)

    def episode(self, id: str) -> EpisodeRecord:
        """The episode of that id; ``UnknownId`` when it is not visible here, or retired."""
        return self._one(rows.episode, "episode", "episodes", id)

    def audit(self, id: str) -> AuditRecord:
        """The black box of one reply; ``UnknownId`` when it is not visible here. It outlives its turn's retirement."""
        return self._one(rows.audit, "audit", "audits", id)

    def audits(
        self, npc: str | None = None, player: str | None = None, limit: int | None = None
    ) -> tuple[AuditRecord, ...]:
        """Black boxes in order, of one NPC or player if given, under whichever of their ids; only the newest ``limit``
        of them if given.
        """
        return tuple(self._numbered(rows.audit, "audits", self._audited(npc, player, limit)))

    def audit_ids(self, npc: str | None = None, player: str | None = None, limit: int | None = None) -> tuple[str, ...]:
        """The ids of what ``audits`` gives, for reading one after the other: payloads are large."""
        return tuple(record_id("audit", seq) for seq in self._audited(npc, player, limit))

    def _audited(self, npc: str | None, player: str | None, limit: int | None) -> list[int]:
        with self._database.lock:
            return audited(self._database, self._seen.parameter, self.identities(), npc, player, limit)

    def answer(self, key: str) -> str | None:
        """What the request with this idempotency key was answered; None when it was not seen on this timeline."""
        found = self._database.scalar(queries.ANSWER, self._with(key=key))
        return None if found is None else str(found)

    def derived_from(self, id: str) -> tuple[str, ...]:
        """Ids of the visible records that name ``id`` as what they were made from, oldest first."""
        found = self._database.query(queries.DERIVED, self._with(seq=seq_of(id)[1]))
        return tuple(record_id(row["kind"], row["seq"]) for row in found)

    def rank_of(self, id: str) -> Authority:
        """The rank a visible record was written with; ``UnknownId`` when there is none, or it is retired."""
        kind, seq = seq_of(id)
        found = self._database.read(lambda row: Authority(row[0]), queries.SEES, self._with(seq=seq, kind=kind))
        if not found:
            raise UnknownId(kind, id)
        return found[0]

    def sources(self, ids: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Whose memory each record lies in, and a turn's mark; ``UnknownId`` for one not visible, or retired."""
        wanted = {seq_of(id)[1]: id for id in ids}
        parameters = self._with(seqs=rows.canonical(list(wanted)))
        seen = self._database.query(queries.SOURCES, parameters) if wanted else []
        found = {record_id(row["kind"], row["seq"]): (str(row["npc"]), str(row["mark"] or "")) for row in seen}
        for id in ids:
            if id not in found:
                raise UnknownId(seq_of(id)[0], id)
        return found

    def last_npc_seq(self, npc: str) -> int:
        """The number of the newest record in the memory of ``npc`` ("" for the world's own), 0 when it is empty."""
        return self._database.number(queries.LAST_NPC_SEQ, self._with(npc=npc))

    def kept(self, make: Callable[[], T]) -> T:
        """Something worked out from what is visible here, ``make()`` at first: the same one as long as no other
        timeline is played on, and then, if it is ``Continued``, what of it holds there; a new one after an erasure. It
        may grow by newer records, which it has to look for, as for newer retirements.

        Within a transaction it is a new one that is not kept, so what is kept never holds a record that may yet be
        taken back. To be used while the store's lock is held (``Store.reading``).
        """
        with self._database.lock:
            return cast(T, (self._seen.aside if self._database.in_transaction else self._seen.kept)(make))

    def _asked_once(self, what: object, read: Callable[[], T]) -> T:
        """What ``read()`` gives, asked once until something is written or another timeline is played on."""
        with self._database.lock:
            now = self._database.writes, self._seen.epoch
            if self._asked[0] != now:
                self._asked = now, {}
            asked = self._asked[1]
            if what not in asked:
                asked[what] = read()
            return cast(T, asked[what])

    def _of(
        self,
        ids: tuple[str, ...],
        since: int,
        read: Callable[..., Sequence[T]],
        number: Callable[[T], int],
    ) -> tuple[T, ...]:
        """What ``read(since, *ids)`` gives for each combination of what the ``ids`` are and were known as, in order of
        its number.
        """
        known = self.identities()
        if all(known.plain(id) for id in ids):
            return tuple(read(since, *ids))
        beings = list(product(*(known.same(id) for id in ids)))
        found: dict[int, T] = {}
        for some in beings:
            since_all, until = max(since, *(one.since for one in some)), min(one.until for one in some)
            for one in read(since_all, *(being.id for being in some)):
                if number(one) <= until:
                    found[number(one)] = one
        return tuple(found[at] for at in sorted(found))

    def _since(self, make: Callable[[sqlite3.Row], T], table: str, where: str, since: int, npc: str) -> tuple[T, ...]:
        return self._records(make, table, where, npc=npc, since=since)

    def _with(self, **parameters: object) -> dict[str, object]:
        return Given(self._seen, parameters)

    def _newest(self, npc: str, kind: str) -> int:
        return self._database.number(queries.NEWEST, self._with(npc=npc, kind=kind))

    def _records(self, make: Callable[[sqlite3.Row], T], table: str, where: str, **parameters: object) -> tuple[T, ...]:
        return tuple(self._database.read(make, queries.select(table, where), self._with(**parameters)))

    def _numbered(self, make: Callable[[sqlite3.Row], T], table: str, seqs: Sequence[int]) -> list[T]:
        parameters = self._with(seqs=rows.canonical(list(seqs)))
        return self._database.read(make, increments.numbered(table), parameters) if seqs else []

    def _newest_of(
        self, make: Callable[[sqlite3.Row], T], table: str, where: str, limit: int | None, **parameters: object
    ) -> tuple[T, ...]:
        sql = queries.select(table, where, newest_first=True) + " LIMIT :limit"
        found = self._database.read(make, sql, self._with(limit=-1 if limit is None else limit, **parameters))
        return tuple(reversed(found))

    def _one(self, make: Callable[[sqlite3.Row], T], kind: str, table: str, id: str) -> T:
        found = self._database.read(make, queries.select_one(table), self._with(seq=seq_of(id, kind)[1], kind=kind))
        if not found:
            raise UnknownId(kind, id)
        return found[0]


def _seq(one: Any) -> int:
    return int(one.seq)
