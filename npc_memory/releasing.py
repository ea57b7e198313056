"""Words on their way to the listener: each sentence is held against the canon before anyone hears it."""

from __future__ import annotations

from collections.abc import Callable

from npc_memory.reply import sentences
from npc_memory.reply.guard import Contradiction, Guard

__all__ = ["OnText", "Release"]

OnText = Callable[[str], None]

_STOPS = (".", "!", "?", "…")
"""Stops of scripts that put a blank between sentences."""


class Release:
    """What has been released of one reply, over all its attempts. What is out is never taken back.

    ``say`` is exactly what the listener was given. ``contradiction``: the sentence that was stopped in the attempt
    under way, None if none was. ``listener_error``: what the listener raised; nothing is released to him after it.
    """

    def __init__(self, guard: Guard, question: str, on_text: OnText) -> None:
        self._guard, self._question, self._on_text = guard, question, on_text
        self.say = ""
        self.contradiction: Contradiction | None = None
        self.listener_error: Exception | None = None

    @property
    def closed(self) -> bool:
        """Whether nothing more may be released in this attempt."""
        return self.contradiction is not None or self.listener_error is not None

    def offer(self, text: str) -> None:
        """Release ``text`` (whole sentences) up to the first sentence that contradicts what she knows."""
        for sentence in sentences(text, final=True):
            if self.closed:
                return
            self.contradiction = self._guard.check(sentence, before=self.say, question=self._question)
            if self.contradiction is None:
                self._let_out(self._apart(sentence))

    def author(self, line: str) -> None:
        """Release an authored line behind what is out already; the game's own words are not judged."""
        if line:
            self._let_out(f" {line}" if self.say else line)

    def _apart(self, sentence: str) -> str:
        """``sentence`` with a blank before it, should a new attempt go on right behind a full stop."""
        return f" {sentence}" if self.say.endswith(_STOPS) and sentence[:1].isalnum() else sentence

    def _let_out(self, text: str) -> None:
        self.say += text
        try:
            self._on_text(text)
        except Exception as error:  # the listener is gone: what he was told is remembered first, then he is told why
            self.listener_error = error
