"""A level while it is being dug: a grid of letters and the few things one does with it."""

from __future__ import annotations

from collections.abc import Iterator

from roguelike.dungeon.tiles import HEIGHT, TILES, WIDTH

__all__ = ["Digging", "Point", "Room"]

Point = tuple[int, int]
AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


class Room(tuple[int, int, int, int]):
    """First and last column, first and last row of a room's floor, in the order x0, y0, x1, y1."""

    @property
    def centre(self) -> Point:
        return (self[0] + self[2]) // 2, (self[1] + self[3]) // 2

    def points(self) -> Iterator[Point]:
        """Its floor, row by row."""
        return ((x, y) for y in range(self[1], self[3] + 1) for x in range(self[0], self[2] + 1))


class Digging:
    """A grid of letters; solid rock at first. The outermost tiles stay rock."""

    def __init__(self) -> None:
        self.grid = [[" "] * WIDTH for _ in range(HEIGHT)]

    def get(self, at: Point) -> str:
        return self.grid[at[1]][at[0]]

    def put(self, at: Point, letter: str) -> None:
        self.grid[at[1]][at[0]] = letter

    def inside(self, at: Point) -> bool:
        return 0 < at[0] < WIDTH - 1 and 0 < at[1] < HEIGHT - 1

    def room(self, room: Room) -> None:
        """Dig out a room."""
        for at in room.points():
            self.put(at, ".")

    def corridor(self, start: Point, end: Point, across_first: bool) -> list[Point]:
        """Dig a bent corridor; returns what was rock before."""
        bend = (end[0], start[1]) if across_first else (start[0], end[1])
        dug = []
        for a, b in ((start, bend), (bend, end)):
            for at in _straight(a, b):
                if self.get(at) == " ":
                    self.put(at, ".")
                    dug.append(at)
        return dug

    def walls(self) -> None:
        """Rock beside floor becomes wall."""
        for y in range(HEIGHT):
            for x in range(WIDTH):
                if self.grid[y][x] == " " and any(self._floor(x + dx, y + dy) for dx, dy in AROUND):
                    self.grid[y][x] = "#"

    def _floor(self, x: int, y: int) -> bool:
        return 0 <= x < WIDTH and 0 <= y < HEIGHT and self.grid[y][x] not in " #"

    def steps_from(self, start: Point) -> dict[Point, int]:
        """Every tile that can be walked to from ``start`` and in how many steps, nearest first."""
        steps = {start: 0}
        edge = [start]
        while edge:
            following = []
            for x, y in edge:
                for dx, dy in AROUND:
                    there = (x + dx, y + dy)
                    inside = 0 <= there[0] < WIDTH and 0 <= there[1] < HEIGHT
                    if inside and there not in steps and TILES[self.get(there)].walk:
                        steps[there] = steps[x, y] + 1
                        following.append(there)
            edge = following
        return steps

    def block(self, at: Point, letter: str) -> bool:
        """Put something one cannot walk over there, if there is floor all around it: so it cuts nothing off."""
        if any(self.get((at[0] + dx, at[1] + dy)) not in ".m" for dx, dy in ((0, 0), *AROUND)):
            return False
        self.put(at, letter)
        return True

    def rows(self) -> list[str]:
        return ["".join(row) for row in self.grid]


def _straight(a: Point, b: Point) -> Iterator[Point]:
    dx = (b[0] > a[0]) - (b[0] < a[0])
    dy = (b[1] > a[1]) - (b[1] < a[1])
    at = a
    while True:
        yield at
        if at == b:
            return
        at = (at[0] + dx, at[1] + dy)
