"""One SQLite connection, guarded: who may open the file, what a transaction is, and what SQLite's failures mean.

The connection holds the file's exclusive lock as long as it lives (``locking_mode=EXCLUSIVE``). The lock is the
operating system's, so a killed process leaves none behind, and a forked child does not inherit it. After a failure of
the disk or the file nothing is written any more; reads go on.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from npc_memory.errors import InvalidInput, StoreDamaged, StoreError, StoreFull, StoreLocked, StoreReadOnly
from npc_memory.store.failures import damaged, typed
from npc_memory.store.files import PAGE, make_folder, refuse_read_only, refuse_stub

__all__ = ["Database", "Parameters"]

T = TypeVar("T")
Parameters = Sequence[Any] | Mapping[str, Any]

OLDEST_SQLITE = (3, 37, 0)

LOCK_TRIES = 6


class Database:
    """A guarded connection. Safe to use from several threads: one at a time, in the order they come."""

    def __init__(self, connection: sqlite3.Connection, where: str) -> None:
        self.lock = RLock()
        self.where = where
        self.failure: StoreError | None = None
        self.embedding: object | None = None
        """What tells meanings apart, for the stores on this file to agree on."""
        self.seen: dict[str, Any] = {}
        """By what an owner is called here, what the stores on this file see and remember of it; theirs to fill."""
        self.writes = 0
        """Rises whenever rows may have changed; as long as it stays, what was read before holds."""
        self.span = 0
        """Another number in each transaction, and after each part of one that was taken back."""
        self.undone = 0
        """Rises whenever something that was written has been taken back."""
        self._connection: sqlite3.Connection | None = connection
        self._depth = 0
        self._doomed: StoreError | None = None

    @classmethod
    def open(cls, path: Path | str, prepare: Callable[[Database], T]) -> tuple[Database, T]:
        """Open ``path`` (":memory:" for none) with its lock held and let ``prepare`` check it before it is changed.

        Raises ``StoreLocked`` when another process, or this one, has it open; ``StoreDamaged`` when it is no store.
        """
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise StoreError(
                f"SQLite {sqlite3.sqlite_version} is too old", hint="use a Python built with SQLite 3.37 or newer"
            )
        if str(path) != ":memory:":
            make_folder(Path(path).parent)
            refuse_read_only(Path(path))
            refuse_stub(Path(path))
        for attempt in range(LOCK_TRIES):
            try:
                return cls._open_once(path, prepare)
            except StoreLocked:
                if attempt == LOCK_TRIES - 1:
                    raise
                # Two processes that start together may refuse each other; unequal pauses let one of them win.
                time.sleep(0.02 + 0.002 * (os.getpid() % 50))
        raise AssertionError("unreachable")

    @classmethod
    def _open_once(cls, path: Path | str, prepare: Callable[[Database], T]) -> tuple[Database, T]:
        try:
            connection = sqlite3.connect(
                str(path), isolation_level=None, check_same_thread=False, timeout=0, cached_statements=256
            )
        except sqlite3.Error as exc:
            raise StoreError(
                f"cannot open {path}: {exc}", hint="check that the folder exists and can be written to"
            ) from exc
        connection.row_factory = sqlite3.Row
        database = cls(connection, str(path))
        try:
            # Before the first access: then WAL keeps its index in memory and needs no shared-memory file.
            for pragma in (
                f"page_size={PAGE}",
                "locking_mode=EXCLUSIVE",
                "foreign_keys=ON",
                "temp_store=MEMORY",
                "cell_size_check=ON",
            ):
                database.query(f"PRAGMA {pragma}")
            prepared = prepare(database)
        except BaseException:
            database.close()
            raise
        return database, prepared

    def use_wal(self) -> None:
        """Switch to write-ahead logging, each commit flushed to the disk."""
        self.query("PRAGMA journal_mode=WAL")
        self.query("PRAGMA synchronous=FULL")

    def define(self, name: str, function: Callable[..., Any], arguments: int) -> None:
        """Give SQL a function of that ``name``; the same arguments give the same value."""
        with self.lock, self.translated():
            self._live().create_function(name, arguments, function, deterministic=True)

    @property
    def in_transaction(self) -> bool:
        """True while a transaction is open (in whatever thread)."""
        return self._depth > 0

    def query(self, sql: str, parameters: Parameters = ()) -> list[sqlite3.Row]:
        """Run a reading statement and return all its rows."""
        with self.lock, self.translated():
            return self._bound(sql, parameters).fetchall()

    def read(self, make: Callable[[sqlite3.Row], T], sql: str, parameters: Parameters = ()) -> list[T]:
        """Run a reading statement and make a record of each row; one that cannot be made means damage."""
        with self.lock, self.translated():
            return [make(row) for row in self._bound(sql, parameters)]

    def scalar(self, sql: str, parameters: Parameters = ()) -> Any:
        """The first column of the first row, None when there is no row."""
        rows = self.query(sql, parameters)
        return rows[0][0] if rows else None

    def number(self, sql: str, parameters: Parameters = ()) -> int:
        """The first column of the first row as an integer, 0 when there is no row or it is NULL."""
        with self.lock, self.translated():
            return int(self.scalar(sql, parameters) or 0)

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run a writing statement inside a transaction; return the row id it made."""
        with self.lock:
            self._writable()
            self.writes += 1
            with self.translated():
                # SQLite ends a transaction by itself on some failures; what follows must not commit on its own.
                if self._doomed is not None or not self._live().in_transaction:
                    raise StoreError("a write outside a transaction", hint="write inside `with store.transaction()`")
                return self._bound(sql, parameters).lastrowid or 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. A transaction within one is a part of it that can fail alone. Holds the lock throughout."""
        with self.lock:
            self._writable()
            begin, commit, undo = _VERBS[self._depth > 0]
            depth = self._depth
            self._run(begin.format(depth))
            self._depth += 1
            self.span += depth == 0
            try:
                yield
                if self._doomed is not None:
                    raise self._doomed
                self._run(commit.format(depth))
            except BaseException:
                self._undo(undo.format(depth), outermost=depth == 0)
                raise
            finally:
                self._depth -= 1
                if depth == 0:
                    self._doomed = None

    def close(self) -> None:
        """Close the file and drop its lock. Closing twice is harmless."""
        with self.lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def check(self) -> list[str]:
        """Everything SQLite finds wrong with the file; empty when it is sound. Reads all of it."""
        try:
            found = [str(row[0]) for row in self.query("PRAGMA integrity_check")]
            broken = [f"{row[0]}: row {row[1]} points nowhere" for row in self.query("PRAGMA foreign_key_check")]
        except StoreDamaged as exc:
            return [exc.message]
        return [line for line in found if line != "ok"] + broken

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn SQLite's errors, and values no healthy file holds, into typed ones; go read-only when that is due."""
        try:
            yield
        except sqlite3.Error as exc:
            error = typed(exc, self.where)
            if isinstance(error, StoreFull | StoreDamaged):
                self.failure = self.failure or error
            if self._depth:
                self._doomed = self._doomed or error
            raise error from exc
        except (ValueError, TypeError, zlib.error) as exc:
            error = damaged(self.where, "a record cannot be read")
            self.failure = self.failure or error
            raise error from exc

    def _bound(self, sql: str, parameters: Parameters) -> sqlite3.Cursor:
        try:
            return self._live().execute(sql, parameters)
        except (UnicodeEncodeError, OverflowError) as exc:  # the caller's value, not the file, is at fault
            raise InvalidInput(
                "a value holds lone surrogates, or is a number over 64 bits", hint="pass plain text and smaller numbers"
            ) from exc

    def _live(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreError("this store is closed", hint="open it again with Store.open")
        return self._connection

    def _writable(self) -> None:
        if self.failure is not None and self._depth == 0:
            raise StoreReadOnly(
                f"{self.where} is read-only since a failure: {self.failure.message}",
                hint="what was acknowledged is kept and can be read; mend the cause and open the store again",
            ) from self.failure
        self._live()

    def _run(self, verb: str) -> None:
        with self.translated():
            self._live().execute(verb)

    def _undo(self, verb: str, *, outermost: bool) -> None:
        self.writes += 1
        self.span += 1
        self.undone += 1
        connection = self._connection
        if connection is None or not connection.in_transaction:
            return
        try:
            for statement in verb.split(";"):
                connection.execute(statement)
        except sqlite3.Error as exc:
            # Nothing was acknowledged; a transaction that cannot even be taken back ends with this connection.
            self.failure = self.failure or typed(exc, self.where)
            if outermost:
                self.close()


_VERBS = {
    False: ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"),
    True: ("SAVEPOINT inner{0}", "RELEASE inner{0}", "ROLLBACK TO inner{0};RELEASE inner{0}"),
}
