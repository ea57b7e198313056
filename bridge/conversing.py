"""One ``converse`` frame: two NPCs talk with each other, a ``reply`` for each line, then ``ok``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bridge.messages import ConverseFrame, EndFrame, Frame, OkFrame, ServerFrame
from bridge.speech import Speech
from bridge.talks import reply_of
from npc_memory.conversing import Plan
from npc_memory.floor import Place
from npc_memory.mind import Answer, Mind

__all__ = ["TURNS", "Converse"]

TURNS = 4
"""Lines of a conversation that does not say how many."""


class Converse(Speech):
    """A conversation on its way. A player who waits for one of the two ends it at the next line."""

    player = False

    def __init__(self, frame: ConverseFrame, put: Callable[[ServerFrame], None]) -> None:
        super().__init__(frame, tuple(frame.npcs), put)
        self.frame = frame

    def check(self, mind: Mind) -> None:
        """Raise what ``Mind.converse`` would raise for what was asked."""
        self.npcs = Plan.of(mind.npc, self.frame.npcs, self.frame.topic or "", self._turns, self.frame.place).npcs

    def holds_up(self, frame: Frame) -> bool:
        """Only the end of this very conversation waits for it; what concerns a player does not."""
        return isinstance(frame, EndFrame) and frame.player in self.npcs and super().holds_up(frame)

    @property
    def _turns(self) -> int:
        return TURNS if self.frame.turns is None else self.frame.turns

    def _speak(self, mind: Mind, loop: asyncio.AbstractEventLoop, place: Place) -> ServerFrame:
        frame = self.frame

        def on_reply(answer: Answer) -> None:
            loop.call_soon_threadsafe(self._show, reply_of(answer, mind, frame.id))

        found = mind.converse(
            frame.npcs,
            topic=frame.topic or "",
            turns=self._turns,
            place=frame.place,
            key=frame.key or "",
            on_reply=on_reply,
            on_heard=self._on_heard(loop),
            wanted=lambda: place.wanted,
            cancellation=self._cancellation,
            epoch=self.epoch,
        )
        return self._cancelled() if found.ended == "interrupted" else OkFrame(re=frame.id)
