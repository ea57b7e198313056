"""The map of each level, by its id: the town and the cellar as drawn, the crypts from the seed."""

from __future__ import annotations

from collections.abc import Sequence

from roguelike.dice import Dice
from roguelike.dungeon.bestiary import BESTIARY
from roguelike.dungeon.caves import dig_caves
from roguelike.dungeon.crypt import dig_rooms
from roguelike.dungeon.digging import Digging
from roguelike.dungeon.furnishing import Furnisher
from roguelike.dungeon.tiles import HEIGHT, LOCKED, WIDTH
from roguelike.state import Level, Monster
from roguelike.town.cellar import CELLAR
from roguelike.town.plan import DOORS, TOWN

__all__ = ["LEVELS", "generate"]

LEVELS = {
    "town": "Emberfall",
    "cellar": "the Stag's cellar",
    "crypt-1": "the crypt",
    "crypt-2": "the salt catacombs",
    "crypt-3": "the kings' vault",
}
"""Names of the levels by id, from the top down."""


def generate(seed: int, level: str) -> Level:
    """The level as nobody has seen it yet. The same seed, the same level, in whatever order they are entered."""
    dice = Dice.named(seed, level)
    if level == "town":
        return _town()
    if level == "cellar":
        return _cellar(dice)
    if level == "crypt-3":
        return _vault(dice, level)
    return _rooms(dice, level, 1 if level == "crypt-1" else 2)


def _drawn(id: str, rows: Sequence[str], *, up: tuple[int, int] = (-1, -1), down: tuple[int, int] = (-1, -1)) -> Level:
    """A level drawn by hand."""
    return Level(id, list(rows), [f"{0:0{WIDTH // 4}x}"] * HEIGHT, up, down)


def _town() -> Level:
    """The town, with those doors locked that no hour opens."""
    rows = [list(row) for row in TOWN]
    for (x, y), door in DOORS.items():
        if door.opens == door.shuts:
            rows[y][x] = LOCKED
    return _drawn("town", ["".join(row) for row in rows], down=(67, 17))


def _cellar(dice: Dice) -> Level:
    level = _drawn("cellar", CELLAR, up=(32, 8))
    for serial, (x, y) in enumerate(dice.shuffled([(36, 9), (40, 9), (44, 9), (38, 11), (46, 11)])[:3]):
        level.monsters.append(Monster(f"rat-cellar-{serial}", "rat", x, y, BESTIARY["rat"].hp))
    return level


def _rooms(dice: Dice, id: str, depth: int) -> Level:
    """The crypt proper, or the catacombs under it, where the smugglers have their den."""
    digging = Digging()
    rooms = dig_rooms(dice, digging)
    level = _drawn(id, ())
    furnisher = Furnisher(dice, digging, level, depth)
    start = rooms[dice.below(len(rooms))].centre
    steps = digging.steps_from(start)
    by_way = sorted(rooms, key=lambda room: (steps[room.centre], room))
    furnisher.stairs(start, by_way[-1].centre)
    furnisher.scenery(rooms)
    den = by_way[-2]
    if depth == 1:
        furnisher.item("candlestick", furnisher.free(within=den))
        furnisher.item("bead")
        furnisher.item("iron")
        furnisher.item("pipeweed")
        furnisher.item("torch")
    else:
        for kind in ("ledger-page", "copied-key", "salt", "lockpick"):
            furnisher.item(kind, furnisher.free(within=den))
        for kind in ("smuggler", "smuggler", "hound"):
            furnisher.monster(kind, furnisher.free(within=den))
    furnisher.item("moonmoss")
    for kind in ("red-draught", "red-draught", "comfrey")[: 1 + depth]:
        furnisher.item(kind)
    furnisher.loot(6 + depth)
    furnisher.inhabitants(6 + depth)
    level.rows = digging.rows()
    return level


def _vault(dice: Dice, id: str) -> Level:
    """Caves, and at their far end the kings' vault: the tomb, the cup, and what guards it."""
    digging = Digging()
    landing, vault = dig_caves(dice, digging)
    level = _drawn(id, ())
    furnisher = Furnisher(dice, digging, level, 3)
    furnisher.stairs(landing.centre, None)
    tomb = vault.centre
    digging.put(tomb, "K")
    furnisher.taken.add(tomb)
    furnisher.item("kings-cup", (tomb[0] - 1, tomb[1]))
    furnisher.monster("wight", (tomb[0] + 1, tomb[1]))
    furnisher.item("red-draught")
    furnisher.item("bear-mead")
    furnisher.item("comfrey")
    furnisher.loot(9)
    furnisher.inhabitants(6)
    level.rows = digging.rows()
    return level
