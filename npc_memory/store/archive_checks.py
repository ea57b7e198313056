"""What a store could have written, kind by kind: an import takes nothing else.

Records are held against what ``Writer`` lets pass and what erasing leaves: of whom a kind of record is, what its texts
and numbers may be. What stands in other records (is a turn said to be shown in an episode there?) is not asked, for an
archive may be of a part of a world.
"""

from __future__ import annotations

import json
from typing import Any

from npc_memory.errors import InvalidInput
from npc_memory.memory import Authority, check_id
from npc_memory.memory.text import MAX_ID_CHARS
from npc_memory.store import checks
from npc_memory.store.database import Database
from npc_memory.store.erasure_words import STAND_IN
from npc_memory.store.ids import records_in, seq_of
from npc_memory.store.rows import unpack
from npc_memory.store.saves import check_save_id, check_slot

__all__ = ["check_header", "check_parts", "check_row", "misplaced"]

Values = dict[str, Any]

_OF_AN_NPC = frozenset({"turn", "episode", "belief", "audit", "session", "revision", "relationship"})
_OF_NOBODY = frozenset({"event", "state", "clock", "actor", "identity"})
_OF_A_PLAYER = frozenset({"turn", "session", "revision", "actor", "identity", "relationship"})
_OF_NO_PLAYER = frozenset({"episode", "belief", "event", "state", "clock", "retirement", "triple"})
_IN_A_SESSION = frozenset({"turn", "audit", "session", "revision"})
_SPOKEN = frozenset({"turn", "revision"})
_OVERHEARD = frozenset({"turn", "episode", "retirement"})

_NAMED: dict[str, tuple[str, ...]] = {
    "episodes": ("kind",),
    "events": ("kind",),
    "state_changes": ("key",),
    "keys": ("key",),
    "triples": ("subject", "relation", "object"),
}
"""Columns that hold an id."""

_PERHAPS_NAMED: dict[str, tuple[str, ...]] = {
    "beliefs": ("subject",),
    "belief_details": ("slot", "scope"),
    "state_changes": ("scope",),
    "actors": ("faction",),
    "identities": ("alias_of",),
}
"""Columns that hold an id or ""."""

_COUNTS: dict[str, tuple[str, ...]] = {
    "turns": ("exchange",),
    "revisions": ("roll",),
    "belief_details": ("distance",),
}
"""Columns that hold a number from 0 on."""

_FRACTIONS: dict[str, str] = {
    "episodes": "importance",
    "events": "importance",
    "beliefs": "confidence",
    "triples": "confidence",
}


def _refuse(why: str) -> None:
    raise InvalidInput(why, hint="")


def check_header(kind: str, header: Values) -> None:
    """What all records share, as far as it depends on the kind. Raises ``InvalidInput``."""
    if header["npc_seq"] < 1 or header["session"] < 0:
        _refuse("npc_seq is from 1 on, session from 0 on")
    if (kind in _OF_AN_NPC and not header["npc"]) or (kind in _OF_NOBODY and header["npc"]):
        _refuse(f"npc of a {kind} is {'an id' if kind in _OF_AN_NPC else 'empty'}")
    if (kind in _OF_A_PLAYER and not header["player"]) or (kind in _OF_NO_PLAYER and header["player"]):
        _refuse(f"player of a {kind} is {'an id' if kind in _OF_A_PLAYER else 'empty'}")
    if (header["session"] > 0) != (kind in _IN_A_SESSION):
        _refuse(f"session of a {kind} is {'from 1 on' if kind in _IN_A_SESSION else '0'}")
    if kind in _SPOKEN and not header["speaker"]:
        _refuse(f"speaker of a {kind} is an id")
    audience = _listed(header["audience"], "audience")
    if audience != sorted(set(audience)):
        _refuse("audience is sorted, each once")


def check_parts(kind: str, seq: int, header: Values, parts: list[tuple[str, Values]]) -> None:
    """What the tables hold of record ``seq``. Raises ``InvalidInput``."""
    for table, values in parts:
        for name in _NAMED.get(table, ()):
            check_id(_short(name, values[name]), f"{table}.{name}")
        for name in _PERHAPS_NAMED.get(table, ()):
            checks.optional_id(_short(name, values[name]), f"{table}.{name}")
        for name in _COUNTS.get(table, ()):
            checks.count(values[name], f"{table}.{name}")
        if table in _FRACTIONS:
            checks.fraction(values[_FRACTIONS[table]], f"{table}.{_FRACTIONS[table]}")
        if table == "hearings":
            _check_hearing(kind, header, values)
        if any(values.get(name, 1) < 1 for name in ("source", "target", "turn") if name != "turn" or table == "audits"):
            _refuse("records are numbered from 1 on")
    _CHECKS.get(kind, _nothing)(seq, header, dict(parts))


def check_row(table: str, values: Values) -> None:
    """A row of a table that holds no records. Raises ``InvalidInput``."""
    for name in ("id", "timeline", "save"):
        if values.get(name, 1) < 1:
            _refuse(f"{table}.{name} is from 1 on")
    if values.get("after_seq", 0) < 0 or (values.get("fork_seq") or 0) < 0:
        _refuse("records are numbered from 1 on")
    if table == "saves":
        check_save_id(values["save_id"])
        if values["automatic"] not in (0, 1):
            _refuse("automatic is 0 or 1")
    if table == "slots":
        check_slot(_short("slot", values["slot"]))


