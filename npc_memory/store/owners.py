"""How a file knows its owners: by a keyed hash of their ids, never by the ids themselves.

The key is random, made with the file and kept in it. So nobody reads in a file whose games are in it, and two files do
not show that they hold games of the same owner. It is no secret from somebody who has the file and already guesses an
id: he can hash his guess with the key, and see. The local owner, "", is "" in the file too.
"""

from __future__ import annotations

import hashlib
import hmac

from npc_memory.store.database import Database

__all__ = ["HASH", "hashed", "owner_id", "owner_key"]

HASH = "hashed_owner"
"""What SQL calls ``hashed``; migration 4 needs it."""

DIGITS = 32
"""Hexadecimal digits of a hash: 128 bits."""

_ids: dict[str, str] = {}
"""The ids behind the hashes, of those owners whose games this process has open or had; keys make them unique."""


def hashed(key: bytes, owner: str) -> str:
    """The first 128 bits of HMAC-SHA256 over the id, in hexadecimal digits; "" for the local owner."""
    return hmac.digest(key, owner.encode("utf-8"), hashlib.sha256).hex()[:DIGITS] if owner else ""


def owner_key(database: Database, owner: str) -> str:
    """What ``owner`` is called in this file."""
    if not owner:
        return ""
    found = hashed(bytes(database.scalar("SELECT key FROM owner_key")), owner)
    _ids[found] = owner
    return found


def owner_id(key: str) -> str:
    """The owner who is called ``key`` in a file, his game being open; ``ValueError`` when that is nobody's name."""
    if key and key not in _ids:
        raise ValueError("a record of an owner who has no game here")
    return _ids[key] if key else ""
