"""Inserting a record: the header all kinds share, where it came from, who overheard it, a kind's own columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from npc_memory.errors import InvalidInput
from npc_memory.memory import Authority
from npc_memory.store import checks, rows
from npc_memory.store.database import Database
from npc_memory.store.header import Header
from npc_memory.store.ids import looks_like_record, seq_of
from npc_memory.store.view import View

__all__ = ["Recorder"]

T = TypeVar("T")


class Recorder:
    """Puts records onto the timeline of ``view``, unchecked. For ``Writer``."""

    def __init__(self, database: Database, view: View) -> None:
        self._database = database
        self._view = view

    def _header(
        self,
        header: Header,
        authority: Authority,
        game_time: int | None,
        provenance: Iterable[str],
        *,
        sources: tuple[str, ...] = (),
        barred: bool = False,
    ) -> int:
        """Insert what all records share; return the new record's number."""
        given = checks.ids(provenance, "provenance")
        origins = self._origins((*sources, *filter(looks_like_record, given)), barred)
        time = self._view.game_time() if game_time is None else checks.minutes(game_time, "game_time")
        seq = self._database.execute(
            "INSERT INTO records (kind, timeline, owner, npc, npc_seq, player, session, game_time, speaker, addressee,"
            " place, audience, provenance, authority) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                header.kind,
                self._view.timeline,
                self._view.owner_key,
                header.npc,
                self._view.last_npc_seq(header.npc) + 1,
                header.player,
                header.session,
                time,
                header.speaker,
                header.addressee,
                header.place,
                rows.canonical(header.audience),
                rows.canonical(given),
                int(authority),
            ),
        )
        self._heard(header.kind, seq, header.overheard, header.player)
        for origin in origins:
            self._database.execute("INSERT INTO derivations (source, seq) VALUES (?, ?)", (origin, seq))
        return seq

    def _heard(self, kind: str, seq: int, npcs: Sequence[str], player: str = "") -> None:
        if npcs:
            self._database.execute(
                "INSERT INTO hearings (timeline, npc, kind, seq, player) SELECT ?, value, ?, ?, ? FROM json_each(?)",
                (self._view.timeline, kind, seq, player, rows.canonical(npcs)),
            )

    def _origins(self, ids: Sequence[str], barred: bool) -> list[int]:
        """The numbers of visible records, in order; a marked turn among them is refused where it is ``barred``."""
        for one, (_, mark) in self._view.sources(ids).items():
            if barred and mark:
                raise InvalidInput(
                    f"turn {one!r} is marked {mark!r} and may not become a memory",
                    hint="make episodes and beliefs from turns that were really said",
                )
        return [seq_of(one)[1] for one in dict.fromkeys(ids)]

    def _detail(self, columns: str, *values: object) -> None:
        self._database.execute(f"INSERT INTO {columns} VALUES ({', '.join('?' * len(values))})", values)

    def _stored(self, make: Callable[[sqlite3.Row], T], table: str, seq: int) -> T:
        extra = f", d.*, {_TARGET_KIND}" if table == "retirements" else ", d.*" if table else ""
        join = f" JOIN {table} d ON d.seq = r.seq" if table else ""
        sql = f"SELECT {rows.HEADER}{extra} FROM records r{join} WHERE r.seq = ?"
        return self._database.read(make, sql, (seq,))[0]


_TARGET_KIND = "(SELECT t.kind FROM records t WHERE t.seq = d.target) AS target_kind"
