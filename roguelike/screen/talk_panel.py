"""The talk: what was said, her mood, what she offers, and the line being typed. It never holds the map up."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from roguelike.happenings import Message as LogMessage
from roguelike.screen.keys import DIRECTIONS, RUNS
from roguelike.screen.words import cut, face, log_line, speech

__all__ = ["TalkPanel"]

KEPT = 200
"""Lines of a talk that can be scrolled back to."""

HINT = "F3 ask · F4 give · Tab map · Esc leave"
LONGEST = 500
"""Characters of one line said."""

SAY, TURNED_AWAY = "Say something, in your own words", "The keys are the map's now. Tab: talk on · Esc: leave"
"""What stands in the empty line while it has the keys, and while the map has them."""

PAGES = {"pageup": -1, "pagedown": 1}

DEAF = 0.3
"""Seconds in which keys that walk are still those of the walk that led to her."""

SPEAKING = "… Esc cuts short · Tab map"

GESTURE, GESTURE_LASTS = "italic #908878", 5.0
"""How a gesture looks, and the seconds after which she makes another one while nothing is heard of her."""


class SpokenLine(Input):
    """The line being typed. ``walked_up``: keys that walk are held down or waiting, and are no words."""

    def __init__(self) -> None:
        super().__init__(placeholder=SAY, id="line")
        self._until, self._last = 0.0, ""

    def on_focus(self) -> None:
        """What is typed is said."""
        self.placeholder = SAY

    def on_blur(self) -> None:
        """What is typed moves the hero, and it is to be seen."""
        self.placeholder = TURNED_AWAY

    def walked_up(self) -> None:
        """From now on, for a moment."""
        self._until, self._last = time.monotonic() + DEAF, ""

    def on_key(self, event: events.Key) -> None:
        """Drop what was meant for the map; a key held down stays dropped as long as it is held. Pages go to what was
        said.
        """
        if event.key in PAGES and isinstance(self.parent, TalkPanel):
            self.parent.page(PAGES[event.key])
            event.prevent_default()
            event.stop()
            return
        now = time.monotonic()
        if now >= self._until or (event.key not in DIRECTIONS and event.key not in RUNS):
            return
        if event.key == self._last:
            self._until = now + DEAF
        self._last = event.key
        event.prevent_default()
        event.stop()


class TalkPanel(Vertical):
    """Shown while the hero talks with ``npc`` ("" when he does not)."""

    DEFAULT_CSS = """
    TalkPanel { display: none; height: 11; background: #181614; border-top: solid #e07030;
                border-title-color: #e8c860; padding: 0 1; scrollbar-color: #403828; }
    TalkPanel.open { display: block; }
    TalkPanel VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; background: #181614;
                               scrollbar-color: #504838; scrollbar-background: #181614; scrollbar-gutter: stable; }
    TalkPanel #offer { height: auto; color: #8fbf6f; }
    TalkPanel Input { height: 1; border: none; padding: 0; background: #242018; }
    TalkPanel Input:focus { border: none; background: #302818; }
    """

    class Said(Message):
        """The player said ``text``; "" is Enter on an empty line."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__()
        self.npc = self._addressed = ""
        self._person = ""
        self._mood, self._hint = "", HINT
        self._lines: list[Text] = []
        self._speaking: str | None = None
        """Words of the reply under way; None when nobody is asked."""
        self._thinks: Callable[[int], str] = lambda number: ""
        self._asked = 0.0
        self._waiting: Timer | None = None

    def compose(self) -> ComposeResult:
        """What was said, what is offered, what is typed."""
        with VerticalScroll(can_focus=False):
            yield Static(id="said")
        yield Static(id="offer")
        yield SpokenLine()

    def open(self, npc: str, name: str, gesture: str = "", *, walked: bool = False) -> None:
        """Begin to talk with somebody, or go on. ``gesture``: what she does when it begins. ``walked``: the hero walked
        into her, or she into him.
        """
        line = self.query_one(SpokenLine)
        if self._addressed != npc:  # what was to be said to another is not for her
            self._addressed, line.value = npc, ""
        if walked and not self.is_open:
            line.walked_up()
        if self.npc != npc:
            self.npc, self._person, self._lines, self._speaking = npc, name, [], None
            self.show_offer("")
            self.show_mood("")
            if gesture:
                self._lines.append(Text(gesture, style=GESTURE))
        self.add_class("open")
        self._head(HINT)
        self._draw()
        line.focus()

    def close(self) -> None:
        """The map has the keys again."""
        self.remove_class("open")
        self.npc = ""

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("open")

    @property
    def speaking(self) -> bool:
        """Whether a reply is under way."""
        return self._speaking is not None

    @property
    def said(self) -> str:
        """All that can be read in it, for tests and for those who listen."""
        return "\n".join(str(line) for line in self._shown())

    def ask(self, text: str, hero: str, thinks: Callable[[int], str]) -> None:
        """The player's line; the reply will follow. Until then it is shown what she does: ``thinks`` has the first
        gesture, the second, and so on.
        """
        self._append(Text.assemble((hero, "bold #8098c0"), (": ", "#807868"), (text, "#a8b4c8")))
        self._speaking, self._thinks, self._asked = "", thinks, time.monotonic()
        self._stop_waiting()
        self._waiting = self.set_interval(0.5, self._wait)
        self._head(SPEAKING)
        self._draw()

    def _wait(self) -> None:
        """Nothing is heard of her yet."""
        if self._speaking == "":
            self._draw(follow=False)
        else:
            self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None

    def hear(self, words: str) -> None:
        """More of her words; "" takes back what was shown."""
        if self._speaking is not None:
            self._speaking = self._speaking + words if words else ""
            self._draw(follow=False)

    def answered(self, words: str, note: str = "") -> None:
        """All of them."""
        self._speaking = None
        self._head(HINT)
        if words:
            line = speech(self._person, words)
            self._append(line.append(f" {note}", style="#807868") if note else line)
        elif note:
            self._append(Text(note, style="#807868"))
        self._draw()

    def note(self, message: LogMessage) -> None:
        """Something that came of the talk."""
        self._append(log_line(message))
        self._draw()

    def authored(self, name: str, text: str) -> None:
        """A line that somebody says by the book."""
        self._append(speech(name, text))
        self._draw()

    def page(self, pages: int) -> None:
        """Look back (-1) in what was said, or forth again."""
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_relative(y=pages * max(1, scroll.size.height - 1), animate=False)

    def show_mood(self, mood: str) -> None:
        """How she feels about it."""
        self._mood = mood
        self._head()

    def show_offer(self, text: str) -> None:
        """What she would do, "" for nothing."""
        self.query_one("#offer", Static).update(Text(text))
        self.query_one("#offer", Static).display = bool(text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The line is said."""
        event.stop()
        if self.speaking:
            return  # one line at a time; what is typed stays
        event.input.value = ""
        text = event.value.strip()
        if len(text) > LONGEST:
            self.note(LogMessage(f"Nobody listens that long: cut to {LONGEST} characters.", "dim"))
        self.post_message(self.Said(cut(text, LONGEST).strip()))

    def _head(self, hint: str | None = None) -> None:
        self._hint = self._hint if hint is None else hint
        self.border_title = Text.assemble(
            self._person, (f"  {face(self._mood)}", "not bold"), (f"  {self._hint}", "not bold #807868")
        )

    def _append(self, line: Text) -> None:
        self._lines.append(line)
        del self._lines[:-KEPT]

    def _shown(self) -> list[Text]:
        if self._speaking is None:
            return self._lines
        if self._speaking:
            return [*self._lines, speech(self._person, self._speaking + "▁")]
        seconds = time.monotonic() - self._asked
        dots = "." * (1 + int(seconds / 0.5) % 3)
        return [*self._lines, Text(f"{self._thinks(int(seconds / GESTURE_LASTS))} {dots}", style=GESTURE)]

    def _draw(self, *, follow: bool = True) -> None:
        """``follow``: to its end, even if the player looks back; words that come in do not take him down."""
        self.query_one("#said", Static).update(Text("\n").join(self._shown()))
        scroll = self.query_one(VerticalScroll)
        if follow or scroll.scroll_y >= scroll.max_scroll_y - 2:
            scroll.call_after_refresh(scroll.scroll_end, animate=False)
