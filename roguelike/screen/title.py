"""The title: something to read while the bridge starts, and what to do when it has."""

from __future__ import annotations

from textwrap import shorten

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from roguelike.screen.table import Table

__all__ = ["Title"]

NAME = """\
███████ ███    ███ ██████  ███████ ██████  ███████  █████  ██      ██
██      ████  ████ ██   ██ ██      ██   ██ ██      ██   ██ ██      ██
█████   ██ ████ ██ ██████  █████   ██████  █████   ███████ ██      ██
██      ██  ██  ██ ██   ██ ██      ██   ██ ██      ██   ██ ██      ██
███████ ██      ██ ██████  ███████ ██   ██ ██      ██   ██ ███████ ███████"""
EMBERS = ("#ffc060", "#ff9c40", "#f07030", "#c84828", "#903020")
"""The name's rows, from the flame down."""

INTRO = """\
King Aldric is dead. They found him in his chair on the morning after
Lantern Night, and the council says his heart was old. The north bridge
burned the same night; the only way in is Jory's ferry.

You step off it with sixty coppers. Everybody in this town saw one small
thing. They remember what you tell them, what you promise, and what you do
when they are looking. Nobody saw the rest."""


NARROW = 76
"""Columns below which the title is told without its large letters."""

LONGEST_ABOUT = 48
"""Characters of what a game to go on with is called."""


class Title(Screen[None]):
    """``line``: what is to be told about the bridge, set from outside."""

    CSS = """
    Title { align: center middle; background: #101010; }
    #column { align: center top; width: 78; max-width: 100%; height: auto; }
    #name { width: auto; margin: 0 0 1 0; }
    #intro { color: #c8c0b0; width: auto; max-width: 100%; margin: 0 0 1 0; }
    #bridge { color: #807868; width: 76; max-width: 100%; height: 3; text-align: center; margin: 1 0 0 0; }
    #menu { width: 62; max-width: 100%; height: auto; max-height: 6; background: #101010; border: none;
            color: #c8c0b0; }
    #menu > .option-list--option-highlighted { background: #402818; color: #ffc060; text-style: bold; }
    """

    class Chosen(Message):
        """The player wants ``what``: new, continue, load or quit."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def compose(self) -> ComposeResult:
        """Name, story, bridge, menu."""
        with Vertical(id="column"):
            rows = zip(NAME.splitlines(), EMBERS, strict=True)
            yield Static(Text("\n").join(Text(row, style=colour) for row, colour in rows), id="name")
            yield Static(Text(INTRO), id="intro")
            yield OptionList(id="menu")
            yield Static(id="bridge")

    def on_mount(self) -> None:
        """What can be done."""
        newest = self.table.slots.newest
        menu = self.query_one(OptionList)
        if newest is not None:
            menu.add_option(Option(f"Continue ({self._about(newest)})", "continue"))
        menu.add_option(Option("Begin a new game", "new"))
        if newest is not None:
            menu.add_option(Option("Load a saved game", "load"))
        menu.add_option(Option("Quit", "quit"))
        menu.highlighted = 0
        menu.focus()

    def on_resize(self) -> None:
        """The name in large letters, and the story in its own lines, only where there is room for them."""
        roomy = self.size.width >= NARROW
        self.query_one("#name").display = roomy
        told = INTRO if roomy else "\n\n".join(part.replace("\n", " ") for part in INTRO.split("\n\n"))
        self.query_one("#intro", Static).update(Text(told))

    def tell(self, text: str, style: str = "#807868") -> None:
        """Say how the bridge is."""
        self.query_one("#bridge", Static).update(Text(text, style=style))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Hand on the choice."""
        self.post_message(self.Chosen(str(event.option_id)))

    def _about(self, slot: str) -> str:
        saved = self.table.slots.list()[slot]
        if saved is None or isinstance(saved, Exception):
            return slot
        return shorten(f"{saved.hero}, {saved.where}", LONGEST_ABOUT, placeholder=" …")
