"""Reading an archive into the store: all of it or nothing, and the second time nothing new.

Records keep their numbers. One that is there already must be the same, whichever it is; a number that is taken by
another record is a conflict. What is read is only ever stored; every value is checked before.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from npc_memory.errors import (
    ArchiveConflict,
    ArchiveInvalid,
    AuthorityViolation,
    InvalidInput,
    StoreError,
    StoreWrongWorld,
)
from npc_memory.memory import Authority, check_id
from npc_memory.memory.authority import NEEDED
from npc_memory.store import checks
from npc_memory.store.archive import ArchiveLines, Header
from npc_memory.store.archive_checks import check_header, check_parts, check_row, misplaced
from npc_memory.store.archive_tables import ARCHIVED, JSON_TEXTS, KIND_TABLES, columns_of, tables
from npc_memory.store.database import Database
from npc_memory.store.ids import seq_of
from npc_memory.store.retiring import RETIRABLE
from npc_memory.store.rows import canonical, pack

__all__ = ["Imported", "import_archive"]

_IDS = ("npc", "player", "speaker", "addressee", "place")
_LONG = {("keys", "answer")}


@dataclass(slots=True)
class Imported:
    """What an import did: ``added`` lines by kind, and how many were ``known`` already."""

    added: dict[str, int] = field(default_factory=dict)
    known: int = 0


def import_archive(database: Database, owner: str, path: Path, schema: int, rank: Authority) -> tuple[Imported, Header]:
    """Import ``path`` within a transaction of the caller's; a record above ``rank`` is refused."""
    with closing(ArchiveLines(path, schema)) as archive:
        world = str(database.scalar("SELECT world FROM world"))
        if archive.header.world != world:
            raise StoreWrongWorld(world, archive.header.world)
        database.execute("PRAGMA defer_foreign_keys=ON")
        reader = _Reader(database, owner, archive, rank)
        for line in archive.lines():
            reader.take(line)
        if reader.counts != archive.header.counts:
            raise archive.damaged("it does not hold what its header counts")
        broken = database.query("PRAGMA foreign_key_check")
        if broken:
            raise archive.invalid(f"a row of {broken[0][0]} points to what is not there")
        wrong = misplaced(database, owner) or reader.place_of_header()
        if wrong:
            raise archive.invalid(wrong)
        return Imported(dict(sorted(reader.added.items())), reader.known), archive.header


