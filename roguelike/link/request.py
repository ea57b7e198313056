"""What goes to the bridge: one frame, who waits for its answer, and what has come of it so far."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from bridge.messages import CancelledFrame, ReplyFrame, ServerFrame

__all__ = ["KEYED", "Conversation", "Request", "Talk"]

KEYED = frozenset({"talk", "converse", "observe", "think"})
"""Frames that a second sending must not do twice. The others say what is so, and may be said again."""


class Request:
    """A frame in line. Await it for the answer: it raises ``BridgeFault`` for an ``error``, any typed error for what
    could not even be sent, and is ``None`` when the game dropped it (another save was loaded, or it was cancelled
    before it went).

    ``sent``: it has gone at least once. ``unwanted``: it is to be cancelled as soon as that can be told.
    """

    def __init__(self, type: str, fields: dict[str, Any]) -> None:
        self.type, self.fields = type, fields
        self.sent = self.unwanted = False
        self._done: asyncio.Future[ServerFrame | None] = asyncio.get_running_loop().create_future()
        self._done.add_done_callback(_seen)

    def __await__(self) -> Any:
        return asyncio.shield(self._done).__await__()

    @property
    def over(self) -> bool:
        """Whether there is an answer, or will be none."""
        return self._done.done()

    @property
    def listeners(self) -> dict[str, Callable[[Any], None]]:
        """Who hears what comes before the answer, as ``Bridge.send`` takes it."""
        return {}

    def when_over(self, call: Callable[[], None]) -> None:
        """Have ``call`` called, soon, when it is over."""
        self._done.add_done_callback(lambda done: call())

    def begin(self) -> None:
        """It is about to be sent, perhaps once more: what came the first time is void."""
        self.sent = True

    def finish(self, answer: ServerFrame | None) -> None:
        """The answer; None: it was dropped."""
        if not self._done.done():
            self._done.set_result(answer)

    def fail(self, error: Exception) -> None:
        """It was refused."""
        if not self._done.done():
            self._done.set_exception(error)


class Talk(Request):
    """A line said to an NPC. ``words``: what she has said so far; ``on_words`` is told of each piece, and of "" when
    what was shown is void because the connection broke and she is asked again.

    ``reply``: her whole answer, None until then and when it was cancelled. ``first_word``: seconds from saying to
    hearing, None as long as she is silent. ``by_the_book``: the rules have answered it, and it never goes to the
    bridge.
    """

    def __init__(self, fields: dict[str, Any], on_words: Callable[[str], None], *, by_the_book: bool = False) -> None:
        super().__init__("talk", fields)
        self.by_the_book = by_the_book
        self.words = ""
        self.first_word: float | None = None
        self.reply: ReplyFrame | None = None
        self._on_words = on_words
        self._said = time.monotonic()

    @property
    def npc(self) -> str:
        """Who is spoken to."""
        return str(self.fields["npc"])

    @property
    def listeners(self) -> dict[str, Callable[[Any], None]]:
        """Her words."""
        return {"on_text": self._hear}

    def begin(self) -> None:
        """Words of a broken connection are taken back: the whole reply comes again."""
        super().begin()
        if self.words:
            self.words = ""
            self._on_words("")

    def finish(self, answer: ServerFrame | None) -> None:
        """Her reply, or that she was cut short."""
        if isinstance(answer, ReplyFrame):
            if missing := answer.say[len(self.words) :]:  # answered by its key: it does not stream again
                self._hear(missing)
            self.reply = answer
        super().finish(answer)

    @property
    def cancelled(self) -> bool:
        """Whether the player broke it off, or it was dropped."""
        return self.over and not self.by_the_book and self._done.exception() is None and self.reply is None

    @property
    def trouble(self) -> str:
        """Why there was no reply, "" if there was none or it was cut short."""
        error = self._done.exception() if self.over else None
        return str(error) if error is not None else ""

    def _hear(self, text: str) -> None:
        if self.first_word is None:
            self.first_word = time.monotonic() - self._said
        self.words += text
        self._on_words(text)


class Conversation(Request):
    """Two NPCs talk with each other; ``lines`` are those said so far. ``on_line`` hears each."""

    def __init__(self, fields: dict[str, Any], on_line: Callable[[ReplyFrame], None]) -> None:
        super().__init__("converse", fields)
        self.lines: list[ReplyFrame] = []
        self._again = 0
        self._on_line = on_line

    @property
    def listeners(self) -> dict[str, Callable[[Any], None]]:
        """Their lines."""
        return {"on_reply": self._hear}

    def begin(self) -> None:
        """The same key gives the same lines: those heard already are not heard again."""
        super().begin()
        self._again = len(self.lines)

    @property
    def cut_short(self) -> bool:
        """Whether it was broken off."""
        if not self.over or self._done.exception() is not None:
            return False
        answer = self._done.result()
        return answer is None or isinstance(answer, CancelledFrame)

    def _hear(self, line: ReplyFrame) -> None:
        if self._again:
            self._again -= 1
            return
        self.lines.append(line)
        self._on_line(line)


def _seen(done: asyncio.Future[ServerFrame | None]) -> None:
    """What nobody waits for is no fault of the event loop's."""
    if not done.cancelled():
        done.exception()
