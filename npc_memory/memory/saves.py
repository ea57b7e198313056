"""What is known of a saved game: the memory's side of a save slot."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SaveInfo", "SaveNode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveInfo:
    """A save. ``save_id`` never changes its meaning; ``slot`` names its newest save, so it is "" here when a later one
    took the slot (this one can still be loaded by its id).

    ``game_time`` in game minutes; ``real_time`` in Unix milliseconds, for people to look at and for nothing else.
    ``world_version``: of the world pack it was made with. ``automatic``: made before a load.
    """

    slot: str
    save_id: str
    game_time: int
    real_time: int
    note: str = ""
    world_version: str = ""
    automatic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveNode:
    """A save in the tree of all saves. ``parent``: the ``save_id`` of the newest save in its past, "" for none.
    ``records``: how many the game wrote from there to here; ``playing``: the game goes on from here.
    """

    save: SaveInfo
    parent: str
    records: int
    playing: bool
