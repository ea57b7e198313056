"""Files that cannot be read or written: the world's, and standard output."""

from __future__ import annotations

from npc_memory.errors.base import NpcMemoryError

__all__ = [
    "OutputClosed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreWrongWorld",
    "Superseded",
]


class StoreError(NpcMemoryError):
    """The world's file cannot be used as asked."""

    code = "store_error"


class StoreLocked(StoreError):
    """Another process has this world's file open."""

    code = "store_locked"


class StoreFull(StoreError):
    """The disk is full; the store is read-only from now on and what was acknowledged stays."""

    code = "store_full"


class StoreDamaged(StoreError):
    """The file is not a healthy npc-memory store; it is read-only from now on."""

    code = "store_damaged"


class StoreReadOnly(StoreError):
    """No permission to write to the file, or a write after the store went read-only."""

    code = "store_read_only"


class StoreTooNew(StoreError):
    """Written by a newer npc-memory; this one will not touch it."""

    code = "store_too_new"


class StoreWrongWorld(StoreError):
    """The file holds the memory of world ``found``, not of ``wanted``."""

    code = "store_wrong_world"

    def __init__(self, wanted: str, found: str) -> None:
        self.wanted, self.found = wanted, found
        super().__init__(
            f"this file belongs to the world {found!r}, not to {wanted!r}",
            hint="each world has a file of its own: name another file or open the world it belongs to",
            details={"wanted": wanted, "found": found},
        )


class Superseded(StoreError):
    """Work that began before a save was loaded may not be stored after it."""

    code = "superseded"

    def __init__(self) -> None:
        super().__init__(
            "a save was loaded while this was being worked out",
            hint="nothing of it was stored; begin again if it is still wanted",
        )


class OutputClosed(NpcMemoryError):
    """Standard output takes no more: a closed pipe, a full disk, or none was given."""

    code = "output_closed"

    def __init__(self, why: str) -> None:
        super().__init__(
            f"standard output cannot be written to: {why}",
            hint="keep its reader open or free some space; every reply made until now is remembered",
        )
