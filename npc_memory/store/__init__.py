"""Where records live: one SQLite file per world, append-only, on timelines."""

from npc_memory.store.archive_import import Imported
from npc_memory.store.believed import Source, Wording
from npc_memory.store.checks import MAX_TEXT_BYTES
from npc_memory.store.schema import ERASURE, MIGRATIONS, Erasure, Migration
from npc_memory.store.seen import Continued, Growing
from npc_memory.store.store import Store
from npc_memory.store.view import View
from npc_memory.store.writer import Writer

__all__ = [
    "ERASURE",
    "MAX_TEXT_BYTES",
    "MIGRATIONS",
    "Continued",
    "Erasure",
    "Growing",
    "Imported",
    "Migration",
    "Source",
    "Store",
    "View",
    "Wording",
    "Writer",
]
