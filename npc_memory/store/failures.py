"""What SQLite's failures mean: a full disk, a damaged file, a file in use."""

from __future__ import annotations

import sqlite3

from npc_memory.errors import StoreDamaged, StoreError, StoreFull, StoreLocked, StoreReadOnly

__all__ = ["damaged", "typed"]

_WRITE_REFUSED = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC)
"""What a quota, a file-size limit or a failing disk answers to a write; SQLite calls only ENOSPC "full"."""


def damaged(where: str, what: str) -> StoreDamaged:
    return StoreDamaged(
        f"{where} is damaged: {what}",
        hint="the store is read-only from now on; restore the file from a copy",
    )


def typed(exc: sqlite3.Error, where: str) -> StoreError:
    """The typed error for what SQLite reported. Texts of records, which SQLite may quote, stay out of it."""
    code = getattr(exc, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary == sqlite3.SQLITE_FULL or code in _WRITE_REFUSED:
        return StoreFull(
            f"the disk takes no more of {where}",
            hint="free some space (or lift the quota) and open the store again; what was acknowledged is kept",
        )
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(f"{where} is in use", hint="close the other npc-memory that has this world open")
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"cannot open {where}", hint="check that it is a file and that its folder can be written to")
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreReadOnly(f"{where} cannot be written to", hint="give the file and its folder write permission")
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT):
        return damaged(where, str(exc))
    if primary == sqlite3.SQLITE_IOERR:
        return damaged(where, "the disk could not read or write it")
    if primary is None and "decode" in str(exc):
        return damaged(where, "a text in it is not UTF-8")
    return StoreError(f"{where}: {exc}", hint="this is a fault in npc-memory; please report it")
