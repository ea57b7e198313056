"""Erasing a person, or a record, from every byte of the file. It is physical and cannot be undone.

Three steps, each on the disk before the next: a note that something is to be erased (a salted hash, which names
nobody), the erasure itself in one transaction, and the cleaning of the file, in which nothing of the old pages stays. A
crash between them leaves a note, and the next opening of the file finishes what was begun.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from npc_memory.errors import StoreError
from npc_memory.store import rows
from npc_memory.store.aliases import known_as
from npc_memory.store.database import Database
from npc_memory.store.erasure_plan import Plan, plan_for_person, plan_for_records
from npc_memory.store.erasure_words import Words
from npc_memory.store.schema import ERASURE

__all__ = ["Progress", "erase_person", "erase_records", "finish_erasures"]

Progress = Callable[[str], None]

REDACTED = '{"erased":true}'
"""What is left of an audit payload."""

CHUNK = 2000
"""Rows written at a time."""


def erase_person(
    database: Database, owner: str, person: str, spared: Sequence[str], *, dry_run: bool, progress: Progress
) -> dict[str, int]:
    """Erase the ``person`` (an id) from the records of ``owner``; counts by kind. ``spared``: others' names."""
    _every_table_has_a_rule(database)
    if dry_run:
        progress("looking")
        return _plan(database, owner, person, spared).counts()
    with database.transaction():
        salt = secrets.token_bytes(16)
        values = (owner, salt, _hash(salt, person), rows.canonical(sorted(set(spared))))
        note = database.execute("INSERT INTO erasures (owner, salt, subject, spared) VALUES (?, ?, ?, ?)", values)
    progress("begun")
    counts = _erase(database, owner, person, spared, note, progress)
    _clean(database, progress)
    return counts


def erase_records(database: Database, owner: str, seqs: Iterable[int], *, dry_run: bool) -> dict[str, int]:
    """Erase these records of ``owner`` and all that was made from them; counts by kind."""
    _every_table_has_a_rule(database)
    plan = plan_for_records(database, owner, seqs)
    if dry_run:
        return plan.counts()
    with _open_tables(database):
        _apply(database, plan, owner)
        _note_cleaning(database)
    _clean(database, lambda text: None)
    return plan.counts()


def finish_erasures(database: Database, progress: Progress = lambda text: None) -> None:
    """Finish what a crash interrupted; nothing to do in most files."""
    notes = database.query("SELECT id, owner, salt, subject, spared FROM erasures ORDER BY id")
    for note in notes:
        if note["salt"]:
            named = (*_persons(database, note["owner"]), *_in_triples(database, note["owner"]))
            known = (one for one in named if _hash(note["salt"], one) == note["subject"])
            person = next(known, None)
            if person is not None:
                _erase(database, note["owner"], person, json.loads(note["spared"]), note["id"], progress)
    if notes:
        _clean(database, progress)


def _plan(database: Database, owner: str, person: str, spared: Sequence[str]) -> Plan:
    ids = known_as(database, owner, person)
    own, others = _names(database, owner, ids)
    return plan_for_person(database, owner, ids, Words({*ids, *own}, {*others, *spared}))


def _erase(
    database: Database, owner: str, person: str, spared: Sequence[str], note: int, progress: Progress
) -> dict[str, int]:
    progress("looking")
    plan = _plan(database, owner, person, spared)
    progress("erasing")
    with _open_tables(database):
        _apply(database, plan, owner)
        _note_cleaning(database, note)
    return plan.counts()


@contextmanager
def _open_tables(database: Database) -> Iterator[None]:
    """A transaction in which rows may be changed, which triggers refuse at all other times."""
    database.query("PRAGMA secure_delete=ON")
    with database.transaction():
        triggers = database.query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
        for trigger in triggers:
            database.execute(f'DROP TRIGGER "{trigger["name"]}"')
        yield
        for trigger in triggers:
            database.execute(trigger["sql"])
    for seen in database.seen.values():
        seen.forget()
    rows.ids.cache_clear()
    rows.value_of.cache_clear()


