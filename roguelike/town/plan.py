"""The map of the town, drawn by hand, and what is where on it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AREAS", "DOORS", "SPOTS", "TOWN", "area_at", "place_at"]

TOWN: tuple[str, ...] = tuple(
    """
~~~~~~~~~~~~~~~~=%=~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~B~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
,,T,,,,,,,,T,,,,,:,,,,,,T,,,,,,,,,,,,,T,,,,,,,,,,=,,,,,,,,,,T,,,,,gW,,,,,,,T,,,,
,,,,:::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::,,,,,,,,,,,T,
###########################################++###################################
#,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,::,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,#
#,######################,,::::::::::::::::::::::::::::::,,####################,#
#,#>+...f#..t.....t....#,::n..n::::::::::::::::::n..n:::,,#.....|..|..|..|..|#,#
#,###b...+.....t......h#,::nnnn:::n..n:::::n..n::nnnn:::,,#.tt..|..|..|..|..|#,#
#,########..t.....t...h#,:::::::::nnnn:::::nnnn:::::::::,,#.....||+||+||+||+|#,#
#,#b.....+.............+::::::::::::::::::::::::::::::::,,+..................#,#
#,#b..c..#.............#,::::::::::::::::i::::::::::::::,,#..b..b............#,#
#,###########+##########,:::::::::::::::::::::::::::::::,,####################,#
#,,,,,,,,,,,,:,,,,,,,,,,,:::::::::::::::::::::::::::::::,,,,,,,,,,,,,,,,,,,,,,,#
#::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::+
#,,#########+###,,,,,##########+########,,,,,,##########+############,,,,,,,,,,#
#,,#....b....t.#,,,,,#..t.#........c.c.#,,,,,,#.b..#.............#..#,,#######,#
#,,#.a..f......#,,,,,#....+........c.c.#,,,,,,#....+......f......+..#,,#.b.b.#,#
#,,#...........+,,,,,#..b.#............#,,T,,,#.b..#.............#.>#,,+.....#,#
#,,#############,,,,,###################,,,,,,#######################,,#######,#
################################################################################
""".strip("\n").split("\n")
)


Rect = tuple[int, int, int, int]
Spot = tuple[int, int]

AREAS: tuple[tuple[str, Rect, str], ...] = (
    ("the Gilded Stag", (2, 5, 23, 11), "inn"),
    ("the watch house", (58, 5, 77, 11), "watch"),
    ("Brann's smithy", (3, 14, 15, 18), "smithy"),
    ("the guild house", (21, 14, 39, 18), "market"),
    ("the temple of the Hearth", (46, 14, 68, 18), "temple"),
    ("Edda's cottage", (71, 15, 77, 18), "market"),
    ("the river road", (0, 0, 79, 3), "outside"),
)
"""Name, first and last column and row, and place of the pack. What is in none of them is the market."""


@dataclass(frozen=True)
class Door:
    """A door that is locked at night. ``opens``, ``shuts``: minutes of the day; both 0: it stays as the plot
    leaves it.
    """

    name: str
    opens: int
    shuts: int


DOORS: dict[Spot, Door] = {
    (43, 3): Door("the north gate", 300, 1260),
    (44, 3): Door("the north gate", 300, 1260),
    (23, 9): Door("the inn", 300, 1380),
    (13, 11): Door("the inn", 300, 1380),
    (12, 14): Door("the smithy", 360, 1200),
    (15, 17): Door("the smithy", 360, 1200),
    (31, 14): Door("the guild house", 420, 1230),
    (71, 17): Door("the cottage", 360, 1260),
    (4, 6): Door("the cellar", 0, 0),
    (65, 16): Door("the crypt", 0, 0),
    (79, 13): Door("the Keep", 0, 0),
    (66, 8): Door("a cell", 0, 0),
    (69, 8): Door("a cell", 0, 0),
    (72, 8): Door("a cell", 0, 0),
    (75, 8): Door("a cell", 0, 0),
}

SPOTS: dict[str, Spot] = {
    "landing": (48, 1), "willow": (65, 2), "gate": (43, 4), "gate-road": (45, 2),
    "bar": (10, 7), "kitchen": (7, 6), "pots": (6, 6), "hearth": (21, 7), "bench": (16, 8), "corner": (20, 10),
    "table": (11, 8), "marta-bed": (5, 7), "guest-bed": (3, 9), "spare-bed": (3, 10),
    "anvil": (6, 16), "smith-bed": (8, 15),
    "fire": (57, 16), "herbs": (62, 17), "pew": (60, 15), "maelis-bed": (48, 15), "wren-bed": (48, 17),
    "desk": (61, 9), "watch-bed": (61, 10), "guard-bed": (64, 10), "cell": (65, 6),
    "fish-stall": (28, 6), "salt-stall": (35, 7), "greens": (44, 7), "empty-stall": (50, 6), "scale": (40, 10),
    "square": (39, 6), "east-square": (54, 9), "street": (30, 13), "west-street": (12, 13), "east-street": (62, 13),
    "ledger": (23, 16), "osric-bed": (24, 17), "casks": (33, 17), "edda-bed": (73, 16), "spare-cottage-bed": (75, 16),
}  # fmt: skip


def area_at(x: int, y: int) -> str:
    """What people call this bit of the town."""
    return next((name for name, rect, _ in AREAS if _within(x, y, rect)), "the market")


def place_at(x: int, y: int) -> str:
    """The place of the world pack this bit of the town belongs to."""
    return next((place for _, rect, place in AREAS if _within(x, y, rect)), "market")


def _within(x: int, y: int, rect: Rect) -> bool:
    return rect[0] <= x <= rect[2] and rect[1] <= y <= rect[3]
