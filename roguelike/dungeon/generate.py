"""The map of each level, by its id: the town and the cellar as drawn, the crypts from the seed."""

from __future__ import annotations

from roguelike.dungeon.tiles import HEIGHT, WIDTH
from roguelike.game.state import Level
from roguelike.town.cellar import CELLAR
from roguelike.town.plan import TOWN

__all__ = ["LEVELS", "generate"]

LEVELS = {
    "town": "Emberfall",
    "cellar": "The Stag's cellar",
    "crypt-1": "The crypt",
    "crypt-2": "The salt catacombs",
    "crypt-3": "The kings' vault",
}
"""Names of the levels by id, from the top down."""


def generate(seed: int, level: str) -> Level:
    """The level as nobody has seen it yet. The same seed, the same level, in whatever order they are entered."""
    if level == "town":
        return drawn(level, TOWN, down=(67, 17))
    return drawn(level, CELLAR, up=(32, 8))


def drawn(id: str, rows: tuple[str, ...], *, up: tuple[int, int] = (-1, -1), down: tuple[int, int] = (-1, -1)) -> Level:
    """A level drawn by hand."""
    return Level(id, list(rows), [f"{0:0{WIDTH // 4}x}"] * HEIGHT, up, down)
