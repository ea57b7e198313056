"""A level's map as arrays: where one walks, where one sees, where it is light, and ways across. Derived, never
saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import tcod.constants
import tcod.map
import tcod.path
from numpy.typing import NDArray

from roguelike.dungeon.tiles import HEIGHT, TILES, WIDTH

__all__ = ["Ground", "Mask", "Steps"]

Mask = NDArray[np.bool_]
Steps = NDArray[Any]
GLOWS = {letter: tile.glow for letter, tile in TILES.items() if tile.glow}
WALK, SEE, SHUT, LOCKED = (np.zeros(128, dtype=np.bool_) for _ in range(4))
for _letter, _tile in TILES.items():
    WALK[ord(_letter)], SEE[ord(_letter)] = _tile.walk, _tile.see
SHUT[ord("+")] = LOCKED[ord("L")] = True


class Ground:
    """The arrays of one map, all indexed [y, x]. Made anew when a tile changes."""

    def __init__(self, rows: Sequence[str]) -> None:
        self._codes = np.frombuffer("".join(rows).encode("ascii"), dtype=np.uint8).reshape(HEIGHT, WIDTH)
        self.walk: Mask = WALK[self._codes]
        self.see: Mask = SEE[self._codes]
        self.everywhere: Mask = np.ones((HEIGHT, WIDTH), dtype=np.bool_)
        self._glow: dict[str, Mask] = {}

    def view(self, x: int, y: int, radius: int = 0) -> Mask:
        """What can be seen from (x, y) within ``radius`` (0: without limit), light aside. Symmetric between floor
        tiles: who sees is seen.
        """
        field: Mask = tcod.map.compute_fov(self.see, (y, x), radius, algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST)
        return field

    def glow(self, letters: str) -> Mask:
        """What the fires, lamps and moss of these letters light up."""
        if letters not in self._glow:
            lit = np.zeros((HEIGHT, WIDTH), dtype=np.bool_)
            for letter in letters:
                for y, x in np.argwhere(self._codes == ord(letter)).tolist():
                    lit |= self.view(x, y, GLOWS[letter])
            self._glow[letters] = lit
        return self._glow[letters]

    def way(
        self, start: tuple[int, int], goal: tuple[int, int], *, blocked: Iterable[tuple[int, int]] = (),
        doors: bool = True,
    ) -> list[tuple[int, int]]:  # fmt: skip
        """The tiles from the one after ``start`` to ``goal``; empty when there is no way. ``blocked`` tiles cost much,
        so that a crowd is walked round; ``doors``: closed ones open; locked ones never do.
        """
        cost = self.walk.astype(np.int32)
        if not doors:
            cost[SHUT[self._codes]] = 0
        for x, y in blocked:
            if cost[y, x]:
                cost[y, x] += 12
        graph: Any = tcod.path.SimpleGraph(cost=cost, cardinal=10, diagonal=14)
        finder = tcod.path.Pathfinder(graph)
        finder.add_root((start[1], start[0]))
        return [(int(x), int(y)) for y, x in finder.path_to((goal[1], goal[0]))[1:].tolist()]

    def distances(self, x: int, y: int, *, doors: bool = True, locks: bool = False) -> Steps:
        """Steps from (x, y) to every tile, through closed doors (unless they do not open for it: not ``doors``), and
        through locked ones for who has the keys (``locks``). Far ones get a very great number.
        """
        far: Steps = tcod.path.maxarray((HEIGHT, WIDTH), dtype=np.int32)
        far[y, x] = 0
        walk = self.walk if doors else self.walk & ~SHUT[self._codes]
        if locks:
            walk = walk | LOCKED[self._codes]
        out: Steps = tcod.path.dijkstra2d(far, walk.astype(np.int8), 1, 1, out=far)
        return out
