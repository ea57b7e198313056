"""What goes when a person or a record is erased, found by reading: nothing is changed here.

Every timeline and every slot of one owner is covered, because all records are looked at wherever they hang in the tree.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from npc_memory.store.database import Database
from npc_memory.store.erasure_data import data_left
from npc_memory.store.erasure_literals import TAGS, is_ours, scope_parts, shown_texts, told_texts
from npc_memory.store.erasure_words import Words
from npc_memory.store.ids import looks_like_record, records_in
from npc_memory.store.rows import canonical, unpack
from npc_memory.store.schema import ERASURE, Erasure

__all__ = ["Plan", "Strike", "plan_for_person", "plan_for_records"]

CHUNK = 256
"""Audit records, and different values, looked for at a time."""

_PLURALS = {"identity": "identities", "state": "state", "clock": "clock"}


@dataclass(frozen=True, slots=True)
class Strike:
    """A row that stays: its columns that change, and their new values. ``key``: what its table finds it by."""

    table: str
    key: int | str
    values: dict[str, str]


@dataclass(slots=True)
class Plan:
    """``gone``: numbers and kinds of records that go; ``redacted``: numbers of audit records whose payload goes;
    ``struck``: rows that lose a name or an id. ``ids``: those of the person.
    """

    ids: list[str] = field(default_factory=list)
    gone: dict[int, str] = field(default_factory=dict)
    redacted: list[int] = field(default_factory=list)
    struck: list[Strike] = field(default_factory=list)

    def struck_records(self) -> list[tuple[str, int]]:
        """Tables and numbers of the records that are struck."""
        return [(one.table, one.key) for one in self.struck if isinstance(one.key, int) and one.table not in _APART]

    def counts(self) -> dict[str, int]:
        """How many records of each kind go ("turns", …), audit records lose their payload ("redacted"), and rows lose a
        name or an id ("struck"). What there is none of is left out.
        """
        found = {"redacted": len(self.redacted), "struck": len(self.struck)}
        for kind in self.gone.values():
            name = _PLURALS.get(kind, f"{kind}s")
            found[name] = found.get(name, 0) + 1
        return {name: count for name, count in sorted(found.items()) if count}


def plan_for_person(database: Database, owner: str, ids: set[str], words: Words) -> Plan:
    """What goes when ``owner`` erases the person of these ``ids``, whom ``words`` name."""
    named = canonical(sorted(ids))
    first: set[int] = set()
    for table, rule in sorted(ERASURE.items()):
        for column in rule.columns:
            sql = _of_owner(table, f"t.{column} IN (SELECT value FROM json_each(:ids))")
            first.update(_numbers(database, sql, owner=owner, ids=named))
        for column in rule.mentions:
            first.update(key for key, text in _texts(database, table, column, owner) if _named(column, text, words))
    plan = _closed(database, owner, first)
    plan.ids = sorted(ids)
    for table, rule in sorted(ERASURE.items()):
        plan.struck.extend(_strikes(database, table, rule, owner, plan, words))

    def tells(payload: str) -> bool:
        return words.may_hold(payload) and any(map(words.found, shown_texts(payload)))

    plan.redacted = sorted({*plan.redacted, *_telling(database, owner, plan, tells)})
    return plan


def _named(column: str, text: str, words: Words) -> bool:
    """Whether the value of a column that may mention the person does, other than in words of ours."""
    if not words.may_hold(text):
        return False
    if column == "answer":
        return any(map(words.found, told_texts(text)))
    return words.found(scope_parts(text)[1] if column == "scope" else text)


def plan_for_records(database: Database, owner: str, seqs: Iterable[int]) -> Plan:
    """What goes when ``owner`` erases these records."""
    plan = _closed(database, owner, set(seqs))
    plan.redacted = sorted({*plan.redacted, *_telling(database, owner, plan, lambda payload: False)})
    return plan


def _closed(database: Database, owner: str, first: set[int]) -> Plan:
    """``first`` and all that was made from it. Audit records stay, without their payload."""
    found = _kinds(database, owner, first)
    newest = set(found)
    while newest:
        made = _numbers(database, _MADE_FROM, seqs=canonical(sorted(newest)))
        newest = set(made) - found.keys()
        found.update(_kinds(database, owner, newest))
    plan = Plan(
        gone={seq: found[seq] for seq in sorted(found) if found[seq] != "audit"},
        redacted=[seq for seq in sorted(found) if found[seq] == "audit"],
    )
    # An answer that names what goes would be given again for something that is not there.
    for key, answer in _texts(database, "keys", "answer", owner) if plan.gone else ():
        if _names_any(answer, plan.gone):
            plan.gone.setdefault(key, "key")
    return plan


def _telling(database: Database, owner: str, plan: Plan, tells: Callable[[str], bool]) -> Iterator[int]:
    """The audit records that hold something of what goes or is struck, or that ``tells`` says so of.

    What is struck out of memories is found by their numbers. Only when it is in world state or in a name, or in records
    made before those numbers were kept, payloads have to be read: they are large, so a few at a time, and none that is
    older than all of it.
    """
    touched = {**plan.gone, **{seq: table for table, seq in plan.struck_records()}}
    if not touched:
        return
    # A prompt shows the number of a turn, whichever revision of it was read.
    touched |= dict.fromkeys(_numbers(database, _REVISED, seqs=canonical(sorted(touched))), "turns")
    known = set(plan.redacted)
    yield from _numbers(database, _EXPLAINED, seqs=canonical(sorted(touched)))
    told = database.read(lambda row: (int(row[0]), _holds(row[1], touched)), _SHOWN, {"owner": owner})
    yield from (key for key, telling in told if telling)
    numbered = {key for key, _ in told} if not _BLIND & {*touched.values()} else set()

    def judged(row: sqlite3.Row) -> tuple[int, bool]:
        payload = unpack(row["payload"])
        return int(row["key"]), tells(payload) or _names_any(payload, touched)

    # Which audit records there are is asked of the headers: their own table is most of the file.
    sql = "SELECT seq FROM records WHERE owner = :owner AND kind = 'audit' AND seq > :oldest ORDER BY seq"
    every = _numbers(database, sql, owner=owner, oldest=min(touched))
    others = [seq for seq in every if seq not in known and seq not in numbered]
    sql = "SELECT seq AS key, payload FROM audits WHERE seq IN (SELECT value FROM json_each(:seqs)) ORDER BY seq"
    for start in range(0, len(others), CHUNK):
        seqs = canonical(others[start : start + CHUNK])
        yield from (key for key, telling in database.read(judged, sql, {"seqs": seqs}) if telling)


_SHOWN = """SELECT s.seq, s.records FROM shown s JOIN records r ON r.seq = s.seq WHERE r.owner = :owner"""

_BLIND = {"state", "state_changes", "actors"}
"""Kinds of what goes, and tables of what is struck, that are shown in a prompt without the number of a record."""


def _holds(text: str, touched: Mapping[int, str]) -> bool:
    """Whether a JSON list holds one of these numbers. There is one for each reply, and few hold any."""
    try:
        return not touched.keys().isdisjoint(map(int, text[1:-1].split(",")))
    except ValueError:
        return not touched.keys().isdisjoint(json.loads(text))


def _names_any(text: str, gone: Mapping[int, str]) -> bool:
    return not gone.keys().isdisjoint(records_in(text))


def _strikes(database: Database, table: str, rule: Erasure, owner: str, plan: Plan, words: Words) -> Iterator[Strike]:
    """The rows of ``table`` that stay and name the person."""
    changed: dict[int | str, dict[str, str]] = {}

    def change(column: str, strike: Callable[[str], str], found: Iterable[tuple[Any, str]]) -> None:
        for key, text in found:
            if (table in _APART or key not in plan.gone) and (value := strike(text)) != text:
                changed.setdefault(key, {})[column] = value

    for column in rule.lists:
        change(column, lambda text: _without(text, plan.ids), _few(database, table, column, owner, _holding(plan.ids)))
    for column in rule.sources:
        few = _few(database, table, column, owner, lambda text: _holding(plan.ids)(text) or words.may_hold(text))
        change(column, lambda text: _sources_left(text, plan.ids, words), few)
    for column in rule.ids:
        change(column, lambda text: "", _few(database, table, column, owner, words.found))
    for column in rule.texts:
        if column == "text":  # no two are alike
            every = _texts(database, table, column, owner, "<> ''")
            found = [one for one in every if words.may_hold(one[1])]
        else:
            found = list(_few(database, table, column, owner, words.may_hold))
        change(column, partial(_struck_text, column, words), found)
    for column in rule.data:
        holds = _holding(plan.ids)
        found = [
            one for one in _texts(database, table, column, owner, "<> '{}'") if holds(one[1]) or words.may_hold(one[1])
        ]
        change(column, lambda text: canonical(data_left(json.loads(text), plan.ids, words)), found)
    for column in rule.plain:
        few = _few(database, table, column, owner, words.may_hold)
        change(column, lambda text: _struck_json(text, words), few)
    for key, values in sorted(changed.items()):
        if rule.key in values:  # two names that become one are told apart
            taken = {*changed, *(one[rule.key] for other, one in changed.items() if other != key)}
            values[rule.key] = _free(values[rule.key], taken | _keys(database, table, rule.key, owner))
    return (Strike(table, key, changed[key]) for key in sorted(changed))


def _free(name: str, taken: set[Any]) -> str:
    return next(one for one in (name, *(f"{name} {number}" for number in range(2, len(taken) + 3))) if one not in taken)


def _keys(database: Database, table: str, key: str, owner: str) -> set[Any]:
    return {row[0] for row in database.query(f"SELECT {key} FROM {table} WHERE owner = ?", (owner,))}


def _holding(ids: list[str]) -> Callable[[str], bool]:
    """Whether a JSON list holds one of ``ids``."""
    quoted = [canonical(one) for one in ids]
    return lambda text: any(one in text for one in quoted)


def _without(text: str, ids: list[str]) -> str:
    """A JSON list of ids without those of the person."""
    return canonical([one for one in json.loads(text) if one not in ids])


def _sources_left(text: str, ids: list[str], words: Words) -> str:
    """A provenance without what names the person: games once wrote there what they liked."""
    given = json.loads(text)
    return canonical(
        [one for one in given if one in TAGS or looks_like_record(one) or not (one in ids or words.found(one))]
    )


def _struck_text(column: str, words: Words, text: str) -> str:
    return text if is_ours(column, text) else words.struck(text)


def _struck_json(text: str, words: Words) -> str:
    if not text or not words.may_hold(text):
        return text
    return canonical(words.struck_from(json.loads(text)))


_REVISED = "SELECT target FROM revisions WHERE seq IN (SELECT value FROM json_each(:seqs))"

_EXPLAINED = """SELECT a.seq FROM derivations d JOIN audits a ON a.seq = d.seq
WHERE d.source IN (SELECT value FROM json_each(:seqs))"""

_MADE_FROM = """SELECT seq FROM derivations WHERE source IN (SELECT value FROM json_each(:seqs))
UNION SELECT seq FROM retirements WHERE target IN (SELECT value FROM json_each(:seqs))
UNION SELECT seq FROM audits WHERE turn IN (SELECT value FROM json_each(:seqs))"""


_APART = {table: rule.key for table, rule in ERASURE.items() if rule.rule == "strike"}
"""The tables that hold no records, and what their rows are found by."""


def _of_owner(table: str, where: str) -> str:
    if table == "records" or table in _APART:
        return f"SELECT t.{_APART.get(table, 'seq')} FROM {table} t WHERE t.owner = :owner AND {where}"
    return f"SELECT t.seq FROM {table} t JOIN records r ON r.seq = t.seq WHERE r.owner = :owner AND {where}"


def _texts(
    database: Database, table: str, column: str, owner: str, where: str = "IS NOT NULL"
) -> Iterator[tuple[Any, str]]:
    """Key and ``column`` of one owner's rows in ``table`` of which ``where`` is true."""
    key = f"t.{_APART.get(table, 'seq')}"
    sql = _of_owner(table, f"t.{column} {where}").replace(key, f"{key}, t.{column}", 1)
    return ((row[0], row[1]) for row in database.query(sql, {"owner": owner}))


