"""The line between map and log: the hero in numbers, where and when he is, and how the bridge is."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Static

from roguelike.link import Link
from roguelike.view import View

__all__ = ["Status", "status_line"]

DIM, BRIGHT = "#807868", "#c8c0b0"


class Status(Static):
    """One line."""

    DEFAULT_CSS = "Status { height: 1; background: #242018; padding: 0 1; }"

    def show(self, view: View, link: Link) -> None:
        """Draw it."""
        self.update(status_line(view, link))


def status_line(view: View, link: Link) -> Text:
    """The hero, the place, the time, and the wire if it is not well."""
    hero = view.hero
    health = "#8fbf6f" if hero.hp * 2 > hero.max_hp else "#e8c860" if hero.hp * 4 > hero.max_hp else "bold #e05040"
    silver, copper = divmod(hero.coppers, 10)
    text = Text.assemble(
        (hero.name, f"bold {BRIGHT}"),
        (f"  {hero.hp}/{hero.max_hp}", health),
        (f"  {silver}s{copper}c", "#c0b080"),
        (f"  {view.level_name}", BRIGHT),
        (f" · {view.time_text}", DIM),
    )
    if hero.light:
        text.append(f" · light {hero.light}", style="#e8c860")
    for effect in hero.effects:
        text.append(f" · {effect}", style="#b080c0")
    if link.state != "here":
        text.append(f" · bridge {link.state}, {len(link.outbox)} to tell", style="bold #e05040")
    text.truncate(400)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
