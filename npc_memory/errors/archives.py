"""Archives that cannot be imported. Nothing of them is stored."""

from __future__ import annotations

from npc_memory.errors.inputs import InvalidInput

__all__ = ["ArchiveConflict", "ArchiveDamaged", "ArchiveInvalid", "ArchiveTooNew"]


class ArchiveInvalid(InvalidInput):
    """This is no archive, or one whose content no store could have written; the message names the line."""

    code = "archive_invalid"


class ArchiveDamaged(ArchiveInvalid):
    """An archive that is cut short, or was changed since it was written: a checksum does not fit."""

    code = "archive_damaged"


class ArchiveTooNew(ArchiveInvalid):
    """Written by a newer npc-memory, in a format or with a schema that this one does not know."""

    code = "archive_too_new"


class ArchiveConflict(ArchiveInvalid):
    """The store already holds other records under the numbers of these."""

    code = "archive_conflict"
