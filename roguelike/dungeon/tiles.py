"""What a map's letters mean."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CLOSED_DOORS", "HEIGHT", "LOCKED", "SHUT", "TILES", "WIDTH", "Tile"]

WIDTH, HEIGHT = 80, 20


@dataclass(frozen=True)
class Tile:
    """How a tile is called and drawn; whether one walks there and sees through it; ``glow``: how far it gives light."""

    name: str
    glyph: str
    colour: str
    walk: bool
    see: bool
    glow: int = 0


TILES: dict[str, Tile] = {
    " ": Tile("solid rock", " ", "#000000", False, False),
    "#": Tile("a wall", "#", "#8a8578", False, False),
    ".": Tile("floor", ".", "#6f6a5d", True, True),
    ",": Tile("grass", '"', "#4f7a3a", True, True),
    ":": Tile("cobbles", ".", "#807a70", True, True),
    "~": Tile("the river Asher", "~", "#3a6ea5", False, True),
    "w": Tile("black water", "~", "#2b4c6f", True, True),
    "=": Tile("planks", "=", "#8b6b43", True, True),
    "%": Tile("charred beams", "%", "#5a4a42", False, True),
    "T": Tile("a tree", "T", "#3f6b2f", False, False),
    "W": Tile("the willow", "&", "#7d9b4e", False, True),
    "g": Tile("a fresh grave", "_", "#8b6b43", True, True),
    "B": Tile("Jory's ferry boat", "U", "#b08850", True, True),
    "+": Tile("a door", "+", "#b08850", True, False),
    "/": Tile("an open door", "/", "#b08850", True, True),
    "L": Tile("a locked door", "+", "#c0504d", False, False),
    "|": Tile("iron bars", "|", "#8d99a6", False, True),
    "n": Tile("a stall", "=", "#a8793f", False, True),
    "t": Tile("a table", "n", "#a8793f", False, True),
    "b": Tile("a bed", "b", "#9a8f7a", True, True),
    "c": Tile("a cask", "0", "#a8793f", False, True),
    "a": Tile("an anvil", "T", "#8d99a6", False, True),
    "h": Tile("the hearth", "^", "#e07b39", False, True, 9),
    "f": Tile("a fire", "^", "#f0a030", False, True, 7),
    "l": Tile("a lamp", "'", "#f5d76e", False, True, 6),
    "i": Tile("the salt scale", "I", "#d8d8d8", False, True),
    "s": Tile("a stone coffin", "0", "#7f8c8d", False, True),
    "K": Tile("the king's tomb", "0", "#d4af37", False, True, 2),
    "m": Tile("glowing moss", ":", "#4fd1a5", True, True, 2),
    "<": Tile("stairs up", "<", "#e8e3d3", True, True),
    ">": Tile("stairs down", ">", "#e8e3d3", True, True),
}

CLOSED_DOORS = "+L"
SHUT, LOCKED = "+", "L"
