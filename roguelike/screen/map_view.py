"""The map: a window on the level around the hero."""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from roguelike.view import Figure, View

__all__ = ["MapView", "window"]

GROUND = "#101010"
CURSOR = Style(reverse=True, bold=True)
ORDER = {"item": 0, "monster": 2, "person": 2, "hero": 3}
"""What lies on top where several are at one place."""


def window(size: int, room: int, at: int) -> int:
    """First row or column shown of ``size`` when only ``room`` fit and the hero is ``at``; negative to centre it."""
    if size <= room:
        return -((room - size) // 2)
    return max(0, min(size - room, at - room // 2))


class MapView(Widget):
    """Draws a ``View``; ``cursor`` is where the player looks, None when he does not."""

    DEFAULT_CSS = "MapView { background: #101010; }"

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.picture: View | None = None
        self.cursor: tuple[int, int] | None = None
        self._figures: dict[tuple[int, int], Figure] = {}

    def show(self, picture: View, cursor: tuple[int, int] | None = None) -> None:
        """Draw this from now on."""
        self.picture, self.cursor = picture, cursor
        self._figures = {(one.x, one.y): one for one in sorted(picture.figures, key=lambda f: ORDER.get(f.kind, 1))}
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of the window."""
        picture, width = self.picture, self.size.width
        blank = Style(bgcolor=GROUND)
        if picture is None:
            return Strip([Segment(" " * width, blank)], width)
        column, line = self.cursor or (picture.x, picture.y)
        left = window(picture.width, width, column)
        row = y + window(picture.height, self.size.height, line)
        if not 0 <= row < picture.height:
            return Strip([Segment(" " * width, blank)], width)
        return Strip([self._segment(picture, x, row) for x in range(left, left + width)], width).simplify()

    def _segment(self, picture: View, x: int, y: int) -> Segment:
        if not 0 <= x < picture.width:
            return Segment(" ", Style(bgcolor=GROUND))
        figure = self._figures.get((x, y))
        if figure is not None:
            glyph, style = figure.glyph, _style(figure.colour, figure.kind != "item")
        else:
            cell = picture.tiles[y][x]
            glyph, style = " " if cell.sight == "unseen" else cell.glyph, _style(cell.colour, False)
        return Segment(glyph, style + CURSOR if self.cursor == (x, y) else style)


@lru_cache(maxsize=1024)
def _style(colour: str, bold: bool) -> Style:
    return Style(color=colour, bgcolor=GROUND, bold=bold)
