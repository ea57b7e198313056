"""Reading the recorded replies of a world's file without changing it.

Opening a store brings it to the newest schema and locks it, and even a plain read of SQLite may leave files beside it.
So a copy is opened, in a folder of the user's own that goes with it.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from npc_memory.errors import StoreDamaged, StoreError, StoreLocked, UnknownId
from npc_memory.memory import AuditRecord
from npc_memory.store import Store

__all__ = ["Recording", "open_recording"]


@dataclass(frozen=True, slots=True)
class Recording:
    """The replies of one owner's game, as far as they were asked for. ``ids`` are in order."""

    store: Store
    ids: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[AuditRecord]:
        """Read one after the other, as often as wanted: a long game's records do not fit into memory."""
        return map(self.store.audit, self.ids)


@contextmanager
def open_recording(
    file: Path, *, owner: str = "", npc: str | None = None, player: str | None = None, limit: int | None = None
) -> Iterator[Recording]:
    """The replies on the current timeline of ``owner`` in a world's file, or the newest ``limit`` of them.

    The file and its folder stay as they are and need not be writable. Raises ``UnknownId`` when it is not there,
    ``StoreLocked`` while a program has it open, ``StoreDamaged`` when it is no world's file, ``StoreTooNew``.
    """
    if not file.is_file():
        raise UnknownId("recording", str(file))
    _refuse_open(file)
    with tempfile.TemporaryDirectory(prefix="npc-memory-replay-") as folder:
        copy = Path(folder) / file.name
        _copy(file, copy)
        with Store.open(copy, world=_world_of(copy, file), owner=owner) as store:
            yield Recording(store, store.audit_ids(npc, player, limit))


def _log_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def _refuse_open(file: Path) -> None:
    """Raise ``StoreLocked`` when a store is open on ``file``. An open store always has its log beside it."""
    if not _log_of(file).exists():
        return
    # Without readonly_shm SQLite would make an index beside the log, and leave it there. With it the log of a killed
    # game cannot be opened in place; but a lock is found before that is tried.
    uri = f"{file.resolve().as_uri()}?mode=ro&readonly_shm=1"
    with closing(sqlite3.connect(uri, uri=True, timeout=0)) as connection:
        try:
            connection.execute("SELECT COUNT(*) FROM sqlite_master")
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise StoreLocked(
                    f"{file} is in use", hint="stop the bridge first; a copy made while it runs may be half written"
                ) from error


def _copy(file: Path, copy: Path) -> None:
    try:
        shutil.copyfile(file, copy)
        if _log_of(file).exists():
            shutil.copyfile(_log_of(file), _log_of(copy))
    except OSError as error:
        raise StoreError(
            f"cannot copy {file}: {error.strerror or error}",
            hint="it is read in a copy; see that it may be read, and that the folder for temporary files has room",
        ) from error


def _world_of(copy: Path, file: Path) -> str:
    with closing(sqlite3.connect(copy)) as connection:
        try:
            row = connection.execute("SELECT world FROM world").fetchone()
        except sqlite3.Error as error:
            raise StoreDamaged(f"{file} is no world's file", hint="name the file in the --data folder") from error
    if row is None:
        raise UnknownId("world in the file", str(file))
    return str(row[0])
