"""Where a run comes to a halt: what a walker would look up at; pure."""

from __future__ import annotations

from roguelike.view import View

__all__ = ["halts", "late"]

DOORS = "+/"
WALLS = "#| "
CURFEW, WARNED = 1260, 1245
"""Minutes of the day: when the streets must be empty, and when a run stops for it."""


def halts(before: View, view: View, step: tuple[int, int]) -> bool:
    """Whether the hero stands still, has come to a door or gate, or a way opens at his side."""
    here, back = (view.x, view.y), (before.x, before.y)
    if here == back:
        return True
    for dx, dy in [(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)]:
        at = (here[0] + dx, here[1] + dy)
        if at != back and _glyph(view, *at) in DOORS:
            return True
    dx, dy = step
    sides = [(-dy, dx), (dy, -dx)] if 0 in step else []
    return any(_wall(before, back, side) and not _wall(view, here, side) for side in sides)


def late(before: View, view: View) -> bool:
    """Whether curfew came near with this step, on the streets."""
    return view.level == "town" and before.game_time % 1440 < WARNED <= view.game_time % 1440 < CURFEW


def _wall(view: View, at: tuple[int, int], side: tuple[int, int]) -> bool:
    return _glyph(view, at[0] + side[0], at[1] + side[1]) in WALLS


def _glyph(view: View, x: int, y: int) -> str:
    inside = 0 <= x < view.width and 0 <= y < view.height
    return view.tiles[y][x].glyph if inside else " "
