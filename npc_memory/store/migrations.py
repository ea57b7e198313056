"""Bringing a file to the newest schema: one transaction a step, the ledger row in it."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.errors import StoreDamaged, StoreTooNew
from npc_memory.store.database import Database
from npc_memory.store.owners import HASH, hashed
from npc_memory.store.schema import APPLICATION_ID, MIGRATIONS, Migration

__all__ = ["migrate", "schema_version"]


def schema_version(database: Database) -> int:
    """The schema the file has; 0 for an empty one. Raises ``StoreDamaged`` for a file that is not ours."""
    version = int(database.scalar("PRAGMA user_version"))
    tables = int(database.scalar("SELECT COUNT(*) FROM sqlite_schema"))
    if tables == 0 and version == 0:
        return 0
    if int(database.scalar("PRAGMA application_id")) != APPLICATION_ID:
        raise StoreDamaged(
            f"{database.where} is not an npc-memory store",
            hint="name another file; this one belongs to another program and was left alone",
        )
    return version


def migrate(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Run what is missing of ``migrations`` and return the version reached.

    A step that fails leaves the file as it was before that step. Raises ``StoreTooNew`` for a file of a later schema,
    before anything is changed.
    """
    version = schema_version(database)
    newest = migrations[-1].version
    if version > newest:
        raise StoreTooNew(
            f"{database.where} has schema {version}; this npc-memory knows schemas up to {newest}",
            hint="open it with the npc-memory that wrote it, or a later one; the file was left alone",
            details={"found": version, "known": newest},
        )
    database.use_wal()
    database.define(HASH, hashed, 2)
    for migration in migrations[version:]:
        _apply(database, migration)
    return newest


def _apply(database: Database, migration: Migration) -> None:
    with database.transaction():
        for statement in migration.statements:
            database.execute(statement)
        database.execute("INSERT INTO migrations (version, name) VALUES (?, ?)", (migration.version, migration.name))
        database.execute(f"PRAGMA application_id={APPLICATION_ID}")
        database.execute(f"PRAGMA user_version={migration.version}")
