"""Which table goes into an archive, and how: declared for every table, as with erasure.

A record is one line: its header, and under the name of each table what that table holds of it. Tables that hold no
records have lines of their own. Numbers stay what they were, so ids mean the same after an import.
"""

from __future__ import annotations

from typing import Literal

from npc_memory.store.database import Database

__all__ = ["ARCHIVED", "JSON_TEXTS", "KIND_TABLES", "columns_of", "tables"]

How = Literal["header", "one", "many", "row", "none"]

ARCHIVED: dict[str, How] = {
    "records": "header",
    "turns": "one",
    "episodes": "one",
    "events": "one",
    "beliefs": "one",
    "belief_details": "one",
    "relationships": "one",
    "triples": "one",
    "state_changes": "one",
    "actors": "one",
    "identities": "one",
    "audits": "one",
    "shown": "one",
    "retirements": "one",
    "revisions": "one",
    "keys": "one",
    "derivations": "many",
    "hearings": "many",
    "timelines": "row",
    "branches": "row",
    "saves": "row",
    "slots": "row",
    "packs": "row",
    "heads": "none",
    "world": "none",
    "verdicts": "none",
    "erasures": "none",
    "vectors": "none",
    "owner_key": "none",
    "migrations": "none",
    "sqlite_sequence": "none",
}
"""``header``: the line of a record itself; ``one`` and ``many``: what a record has there; ``row``: a line of its own;
``none``: said otherwise, or the file's own."""

KIND_TABLES: dict[str, str] = {
    "turn": "turns",
    "episode": "episodes",
    "event": "events",
    "belief": "beliefs",
    "relationship": "relationships",
    "triple": "triples",
    "state": "state_changes",
    "actor": "actors",
    "identity": "identities",
    "audit": "audits",
    "retirement": "retirements",
    "revision": "revisions",
    "key": "keys",
    "clock": "",
    "session": "",
}
"""Where the content of each kind of record is; "" when its header says it all."""

JSON_TEXTS = frozenset(
    {
        ("records", "audience"),
        ("records", "provenance"),
        ("episodes", "turns"),
        ("events", "data"),
        ("state_changes", "value"),
        ("shown", "records"),
    }
)
"""Texts that are canonical JSON; in an archive they are read as what they are."""

_IMPLIED = {
    "records": {"seq", "kind", "owner"},
    "state_changes": {"seq", "timeline"},
    "hearings": {"seq", "timeline"},
    "triples": {"seq", "timeline", "npc"},
}
"""Columns that the line says otherwise: in its id, or by whose archive it is."""


def tables(*how: How) -> list[str]:
    """The tables archived in one of these ways, in order."""
    return [table for table, one in ARCHIVED.items() if one in how]


def columns_of(database: Database, table: str) -> dict[str, str]:
    """The columns of ``table`` that an archive holds, with their types."""
    implied = _IMPLIED.get(table, {"owner"} if ARCHIVED[table] == "row" else {"seq"})
    found = database.query(f"PRAGMA table_info({table})")
    return {str(row["name"]): str(row["type"]) for row in found if row["name"] not in implied}