def misplaced(database: Database, owner: str) -> str:
    """What is wrong with the tree that the owner's timelines make, "" for nothing."""
    for sql, why in _TREE:
        if database.query(sql, {"owner": owner}):
            return why
    return ""


_TREE = (
    (
        "SELECT 1 FROM timelines t WHERE t.owner = :owner"
        " AND NOT EXISTS (SELECT 1 FROM branches b WHERE b.timeline = t.id) LIMIT 1",
        "a timeline hangs nowhere",
    ),
    (
        "SELECT 1 FROM branches b JOIN branches p ON p.timeline = b.parent"
        " WHERE b.owner = :owner AND p.parent IS NOT NULL AND b.fork_seq <= p.fork_seq LIMIT 1",
        "a timeline forks before its parent did",
    ),
    (
        "SELECT 1 FROM branches b CROSS JOIN records r WHERE b.owner = :owner AND b.parent IS NOT NULL"
        " AND r.timeline = b.timeline AND r.seq <= b.fork_seq LIMIT 1",
        "a record is older than its timeline",
    ),
    (
        "SELECT 1 FROM branches b JOIN saves s ON s.timeline = b.timeline WHERE b.owner = :owner"
        " AND b.parent IS NOT NULL AND s.after_seq <= b.fork_seq LIMIT 1",
        "a save is older than its timeline",
    ),
)
"""What is never found in a sound tree: see ``lineage``."""


def _short(name: str, value: str) -> str:
    """``value`` as far as it may be too long: what stands in for a name that was struck out may have made it longer."""
    return value[:MAX_ID_CHARS] if name in ("kind", "slot") and STAND_IN in value else value


def _check_hearing(kind: str, header: Values, values: Values) -> None:
    check_id(values["npc"], "who overheard it")
    if kind not in _OVERHEARD or values["kind"] != kind or values["player"] not in ("", header["player"]):
        _refuse("what was overheard is another record")


def _nothing(seq: int, header: Values, parts: dict[str, Values]) -> None:
    pass


def _mark(seq: int, header: Values, parts: dict[str, Values]) -> None:
    if parts.get("turns", parts.get("revisions", {}))["mark"] not in checks.MARKS:
        _refuse("there is no such mark")


def _episode(seq: int, header: Values, parts: dict[str, Values]) -> None:
    for one in checks.ids(_listed(parts["episodes"]["turns"], "turns"), "an episode's turns"):
        if seq_of(one, "turn")[1] >= seq:
            _refuse("a record is made of older ones")


def _event(seq: int, header: Values, parts: dict[str, Values]) -> None:
    checks.plain(json.loads(parts["events"]["data"]), "an event's data")


def _belief(seq: int, header: Values, parts: dict[str, Values]) -> None:
    if "belief_details" in parts:
        checks.signed_fraction(parts["belief_details"]["sentiment"], "a belief's sentiment")


def _state(seq: int, header: Values, parts: dict[str, Values]) -> None:
    checks.state_value(json.loads(parts["state_changes"]["value"]), "a state value")


def _identity(seq: int, header: Values, parts: dict[str, Values]) -> None:
    if parts["identities"]["alias_of"] == header["player"]:
        _refuse("nobody is an alias of himself")


def _audit(seq: int, header: Values, parts: dict[str, Values]) -> None:
    if parts["audits"]["turn"] > seq:
        _refuse("a record is made of older ones")
    if "shown" not in parts:
        return
    shown = json.loads(parts["shown"]["records"])
    if not isinstance(shown, list) or any(type(one) is not int or one < 0 for one in shown):
        _refuse("shown.records is a list of numbers")
    # By these numbers it is found when one of the records is erased.
    if shown != sorted(set(shown)) or not {*records_in(unpack(parts["audits"]["payload"]))} <= {*shown}:
        _refuse("shown.records are those that the payload names, in order")


def _relationship(seq: int, header: Values, parts: dict[str, Values]) -> None:
    values = parts["relationships"]
    checks.move(*(values[name] for name in ("kind", "how", "amount")))
    if header["player"] == header["npc"]:
        _refuse("a relationship is between two")
    if values["how"] == "to" and header["authority"] < Authority.GAME:
        _refuse("to set a value outright needs the game's rank")


def _triple(seq: int, header: Values, parts: dict[str, Values]) -> None:
    values = parts["triples"]
    if values["valid_to"] is not None and values["valid_to"] < values["valid_from"]:
        _refuse("a triple ends before it begins")
    if values["functional"] not in (0, 1):
        _refuse("functional is 0 or 1")
    if header["authority"] > Authority.GAME:
        _refuse("no triple ranks above the game's")


_CHECKS = {
    "turn": _mark,
    "revision": _mark,
    "episode": _episode,
    "event": _event,
    "belief": _belief,
    "state": _state,
    "identity": _identity,
    "audit": _audit,
    "relationship": _relationship,
    "triple": _triple,
}


def _listed(text: str, what: str) -> list[str]:
    found = json.loads(text)
    if not isinstance(found, list):
        _refuse(f"{what} must be a list")
    return list(found)
