"""One ``talk`` frame from its turn with the NPC to its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor

from bridge.messages import ActionModel, CancelledFrame, ReplyFrame, RetryFrame, ServerFrame, TalkFrame, TokenFrame
from bridge.turns import Turns
from npc_memory.mind import Answer, Cancellation, Mind

__all__ = ["Talk", "reply_of"]


class Talk:
    """A line on its way. ``heard`` is set when the NPC's snapshot has been taken, ``over`` when all is stored. ``npc``:
    the id she has in the world pack, known when it is started, as are her ``overhearers``.
    """

    def __init__(self, frame: TalkFrame | RetryFrame, put: Callable[[ServerFrame], None]) -> None:
        self.frame = frame
        self.npc = self.frame_npc = frame.npc if isinstance(frame, TalkFrame) else ""
        """Who is to answer; of a retry she is looked up when its turn in the lane has come."""
        self.overhearers: tuple[str, ...] = ()
        self.heard, self.over = asyncio.Event(), asyncio.Event()
        self.epoch: int | None = None
        """When it was said: after a load it is not answered any more."""
        self._put = put
        self._cancellation = Cancellation()
        self._listening = False
        self._told = False
        self._then: list[ServerFrame] = []

    def cancel(self, then: ServerFrame | None = None) -> None:
        """The player breaks off; ``then`` follows the answer. A line she does not listen to yet is answered at once; it
        is stored in its turn.
        """
        self._cancellation.cancel()
        if then is not None:
            self._then.append(then)
        if not self._listening or self._told:
            self._answer(CancelledFrame(re=self.frame.id, request=self.frame.id))

    def fail(self, frame: ServerFrame) -> None:
        """Answer with an error."""
        self._answer(frame)

    async def run(self, mind: Mind, turns: Turns, workers: Executor) -> None:
        """Wait for the turn, talk in a thread, answer. Raises what ``Mind.talk`` raises; nothing was stored then."""
        loop, owner = asyncio.get_running_loop(), mind.store.owner
        try:
            async with turns.turn(owner, self.npc), turns.key(owner, self._key):
                self._listening = True
                answer = await loop.run_in_executor(workers, self._talk, mind, loop)
            if answer.interrupted:
                self._answer(CancelledFrame(re=self.frame.id, request=self.frame.id))
            else:
                self._answer(reply_of(answer, mind, self.frame.id))
        finally:
            self.heard.set()
            self.over.set()

    def _talk(self, mind: Mind, loop: asyncio.AbstractEventLoop) -> Answer:
        frame = self.frame

        def on_text(text: str) -> None:
            if isinstance(frame, TalkFrame) and frame.stream and text:
                loop.call_soon_threadsafe(self._say, text)

        def on_heard() -> None:
            loop.call_soon_threadsafe(self.heard.set)

        if isinstance(frame, RetryFrame):
            return mind.retry(
                frame.turn,
                frame.text,
                on_text=on_text,
                on_heard=on_heard,
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
            on_heard=on_heard,
            cancellation=self._cancellation,
            epoch=self.epoch,
            key=self._key,
        )

    @property
    def _key(self) -> str:
        return (self.frame.key or "") if isinstance(self.frame, TalkFrame) else ""

    def _say(self, text: str) -> None:
        if not self._told:
            self._put(TokenFrame(re=self.frame.id, text=text))

    def _answer(self, frame: ServerFrame) -> None:
        if not self._told:
            self._told = True
            self._put(frame)
        for one in self._then:
            self._put(one)
        self._then.clear()


def reply_of(answer: Answer, mind: Mind, re: int) -> ReplyFrame:
    """``answer`` as the frame that answers request ``re``."""
    action = None
    if answer.action is not None:
        id = answer.action["id"]
        names = {one.id: one.name for one in mind.world.npc(answer.npc).actions}
        action = ActionModel(id=id, name=names.get(id, id), args=answer.action["args"])
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
