"""Worlds loaded before. A pack whose files hold the same bytes is the same world, so it is not parsed again: whoever
opens one mind after the other, as tests of a game do, reads YAML once.
"""

from __future__ import annotations

import hashlib
import stat
from collections import OrderedDict
from pathlib import Path
from threading import Lock

from npc_memory.world.source import MAX_FILE_BYTES
from npc_memory.world.world import World

__all__ = ["Shelf", "pack_digest"]

MAX_WORLDS = 4
"""How many worlds are kept, those used last."""


class Shelf:
    """Worlds by the digest of their pack. They are frozen, so many may hold one at once."""

    def __init__(self, size: int = MAX_WORLDS) -> None:
        self._size = size
        self._worlds: OrderedDict[str, World] = OrderedDict()
        self._lock = Lock()

    def get(self, digest: str) -> World | None:
        """The world of that digest, if it is still here; "" is none."""
        with self._lock:
            if digest in self._worlds:
                self._worlds.move_to_end(digest)
            return self._worlds.get(digest)

    def put(self, digest: str, world: World) -> None:
        """Keep ``world``, and let go of the one that was asked for least recently."""
        with self._lock:
            self._worlds[digest] = world
            self._worlds.move_to_end(digest)
            if len(self._worlds) > self._size:
                self._worlds.popitem(last=False)


def pack_digest(root: Path) -> str:
    """SHA-256 of all that a pack is made of: what lies in its two folders by name and kind, and the YAML among it.

    "" where a part cannot be read: then there is nothing to be sure of.
    """
    found = hashlib.sha256()
    try:
        for folder in (root, root / "npcs"):
            for path in sorted(folder.iterdir(), key=lambda path: path.name):
                kind = stat.S_IFMT(path.lstat().st_mode)
                read = kind == stat.S_IFREG and path.suffix.lower() in (".yaml", ".yml")
                content = hashlib.sha256(_head(path)).hexdigest() if read else ""
                found.update(repr((folder == root, path.name, kind, content)).encode())
    except (OSError, ValueError):
        return ""
    return found.hexdigest()


def _head(path: Path) -> bytes:
    """As much as is ever read of a file; one that is longer is refused."""
    with path.open("rb") as stream:
        return stream.read(MAX_FILE_BYTES + 1)
