"""Owners of records are known by a keyed hash of their id (see ``store.owners``)."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

_KEY = (
    "CREATE TABLE owner_key (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL) STRICT",
    "INSERT INTO owner_key (one, key) VALUES (1, randomblob(32))",
    "CREATE TRIGGER owner_key_stay BEFORE UPDATE OF one, key ON owner_key"
    " BEGIN SELECT RAISE(ABORT, 'owner_key are append-only'); END",
)

_FIXED = {
    "timelines": "id, owner",
    "heads": "id, owner",
    "branches": "timeline, owner",
    "saves": "id, save_id, owner, game_time, real_time, world_version, automatic",
    "slots": "owner, slot, save",
    "records": (
        "seq, kind, owner, npc, npc_seq, player, session, game_time, speaker, addressee, place, audience, provenance,"
        " authority"
    ),
    "erasures": "id, owner, salt, subject, spared",
}
"""The tables of schema 3 that name an owner, and the columns that their triggers keep."""


def _hashed(table: str, columns: str) -> tuple[str, ...]:
    return (
        f"DROP TRIGGER {table}_stay",
        f"UPDATE {table} SET owner = hashed_owner((SELECT key FROM owner_key), owner) WHERE owner <> ''",
        f"CREATE TRIGGER {table}_stay BEFORE UPDATE OF {columns} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END",
    )


# The ids stay in the file's free bytes until it is written anew: the note of an erasure that has only its cleaning left
# has that done when the file is opened, again and again until it has been done.
_CLEANED = (
    "INSERT INTO erasures (owner, salt, subject, spared)"
    " SELECT '', x'', x'', '[]' WHERE EXISTS (SELECT 1 FROM timelines WHERE owner <> '')",
)

STATEMENTS: tuple[str, ...] = (
    *_KEY,
    "PRAGMA defer_foreign_keys=ON",
    *(statement for table, columns in _FIXED.items() for statement in _hashed(table, columns)),
    *_CLEANED,
)

ERASURE: dict[str, Erasure] = {
    "owner_key": Erasure("keep", "random bytes, of the file and of nobody"),
}
