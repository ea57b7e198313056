"""All ids of one actor, whichever timeline says so: for what has to do with a person and not with a moment."""

from __future__ import annotations

from npc_memory.store.database import Database

__all__ = ["known_as"]

_TIED = """SELECT DISTINCT r.player, d.alias_of FROM identities d JOIN records r ON r.seq = d.seq
WHERE r.owner = ? AND d.alias_of <> ''"""


def known_as(database: Database, owner: str, id: str) -> set[str]:
    """``id``, and the ids that ever stood for the same one in the game of ``owner``."""
    tied = [(str(row[0]), str(row[1])) for row in database.query(_TIED, (owner,))]
    ids = {id}
    while more := {one for pair in tied if ids & set(pair) for one in pair} - ids:
        ids |= more
    return ids