def _apply(database: Database, plan: Plan, owner: str) -> None:
    for seqs in _chunks(plan.redacted):
        given = {"seqs": seqs, "payload": rows.pack(REDACTED), "ids": rows.canonical(plan.ids)}
        database.execute(f"UPDATE audits SET payload = :payload WHERE seq {_AMONG}", given)
        database.execute(
            f"UPDATE records SET player = '' WHERE seq {_AMONG} AND player IN (SELECT value FROM json_each(:ids))",
            given,
        )
    for seqs in _chunks(list(plan.gone)):
        # The black box outlives the turn it explains; it points to itself then, for without an aim it would go too.
        database.execute(f"UPDATE audits SET turn = seq WHERE turn {_AMONG}", {"seqs": seqs})
    for strike in plan.struck:
        columns = ", ".join(f"{column} = ?" for column in strike.values)
        rule = ERASURE[strike.table]
        mine = " AND owner = ?" if rule.rule == "strike" else ""
        values = (*strike.values.values(), strike.key, *([owner] if mine else []))
        database.execute(f"UPDATE {strike.table} SET {columns} WHERE {rule.key} = ?{mine}", values)
    for seqs in _chunks([number for _, number in plan.struck_records()]):
        database.execute(f"DELETE FROM vectors WHERE seq {_AMONG}", {"seqs": seqs})  # made from the words as they were
    for seqs in _chunks(list(plan.gone)):
        database.execute(f"DELETE FROM records WHERE seq {_AMONG}", {"seqs": seqs})
    for table, rule in sorted(ERASURE.items()):
        if rule.rule == "rebuild":
            database.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")
        if rule.rule == "drop":
            database.execute(f"DELETE FROM {table}")


_AMONG = "IN (SELECT value FROM json_each(:seqs))"


def _note_cleaning(database: Database, note: int = 0) -> None:
    """From here on only the file is left to be cleaned; whose erasure it was is known no more."""
    database.execute("DELETE FROM erasures WHERE id = ?", (note,))
    database.execute("INSERT INTO erasures (owner, salt, subject, spared) VALUES ('', x'', x'', '[]')")


def _clean(database: Database, progress: Progress) -> None:
    """Write the file anew without free pages, empty the log, and strike out the note."""
    progress("cleaning")
    database.query("VACUUM")
    _empty_log(database)
    with database.transaction():
        database.execute("DELETE FROM erasures")
    _empty_log(database)


def _empty_log(database: Database) -> None:
    busy = database.query("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
    if busy:
        raise StoreError(
            "the log could not be emptied: something reads the file",
            hint="close what has it open and open the store again; that finishes the erasure",
        )


def _every_table_has_a_rule(database: Database) -> None:
    for row in database.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"):
        if row[0] not in ERASURE:
            raise StoreError(
                f"table {row[0]} does not say how it forgets a person",
                hint="this is a fault in npc-memory; please report it",
            )


def _names(database: Database, owner: str, ids: set[str]) -> tuple[list[str], list[str]]:
    """The display names the person ever had, and the ids and names of everyone else."""
    found = database.query(
        "SELECT DISTINCT r.player, d.name FROM actors d JOIN records r ON r.seq = d.seq WHERE r.owner = ?", (owner,)
    )
    own = [str(row["name"]) for row in found if row["player"] in ids]
    others = [str(row["name"]) for row in found if row["player"] not in ids]
    return own, others + [one for one in _persons(database, owner) if one not in ids]


def _persons(database: Database, owner: str) -> list[str]:
    """Everyone who is named by an id in the records of ``owner``, sorted."""
    found = database.query(_PERSONS, {"owner": owner})
    return [str(row[0]) for row in found if row[0]]


_PERSONS = """WITH mine AS MATERIALIZED (
    SELECT DISTINCT player, speaker, addressee, audience FROM records WHERE owner = :owner
)
SELECT player FROM mine UNION SELECT speaker FROM mine UNION SELECT addressee FROM mine
UNION SELECT j.value FROM (SELECT DISTINCT audience FROM mine) a, json_each(a.audience) j
UNION SELECT b.subject FROM beliefs b JOIN records r ON r.seq = b.seq WHERE r.owner = :owner ORDER BY 1"""


def _in_triples(database: Database, owner: str) -> list[str]:
    """What triples speak of: persons among things. Nobody else's name is spared for standing there."""
    sql = """SELECT t.subject FROM triples t JOIN records r ON r.seq = t.seq WHERE r.owner = :owner
        UNION SELECT t.object FROM triples t JOIN records r ON r.seq = t.seq WHERE r.owner = :owner ORDER BY 1"""
    return [str(row[0]) for row in database.query(sql, {"owner": owner})]


def _hash(salt: bytes, person: str) -> bytes:
    return hmac.digest(salt, person.encode("utf-8"), hashlib.sha256)


def _chunks(seqs: Sequence[int]) -> Iterator[str]:
    return (rows.canonical(seqs[start : start + CHUNK]) for start in range(0, len(seqs), CHUNK))
