"""What is checked of the file and its folder before SQLite opens them."""

from __future__ import annotations

import os
from pathlib import Path

from npc_memory.errors import StoreError, StoreReadOnly
from npc_memory.store.failures import damaged

__all__ = ["PAGE", "make_folder", "refuse_read_only", "refuse_stub"]

PAGE = 4096
"""Bytes of a page in every file of ours."""


def make_folder(folder: Path) -> None:
    """Make ``folder`` and those above it; ``StoreError`` when that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise StoreError(
            f"cannot make the folder {folder}: {exc.strerror or exc}", hint="name a folder that can be written to"
        ) from exc


def refuse_read_only(path: Path) -> None:
    """Refuse a file, or a folder for it and its log, that may not be written to: ``StoreReadOnly``."""
    # SQLite would open it for reading, then fail to lock it, and call that an error of the disk.
    for place in (path, path.parent):
        if place.exists() and not os.access(place, os.W_OK):
            raise StoreReadOnly(
                f"{path} cannot be written to: no permission for {'the file' if place == path else 'its folder'}",
                hint=f"give write permission to {place}, or copy the file to a folder of your own and name that one",
            )


def refuse_stub(path: Path) -> None:
    """Refuse a file cut down within a page: SQLite would fill the page with zeros, or start the file afresh."""
    # Only stat: opening and closing the file here would drop the locks this process may hold on it (POSIX).
    wal = path.with_name(path.name + "-wal")
    size = path.stat().st_size if path.is_file() else 0
    logged = wal.is_file() and wal.stat().st_size > 0
    # A crash while the log is folded in may leave half a page at the end; the log still has the whole.
    if (size == 0 and logged) or 0 < size < PAGE or (size % PAGE and not logged):
        raise damaged(str(path), "it is cut short")
