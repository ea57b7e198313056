"""One ``talk`` frame from its turn with the NPC to its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bridge.dispatch import who_hears
from bridge.messages import ActionModel, ReplyFrame, RetryFrame, ServerFrame, TalkFrame, TokenFrame
from bridge.speech import Speech
from npc_memory.floor import Place
from npc_memory.mind import Answer, Mind

__all__ = ["Talk", "reply_of"]


class Talk(Speech):
    """A line on its way, or another answer to one. The player's breaking off is remembered as well."""

    def __init__(self, frame: TalkFrame | RetryFrame, put: Callable[[ServerFrame], None]) -> None:
        super().__init__(frame, (frame.npc,) if isinstance(frame, TalkFrame) else (), put)
        self.frame = frame

    def check(self, mind: Mind) -> None:
        """Find out who is to answer, by the id she has in the world pack, and who overhears it."""
        npc, self.overhearers = who_hears(self.frame, mind)
        self.npcs = (npc,)

    def _speak(self, mind: Mind, loop: asyncio.AbstractEventLoop, place: Place) -> ServerFrame:
        answer = self._answered(mind, loop)
        return self._cancelled() if answer.interrupted else reply_of(answer, mind, self.id)

    def _answered(self, mind: Mind, loop: asyncio.AbstractEventLoop) -> Answer:
        frame = self.frame

        def on_text(text: str) -> None:
            if isinstance(frame, TalkFrame) and frame.stream and text:
                loop.call_soon_threadsafe(self._show, TokenFrame(re=frame.id, text=text))

        if isinstance(frame, RetryFrame):
            return mind.retry(
                frame.turn,
                frame.text,
                on_text=on_text,
                on_heard=self._on_heard(loop),
                cancellation=self._cancellation,
                epoch=self.epoch,
            )
        return mind.talk(
            frame.npc,
            frame.player,
            frame.text,
            place=frame.place,
            audience=frame.audience,
            actions=frame.actions,
            on_text=on_text,
            on_heard=self._on_heard(loop),
            cancellation=self._cancellation,
            epoch=self.epoch,
            key=self._key,
        )


def reply_of(answer: Answer, mind: Mind, re: int) -> ReplyFrame:
    """``answer`` as the frame that answers request ``re``."""
    action = None
    if answer.action is not None:
        id = answer.action["id"]
        name = answer.action.get("name", id)  # an answer stored under a key by an older version has no id of its own
        labels = {one.id: one.name for one in mind.npc(answer.npc).actions}
        action = ActionModel(id=id, name=name, args=answer.action["args"], label=labels.get(name))
    return ReplyFrame(
        re=re,
        npc=answer.npc,
        say=answer.say,
        mood=answer.mood,
        action=action,
        turn=answer.turn,
        kind=answer.kind,
        fallback=answer.fallback,
        dropped=answer.dropped,
        audit=answer.audit,
    )
