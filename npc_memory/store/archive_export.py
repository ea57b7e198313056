"""Writing an archive of a world, of what an NPC knows, or of what is kept about a player."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from npc_memory.errors import InvalidInput, StoreError
from npc_memory.store.aliases import known_as
from npc_memory.store.archive import Header, Kind, sealed
from npc_memory.store.archive_tables import ARCHIVED, JSON_TEXTS, columns_of, tables
from npc_memory.store.database import Database
from npc_memory.store.ids import record_id
from npc_memory.store.rows import canonical, unpack

__all__ = ["export"]

CHUNK = 500
"""Records read at a time."""

_WORLD = "SELECT seq FROM records WHERE owner = :owner"

# What she knows, and what the world's own records say to everyone; time, state and who is who are among them.
_NPC = """SELECT seq FROM records WHERE owner = :owner AND (npc IN (SELECT value FROM json_each(:ids))
    OR (npc = '' AND kind NOT IN ('event', 'key'))
    OR seq IN (SELECT h.seq FROM hearings h WHERE h.npc IN (SELECT value FROM json_each(:ids))))"""

# What was recorded about him, and what was made of that: hearsay of his deeds goes when he is forgotten, so he may see
# it. No black boxes: a prompt quotes other players. No keys: they are the program's own. What changes another record
# goes along with that one alone: what was made of his may have taken the place of what is none of his.
_PLAYER = """WITH RECURSIVE his AS (
    SELECT r.seq FROM records r LEFT JOIN beliefs b ON b.seq = r.seq LEFT JOIN triples t ON t.seq = r.seq
    WHERE r.owner = :owner AND r.kind NOT IN ('audit', 'key') AND EXISTS (SELECT 1 FROM json_each(:ids)
        WHERE value IN (r.player, r.speaker, r.addressee, b.subject, t.subject, t.object)
            OR value IN (SELECT j.value FROM json_each(r.audience) j))
),
made AS (
    SELECT seq FROM his
    UNION SELECT d.seq FROM made m JOIN derivations d ON d.source = m.seq JOIN records r ON r.seq = d.seq
        WHERE r.owner = :owner AND r.kind NOT IN ('audit', 'key', 'retirement', 'revision')
)
SELECT seq FROM made UNION SELECT x.seq FROM retirements x JOIN made ON made.seq = x.target
UNION SELECT v.seq FROM revisions v JOIN made ON made.seq = v.target"""

_CHOSEN: dict[Kind, str] = {"world": _WORLD, "npc": _NPC, "player": _PLAYER}


def export(
    database: Database, owner: str, path: Path, kind: Kind, id: str, schema: int, *, replace: bool
) -> dict[str, int]:
    """Write the archive, whole or not at all; counts of its lines by kind."""
    if path.exists() and not replace:
        raise InvalidInput(f"{path} is there already", hint="name another file, or say that it may be replaced")
    ids = canonical(sorted(known_as(database, owner, id)))
    seqs = [int(row[0]) for row in database.query(f"{_CHOSEN[kind]} ORDER BY 1", {"owner": owner, "ids": ids})]
    counts: Counter[str] = Counter()
    # The header with its counts comes first, so the lines are counted before they are written.
    for line in _lines(database, owner, kind, seqs):
        counts[str(line["kind"] if "kind" in line else line["table"])] += 1
    header = _header(database, owner, kind, id, schema, dict(sorted(counts.items())))
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as file:
            digest = hashlib.sha256()
            written = 0

            def put(line: dict[str, Any]) -> None:
                data = sealed(line)
                file.write(data)
                digest.update(data)

            put(header.line())
            for line in _lines(database, owner, kind, seqs):
                put(line)
                written += 1
            put({"end": True, "lines": written + 1, "sha256": digest.hexdigest()})
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror or error}", hint="name a file in a folder with room for it"
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return header.counts


def _header(database: Database, owner: str, kind: Kind, id: str, schema: int, counts: dict[str, int]) -> Header:
    head = database.query("SELECT timeline, save FROM heads WHERE owner = ? ORDER BY id DESC LIMIT 1", (owner,))
    return Header(
        kind=kind,
        id=id,
        world=str(database.scalar("SELECT world FROM world")),
        world_version=str(database.scalar("SELECT version FROM packs ORDER BY id DESC LIMIT 1")),
        schema=schema,
        counts=counts,
        timeline=int(head[0]["timeline"]) if head else 0,
        save=int(head[0]["save"] or 0) if head and kind == "world" else 0,
    )


def _lines(database: Database, owner: str, kind: Kind, seqs: list[int]) -> Iterator[dict[str, Any]]:
    for table in tables("row"):
        if kind == "world" or table in ("timelines", "branches"):
            yield from _rows(database, owner, table)
    columns = {table: columns_of(database, table) for table in tables("header", "one", "many")}
    chosen = set(seqs)
    for start in range(0, len(seqs), CHUNK):
        yield from _records(database, seqs[start : start + CHUNK], columns, chosen)


def _rows(database: Database, owner: str, table: str) -> Iterator[dict[str, Any]]:
    """The lines of a table that holds no records, in order."""
    named = columns_of(database, table)
    mine = "" if table == "packs" else " WHERE owner = :owner"
    found = database.query(f"SELECT {', '.join(named)} FROM {table}{mine} ORDER BY 1", {"owner": owner})
    return ({"table": table, **{name: row[name] for name in named}} for row in found)


def _records(
    database: Database, seqs: list[int], columns: dict[str, dict[str, str]], chosen: set[int]
) -> Iterator[dict[str, Any]]:
    among = {"seqs": canonical(seqs)}
    where = "WHERE seq IN (SELECT value FROM json_each(:seqs))"
    lines: dict[int, dict[str, Any]] = {}
    for row in database.query(f"SELECT * FROM records {where} ORDER BY seq", among):
        lines[row["seq"]] = {
            "id": record_id(row["kind"], row["seq"]),
            "kind": row["kind"],
            **_values(row, "records", columns["records"]),
        }
    for table in columns:
        if table == "records":
            continue
        order = ", ".join(("seq", *columns[table])) if ARCHIVED[table] == "many" else "seq"
        for row in database.query(f"SELECT * FROM {table} {where} ORDER BY {order}", among):
            values = _values(row, table, columns[table])
            if ARCHIVED[table] == "one":
                lines[row["seq"]][table] = values
            elif values.get("source", row["seq"]) in chosen:
                lines[row["seq"]].setdefault(table, []).append(values)
    return iter(lines.values())


def _values(row: sqlite3.Row, table: str, columns: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, type in columns.items():
        value = row[name]
        if type == "BLOB":
            found[name] = _read(unpack(value))
        elif (table, name) in JSON_TEXTS:
            found[name] = json.loads(value)
        else:
            found[name] = value
    return found


def _read(payload: str) -> object:
    """A payload as what it says, if that is exactly what it says; else as text."""
    with suppress(ValueError):
        value = json.loads(payload)
        if isinstance(value, dict) and canonical(value) == payload:
            return value
    return payload
