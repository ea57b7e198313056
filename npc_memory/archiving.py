"""Taking an archive in, where it is known what an NPC has room for."""

from __future__ import annotations

from pathlib import Path

from npc_memory.memory import Authority
from npc_memory.reporting import Reports
from npc_memory.store import Imported, Store
from npc_memory.working_memory import WorkingMemoryBuilder
from npc_memory.world import World

__all__ = ["import_archive"]


def import_archive(
    world: World, store: Store, builder: WorkingMemoryBuilder, file: Path | str, *, rank: Authority = Authority.GAME
) -> Imported:
    """``Store.import_archive``, and refused as a whole with ``MandatoryOverflow`` (it names her) when facts and state
    of an NPC, as the archive has them, would leave no room for a line in a prompt of ``builder``.
    """
    reports = Reports(world, store, builder)
    return store.import_archive(file, rank=rank, check=lambda view: reports.check_all(view=view))
