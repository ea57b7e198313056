"""The cellar of the Gilded Stag, drawn by hand: casks, rats, and something under the third cask."""

from __future__ import annotations

from roguelike.dungeon.tiles import HEIGHT, WIDTH

__all__ = ["CELLAR", "THIRD_CASK"]

DRAWN = (
    "##################",
    "#<..c..c..c..c...#",
    "#................#",
    "#..c..c.....c..c.#",
    "#................#",
    "##################",
)
LEFT, TOP = 31, 7

CELLAR: tuple[str, ...] = tuple(
    (" " * LEFT + DRAWN[y - TOP]).ljust(WIDTH) if 0 <= y - TOP < len(DRAWN) else " " * WIDTH for y in range(HEIGHT)
)

THIRD_CASK = (LEFT + 10, TOP + 1)
"""Counted along the back wall from the stairs."""
