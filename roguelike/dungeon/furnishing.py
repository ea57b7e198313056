"""What a dug level holds: stairs, coffins, moss, things, monsters, and what the story needs where it needs it."""

from __future__ import annotations

from roguelike.dice import Dice
from roguelike.dungeon.bestiary import BESTIARY, Beast
from roguelike.dungeon.digging import Digging, Point, Room
from roguelike.goods import KINDS
from roguelike.state import Item, Level, Monster

__all__ = ["Furnisher"]

LOOT: tuple[tuple[int, int, str], ...] = (
    (1, 8, "red-draught"), (1, 5, "torch"), (1, 4, "dart"), (1, 4, "dart"), (1, 3, "lamp-oil"), (1, 3, "sleep-dust"),
    (1, 3, "jack"), (1, 3, "buckler"), (1, 2, "spear"), (1, 3, "bead"), (1, 3, "pipeweed"), (1, 3, "moonmoss"),
    (1, 3, "cats-eye"), (1, 2, "mace"), (1, 2, "bread"), (1, 2, "lockpick"), (2, 4, "bear-mead"), (2, 4, "quickwater"),
    (2, 3, "shadow-wine"), (2, 3, "sword"), (2, 4, "comfrey"), (2, 2, "lantern"), (2, 2, "iron"), (3, 3, "mail"),
    (3, 4, "comfrey"),
)  # fmt: skip
"""From which level on, how often, what."""


class Furnisher:
    """Fills one level. ``depth``: 1 to 3. ``steps``: the way to every tile from the stairs up."""

    def __init__(self, dice: Dice, digging: Digging, level: Level, depth: int) -> None:
        self.dice, self.digging, self.level, self.depth = dice, digging, level, depth
        self.serial = 0
        self.taken: set[Point] = set()
        self._spots: dict[int, list[Point]] = {}

    def stairs(self, up: Point, down: Point | None) -> None:
        """Put the stairs where nothing else will be."""
        self.level.up = up
        self.digging.put(up, "<")
        self.taken.add(up)
        if down is not None:
            self.level.down = down
            self.digging.put(down, ">")
            self.taken.add(down)
        self.steps = self.digging.steps_from(up)

    def scenery(self, rooms: list[Room]) -> None:
        """Coffins that cut nothing off, and glowing moss."""
        for room in rooms:
            for at in self.dice.shuffled(list(room.points()))[: self.dice.below(3)]:
                if self.digging.get(at) == "." and at not in self.taken and self.digging.block(at, "s"):
                    self.taken.add(at)
            if self.dice.chance(25):
                at = self.dice.pick(list(room.points()))
                if self.digging.get(at) == "." and at not in self.taken:
                    self.digging.put(at, "m")

    def item(self, kind: str, at: Point | None = None) -> Item:
        """Lay a thing down, at a free place if none is given."""
        self.serial += 1
        x, y = at or self.free()
        item = Item(f"{kind}-{self.level.id}-{self.serial}", kind, x, y, left=KINDS[kind].burns)
        self.taken.add((x, y))
        self.level.items.append(item)
        return item

    def monster(self, kind: str, at: Point | None = None) -> Monster:
        """Put a monster somewhere, asleep."""
        self.serial += 1
        x, y = at or self.free(far=9)
        hidden = bool(BESTIARY[kind].ways & {"lurks", "posing"})
        monster = Monster(f"{kind}-{self.level.id}-{self.serial}", kind, x, y, BESTIARY[kind].hp, hidden=hidden)
        self.taken.add((x, y))
        self.level.monsters.append(monster)
        return monster

    def free(self, far: int = 1, within: Room | None = None) -> Point:
        """A free floor tile at least ``far`` steps from the stairs up."""
        if within is not None:
            return self.dice.pick([at for at in within.points() if self._is_free(at, far)])
        if far not in self._spots:
            self._spots[far] = sorted(at for at in self.steps if self._is_free(at, far))
        while not self._is_free(at := self.dice.pick(self._spots[far]), far):
            pass
        return at

    def _is_free(self, at: Point, far: int) -> bool:
        return self.steps.get(at, -1) >= far and at not in self.taken and self.digging.get(at) in ".m"

    def loot(self, count: int) -> None:
        """Random things."""
        table = [(often, kind) for deep, often, kind in LOOT if deep <= self.depth]
        for _ in range(count):
            self.item(self._drawn(table))

    def inhabitants(self, count: int) -> None:
        """Random monsters; rats come in threes, and hounds with nobody are wild."""
        table = [(beast.often, beast.id) for beast in BESTIARY.values() if _at_home(beast, self.depth)]
        for _ in range(count):
            kind = self._drawn(table)
            first = self.monster(kind)
            for dx, dy in ((1, 0), (0, 1)) if kind == "rat" else ():
                at = (first.x + dx, first.y + dy)
                if self.digging.get(at) == "." and at not in self.taken:
                    self.monster(kind, at)

    def _drawn(self, table: list[tuple[int, str]]) -> str:
        drawn = self.dice.below(sum(often for often, _ in table))
        for often, kind in table:
            drawn -= often
            if drawn < 0:
                return kind
        raise AssertionError("the table adds up")


def _at_home(beast: Beast, depth: int) -> bool:
    return beast.often > 0 and beast.deep <= depth <= beast.deep + 1