class _Reader:
    """Takes one line after the other."""

    def __init__(self, database: Database, owner: str, archive: ArchiveLines, rank: Authority) -> None:
        self._database, self._owner, self._archive, self._rank = database, owner, archive, rank
        self._columns = {table: columns_of(database, table) for table in tables("header", "one", "many", "row")}
        self.counts: dict[str, int] = {}
        self.added: Counter[str] = Counter()
        self.known = 0

    def take(self, line: dict[str, Any]) -> None:
        """Store what a line says, unless it is there."""
        row = "table" in line
        kind = line.get("table" if row else "kind")
        if not isinstance(kind, str) or not (ARCHIVED.get(kind) == "row" if row else kind in KIND_TABLES):
            raise self._archive.invalid(f"there is no kind of line {kind!r}")
        self.counts[kind] = self.counts.get(kind, 0) + 1
        try:
            new = self._row(line) if row else self._record(line)
        except (ArchiveInvalid, AuthorityViolation):
            raise
        except InvalidInput as error:
            raise self._archive.invalid(error.message) from error
        except StoreError as error:
            if self._database.failure is None:  # a rule of the tables: no fault of the disk
                raise self._archive.invalid("the tables refuse it") from error
            raise
        if new:
            self.added[kind] += 1
        else:
            self.known += 1

    def place_of_header(self) -> str:
        """What is wrong with where the header says that the game was being played, "" for nothing."""
        header, mine = self._archive.header, "WHERE owner = ? AND"
        sql = f"SELECT 1 FROM branches {mine} timeline = ?"
        if header.timeline and not self._database.query(sql, (self._owner, header.timeline)):
            return "the header names a timeline there is not"
        sql = f"SELECT 1 FROM saves {mine} id = ?"
        if header.save and not self._database.query(sql, (self._owner, header.save)):
            return "the header names a save there is not"
        return ""

    def _row(self, line: dict[str, Any]) -> bool:
        table = line.pop("table")
        values = self._values(table, line)
        if table != "packs":
            values["owner"] = self._owner
        check_row(table, values)
        key = next(iter(values))
        named = ("owner", key) if table == "slots" else (key,)
        where = " AND ".join(f"{name} IS ?" for name in named)
        found = self._database.query(f"SELECT * FROM {table} WHERE {where}", tuple(values[name] for name in named))
        if not found:
            self._insert(table, values)
            return True
        # A slot may name a newer save by now, a lineage may have been compacted: that is no other archive.
        fixed = {"slots": ("slot",), "branches": ("timeline", "owner"), "packs": ("id",)}.get(table, tuple(values))
        moved = {"timeline", "after_seq"} if table == "saves" else set()
        if any(found[0][name] != values[name] for name in fixed if name not in moved):
            raise self._conflict(f"{table} {values[key]!r}")
        return False

    def _record(self, line: dict[str, Any]) -> bool:
        id, kind = line.pop("id", None), line.pop("kind")
        found, seq = seq_of(check_id(id, "a record's id"))
        if found != kind or seq < 1:
            raise self._archive.invalid(f"{id!r} is no {kind}")
        details = {table: line.pop(table) for table in [*line] if ARCHIVED.get(table) in ("one", "many")}
        header = self._values("records", line)
        self._check_header(kind, header)
        table = KIND_TABLES[kind]
        allowed = {table, "derivations", *_BESIDE.get(kind, ())} | _ANY
        if not {*details} <= allowed or (table and table not in details):
            raise self._archive.invalid(f"a {kind} has other parts")
        rows = [
            (name, {"seq": seq, **self._values(name, one), **self._implied(name, header)})
            for name, part in details.items()
            for one in self._parts(name, part)
        ]
        if any(values.get("source", values.get("target", 0)) >= seq for _, values in rows):
            raise self._archive.invalid("a record is made of older ones")
        check_parts(kind, seq, header, rows)
        if kind in ("retirement", "revision"):
            self._check_target(kind, header, dict(rows)[table]["target"])
        stored = {"seq": seq, "kind": kind, "owner": self._owner, **header}
        there = self._database.query("SELECT * FROM records WHERE seq = ?", (seq,))
        if there:
            if not self._same(there[0], stored, rows):
                raise self._conflict(id)
            return False
        self._insert("records", stored)
        for name, values in rows:
            self._insert(name, values)
        return True

    def _parts(self, table: str, part: object) -> list[Any]:
        if ARCHIVED[table] == "one":
            return [part]
        if not isinstance(part, list):
            raise self._archive.invalid(f"{table} must be a list")
        return part

    def _implied(self, table: str, header: dict[str, Any]) -> dict[str, Any]:
        copied = {"state_changes": ("timeline",), "hearings": ("timeline",), "triples": ("timeline", "npc")}
        return {name: header[name] for name in copied.get(table, ())}

    def _values(self, table: str, given: object) -> dict[str, Any]:
        """The columns of a row of ``table``, as they are stored."""
        columns = self._columns[table]
        if not isinstance(given, dict) or given.keys() != columns.keys():
            raise self._archive.invalid(f"{table} has the columns {', '.join(columns)}")
        return {name: self._value(table, name, type, given[name]) for name, type in columns.items()}

    def _value(self, table: str, name: str, type_: str, value: object) -> object:
        if type_ == "BLOB":
            return pack(checks.without_surrogates(value if isinstance(value, str) else canonical(value), name))
        if (table, name) in JSON_TEXTS:
            value = canonical(value)
        if value is None and (table, name) in _NULLABLE:
            return None
        expected: dict[str, type | tuple[type, ...]] = {"TEXT": str, "INTEGER": int, "REAL": (float, int)}
        if not isinstance(value, expected[type_]) or isinstance(value, bool):
            raise self._archive.invalid(f"{name} must be {type_}")
        if isinstance(value, str) and (table, name) not in _LONG:
            return value if table == "shown" else checks.text(value, name)
        if isinstance(value, int):
            return float(value) if type_ == "REAL" else checks.minutes(value, name)
        return value

    def _check_header(self, kind: str, header: dict[str, Any]) -> None:
        """Ids, and promise P5: no record rises above the rank it may have, or above that of whoever imports it."""
        for name in _IDS:
            checks.optional_id(header[name], name)
        for name in ("audience", "provenance"):
            checks.ids(_listed(header[name], name), name)
        check_header(kind, header)
        authority = header["authority"]
        if authority not in tuple(Authority):
            raise self._archive.invalid(f"there is no authority {authority}")
        rank = Authority(authority)
        needed = NEEDED.get(kind, Authority.INFERENCE)
        said = "reply" in _listed(header["provenance"], "provenance")  # a model's output
        most = min(self._rank, Authority.REPLY) if said and kind in ("turn", "revision") else self._rank
        if rank < needed:
            raise AuthorityViolation(rank.name.lower(), needed.name.lower(), f"{kind} (line {self._archive.number})")
        if rank > most:
            raise AuthorityViolation(most.name.lower(), rank.name.lower(), f"{kind} (line {self._archive.number})")

    def _check_target(self, kind: str, header: dict[str, Any], target: int) -> None:
        found = self._database.query("SELECT kind, authority FROM records WHERE seq = ?", (target,))
        if not found:
            return
        if found[0]["kind"] not in (RETIRABLE if kind == "retirement" else ("turn",)):
            raise self._archive.invalid(f"there is no {kind} of a {found[0]['kind']}")
        if found[0]["authority"] > header["authority"]:
            rank, needed = Authority(header["authority"]), Authority(found[0]["authority"])
            raise AuthorityViolation(rank.name.lower(), needed.name.lower(), kind)

    def _same(self, there: Any, stored: dict[str, Any], rows: list[tuple[str, dict[str, Any]]]) -> bool:
        """Whether the record of that number is this one; compacting a lineage may have moved it."""
        if any(there[name] != value for name, value in stored.items() if name != "timeline"):
            return False
        for table, values in rows:
            fixed = {name: value for name, value in values.items() if name != "timeline"}
            where = " AND ".join(f"{name} IS ?" for name in fixed)
            if not self._database.query(f"SELECT 1 FROM {table} WHERE {where}", tuple(fixed.values())):
                return False
        return True

    def _insert(self, table: str, values: dict[str, Any]) -> None:
        marks = ", ".join("?" * len(values))
        self._database.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))

    def _conflict(self, what: str) -> ArchiveConflict:
        return ArchiveConflict(
            f"line {self._archive.number}: the store holds another {what} already",
            hint="import it into a world's file of its own (another --data folder)",
        )


_BESIDE: dict[str, tuple[str, ...]] = {"audit": ("shown",), "belief": ("belief_details",)}
"""Tables besides its own in which a record of a kind may have a part."""

_ANY: frozenset[str] = frozenset({"hearings"})
"""Tables in which a record of any kind may have a part."""

_NULLABLE = {
    ("timelines", "parent"),
    ("timelines", "fork_seq"),
    ("branches", "parent"),
    ("branches", "fork_seq"),
    ("triples", "valid_to"),
}


def _listed(text: str, what: str) -> list[str]:
    found = json.loads(text)
    if not isinstance(found, list):
        raise InvalidInput(f"{what} must be a list", hint="")
    return found