def _few(
    database: Database, table: str, column: str, owner: str, wanted: Callable[[str], bool]
) -> Iterator[tuple[Any, str]]:
    """The same of those whose value is ``wanted``, where few values occur often."""
    every = database.query(f"SELECT DISTINCT {column} FROM {table}")
    values = [row[0] for row in every if row[0] is not None and wanted(row[0])]
    key = f"t.{_APART.get(table, 'seq')}"
    for start in range(0, len(values), CHUNK):
        # Bound one by one: a text with a NUL in it is another one after a way through JSON.
        given = {f"v{n}": value for n, value in enumerate(values[start : start + CHUNK])}
        sql = _of_owner(table, f"t.{column} IN ({', '.join(f':{name}' for name in given)})")
        found = database.query(sql.replace(key, f"{key}, t.{column}", 1), {"owner": owner, **given})
        yield from ((row[0], row[1]) for row in found)


def _numbers(database: Database, sql: str, **parameters: object) -> list[int]:
    return [int(row[0]) for row in database.query(sql, parameters)]


def _kinds(database: Database, owner: str, seqs: Iterable[int]) -> dict[int, str]:
    sql = "SELECT seq, kind FROM records WHERE owner = :owner AND seq IN (SELECT value FROM json_each(:seqs))"
    found = database.query(sql, {"owner": owner, "seqs": canonical(sorted(seqs))})
    return {int(row["seq"]): str(row["kind"]) for row in found}
