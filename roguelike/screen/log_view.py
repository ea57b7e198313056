"""The message log: the newest lines, and as many as there is room for."""

from __future__ import annotations

from collections import deque

from rich.text import Text
from textual.widget import Widget

from roguelike.happenings import Message
from roguelike.screen.words import log_line

__all__ = ["LogView"]

KEPT = 200


class LogView(Widget):
    """Newest at the bottom; the lines of this turn are bright, those before it are dimmed."""

    DEFAULT_CSS = "LogView { height: 4; background: #181614; padding: 0 1; } LogView.hidden { display: none; }"

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[Text] = deque(maxlen=KEPT)
        self._last, self._times = "", 1

    @property
    def text(self) -> str:
        """All that can be scrolled back to."""
        return "\n".join(str(line) for line in self._lines)

    @property
    def whole(self) -> Text:
        """The same, in its colours."""
        return Text("\n").join(self._lines)

    def add(self, line: Message | Text) -> None:
        """One more line; the same again is counted, not repeated."""
        text = line if isinstance(line, Text) else log_line(line)
        if str(text):
            self._append(text)
            self.refresh()

    def begin(self, lines: tuple[Message, ...]) -> None:
        """Another game's log."""
        self._lines.clear()
        self._last = ""
        for line in lines:
            self._append(log_line(line))
        self.refresh()

    def _append(self, text: Text) -> None:
        if str(text) == self._last:
            self._times += 1
            self._lines[-1] = text.copy().append(f" (x{self._times})", style="#807868")
        else:
            self._last, self._times = str(text), 1
            self._lines.append(text)

    def render(self) -> Text:
        """The newest lines that fit, wrapped."""
        width, height = max(10, self.size.width), self.size.height
        shown: list[Text] = []
        for line in reversed(self._lines):
            wrapped = list(line.wrap(self.app.console, width))
            if len(shown) + len(wrapped) > height:
                break
            shown[:0] = wrapped
        return Text("\n").join(shown)
