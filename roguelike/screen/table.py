"""What lies on the table before the game begins: the wire, the child that may stand behind it, and the saved games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from roguelike.bridge_process import BridgeProcess
from roguelike.link import Link
from roguelike.slots import Slots

__all__ = ["Table"]


@dataclass
class Table:
    """``seed``: of a new game. ``process``: the bridge this game has started, None when it runs by itself.

    ``hero``: what the first hero is called. ``record``: where to write what was played, on leaving.
    """

    link: Link
    slots: Slots
    seed: int
    process: BridgeProcess | None = None
    hero: str = ""
    record: Path | None = None
