"""One list to choose from, for packs, topics, people and slots; and one page to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

__all__ = ["Page", "Picker"]

FRAME = """
    align: center middle; background: #000000 40%;
"""
BOX = """
    width: 76; max-width: 96%; max-height: 90%; height: auto; background: #181614; border: round #e07030; padding: 0 1;
    border-title-color: #e8c860; border-subtitle-color: #807868; scrollbar-color: #504838;
    scrollbar-background: #181614; scrollbar-size-vertical: 1;
"""

Choice = tuple[str, str | Text]


class Picker(ModalScreen[str | None]):
    """Returns the id of the choice, None for none. ``choices``: id and what it says; ``keys`` choose, else digits the
    first nine. ``at``: the choice one begins at, else the first.
    """

    CSS = (
        f"Picker {{ {FRAME} }} Picker > Vertical {{ {BOX} }} "
        "Picker OptionList { background: #181614; border: none; height: auto; max-height: 18; } "
        "Picker OptionList > .option-list--option-highlighted { background: #402818; color: #ffc060; }"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        hint: str = "Enter: choose · Esc: back",
        keys: Sequence[str] = "123456789",
        at: str | None = None,
    ) -> None:
        super().__init__()
        self._at = at
        self._title, self.choices, self._hint, self._keys = title, list(choices), hint, keys

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical() as box:
            box.border_title, box.border_subtitle = self._title, self._hint
            options = [
                Option(Text.assemble((f"{key} ", "#807868"), what), id)
                for key, (id, what) in zip([*self._keys, *" " * len(self.choices)], self.choices, strict=False)
            ]
            yield OptionList(*options)

    def on_mount(self) -> None:
        """Begin where it was asked to."""
        at = [index for index, (id, _) in enumerate(self.choices) if id == self._at]
        self.query_one(OptionList).highlighted = at[0] if at else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Chosen."""
        self.dismiss(event.option_id)

    def on_key(self, event: events.Key) -> None:
        """Chosen by its key."""
        keys = list(self._keys[: len(self.choices)])
        if event.key in keys:
            event.stop()
            self.dismiss(self.choices[keys.index(event.key)][0])

    def action_leave(self) -> None:
        """None of these."""
        self.dismiss(None)


class Page(ModalScreen[str | None]):
    """Something to read. ``from_end``: its end is shown first. ``answers``: keys that end it besides Esc, and what each
    returns.
    """

    CSS = f"Page {{ {FRAME} }} Page > VerticalScroll {{ {BOX} }}"

    def __init__(
        self, title: str, text: Text | str, hint: str = "Esc: back", *, from_end: bool = False, **answers: str
    ) -> None:
        super().__init__()
        self._title, self._text, self._hint, self._from_end = title, text, hint, from_end
        self._answers = {"escape": None, **answers}

    def compose(self) -> ComposeResult:
        """The page."""
        with VerticalScroll() as box:
            box.border_title, box.border_subtitle = self._title, self._hint
            yield Static(self._text if isinstance(self._text, Text) else Text(self._text))

    def on_mount(self) -> None:
        """Where reading begins."""
        if self._from_end:
            scroll = self.query_one(VerticalScroll)
            scroll.call_after_refresh(scroll.scroll_end, animate=False)

    def on_key(self, event: events.Key) -> None:
        """Any of the answers."""
        if event.key in self._answers:
            event.stop()
            event.prevent_default()
            self.dismiss(self._answers[event.key])
