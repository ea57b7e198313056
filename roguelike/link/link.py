"""The game's end of the wire: it connects, sends what is in line, and connects again when the bridge was away."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Literal, TypeVar

from bridge.client import Bridge, BridgeFault, Pending, connect
from bridge.messages import (
    DueFrame,
    LoadedFrame,
    OkFrame,
    ReplyFrame,
    ServerFrame,
    WelcomeFrame,
    WorkingMemoryFrame,
)
from npc_memory.errors import ConnectionLost, InvalidInput, NpcMemoryError
from roguelike.link.outbox import Outbox
from roguelike.link.request import Conversation, Request, Talk

__all__ = ["NOT_YET", "Link", "State"]

State = Literal["away", "here", "refused", "closed"]

AGAIN = (0.1, 2.0)
"""Seconds before the first and before every later attempt to connect; they double in between."""

AnyRequest = TypeVar("AnyRequest", bound=Request)

NOT_YET = "not connected yet"
"""Why there is no bridge before the first attempt has ended."""

MOST_FAULTS = 50
"""Refusals of the bridge that are kept for the curious."""


class Link:
    """Everything goes into one line and out in order; nothing here waits for the network but who awaits an answer.

    ``address``: where the bridge listens, asked before every attempt to connect (a bridge started again has another
    port). ``owner``: whose game it is. ``session``: what idempotency keys begin with, else made up. ``on_change`` is
    called when ``state``, ``why`` or the line changed; ``on_push`` gets ``due`` and ``loaded`` frames.
    ``lockstep``: a replay, in which nothing is cut short by the player's haste.
    """

    def __init__(
        self,
        address: Callable[[], Awaitable[str]],
        *,
        owner: str = "",
        token: str = "",
        session: str = "",
        on_change: Callable[[], None] = lambda: None,
        on_push: Callable[[DueFrame | LoadedFrame], None] = lambda frame: None,
        lockstep: bool = False,
    ) -> None:
        self.state: State = "away"
        self.why = NOT_YET
        self.owner, self.lockstep = owner, lockstep
        self.welcome: WelcomeFrame | None = None
        self.epoch = 0
        """Counts loads and new games: what was asked in an earlier one is of no concern any more."""
        self.outbox = Outbox(session or secrets.token_hex(8))
        self.faults: deque[str] = deque(maxlen=MOST_FAULTS)
        self.on_change, self.on_push = on_change, on_push
        self._address, self._token = address, token
        self._bridge: Bridge | None = None
        self._pump: asyncio.Future[None] | None = None
        self._under_way: Pending | None = None
        self._filled, self._drained, self._here = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._drained.set()
        self._own_loads: list[str] = []
        self._beside: set[asyncio.Future[None]] = set()
        self._closed = False

    # -- what the game says --------------------------------------------------------------------------------------------

    def put(self, type: str, **fields: Any) -> Request:
        """A frame of any other kind, behind all before it. Returns at once."""
        return self._enqueue(Request(type, _given(fields)))

    def clock(self, game_time: int) -> None:
        """The game's time, in minutes."""
        self.outbox.clock(game_time)
        self._stir()

    def talk(self, npc: str, player: str, text: str, on_words: Callable[[str], None], **fields: Any) -> Talk:
        """The player says ``text`` to ``npc``. NPCs who talk among themselves stop for him."""
        self.hush()
        return self._enqueue(Talk(_given({"npc": npc, "player": player, "text": text, **fields}), on_words))

    def converse(
        self, a: str, b: str, on_line: Callable[[ReplyFrame], None] = lambda line: None, **fields: Any
    ) -> Conversation:
        """Two NPCs talk with each other."""
        return self._enqueue(Conversation(_given({"npcs": [a, b], **fields}), on_line))

    def hush(self) -> None:
        """Let NPCs who talk among themselves stop, so that the engine is free for the player. Not in a replay: how far
        they got is in the recording.
        """
        if not self.lockstep:
            for conversation in self.outbox.waiting(Conversation):
                self.cancel(conversation)

    def warm(self, npc: str, player: str) -> None:
        """The hero walks up to ``npc``. A hint: it is out of the line, changes nothing, and may be lost."""
        if self._bridge is not None:
            self._aside(_hint(self._bridge, npc, player))

    def cancel(self, request: Request) -> None:
        """Stop a talk or a conversation, wherever it is on its way."""
        if self.outbox.take_back(request):
            self._stir()
        elif not request.over:
            request.unwanted = True
            if request is self.outbox.first and self._under_way is not None:
                self._aside(self._cancel(self._bridge, self._under_way))

    async def save(self, slot: str) -> str:
        """Save the NPCs' memory as it is behind everything said and done so far; returns the save's id, which never
        changes its meaning. Raises what the bridge refused.
        """
        answer = await self.put("save", slot=slot)
        if not isinstance(answer, OkFrame) or not answer.save_id:
            raise InvalidInput("the save was dropped: another one was loaded meanwhile", hint="save again")
        return answer.save_id

    async def load(self, save_id: str) -> None:
        """Make the NPCs' memory that of a save. It goes before all that is in line, which then belongs to a past that
        never was and is dropped. Returns when it is loaded, however often the bridge goes away meanwhile; raises what
        the bridge refused, and then nothing was changed and the line goes on.
        """
        request = Request("load", {"save_id": save_id})
        self.outbox.jump(request)
        self._pump_anew()
        self._stir()
        if not isinstance(await request, OkFrame):
            raise InvalidInput("the load was overtaken by another one", hint="load again")

    async def explain(self, **fields: str) -> WorkingMemoryFrame:
        """The working memory of a past reply (``audit``), or of one to ``text`` now (``npc``, ``player``)."""
        if self._bridge is None:
            raise ConnectionLost("the bridge is away", hint="look again in a moment")
        answer = await self._bridge.request("explain", **fields)
        assert isinstance(answer, WorkingMemoryFrame)
        return answer

    # -- the connection ------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Stay connected until ``close``, or until the bridge refuses this game for good."""
        pause = AGAIN[0]
        while not self._closed:
            try:
                url = await self._address()
                await self._connected(url)
                pause = AGAIN[0]
            except BridgeFault as fault:
                self._changed("refused", fault.message)
                return
            except NpcMemoryError as error:
                self._changed("away", error.message)
            if not self._closed:
                await asyncio.sleep(pause)
                pause = min(AGAIN[1], pause * 2)
        self._changed("closed", "")

    async def play_as(self, owner: str) -> None:
        """Go on as another game's owner: a game of its own in the same file. Returns when the bridge has welcomed it;
        everything in line is dropped.
        """
        self._begin_anew(-1)
        self.owner = owner
        self._here.clear()
        bridge, self._bridge = self._bridge, None
        self._pump_anew()
        if bridge is not None:
            await bridge.close()
        await self._here.wait()

    async def here(self) -> None:
        """Return when there is a bridge."""
        await self._here.wait()

    async def drained(self) -> None:
        """Return when everything in line has been answered."""
        await self._drained.wait()

    async def close(self, flush: float = 3.0) -> None:
        """Leave, but give what is in line ``flush`` seconds to be told."""
        if self.state == "here":
            with suppress(TimeoutError):
                await asyncio.wait_for(self.drained(), flush)
        self._closed = True
        if self._bridge is not None:
            await self._bridge.close()

    async def _connected(self, url: str) -> None:
        name = {"client": "emberfall", "owner": self.owner or None, "token": self._token or None}
        owner = self.owner
        async with connect(url, **name) as bridge:  # type: ignore[arg-type]
            if owner != self.owner or self._closed:
                return
            self._bridge, self.welcome = bridge, bridge.welcome
            self._changed("here", "")
            self._here.set()
            self._pump_anew()
            try:
                async for frame in bridge.pushes():
                    self._pushed(frame)
            finally:
                self._bridge = self._under_way = None
                self._here.clear()
                self._pump_anew()
        if not self._closed:
            self._changed("away", "the bridge is away; what happens is told when it is back")

    def _pump_anew(self) -> None:
        """Begin with what is first in line now; what is under way is left to itself, and may be asked again."""
        if self._pump is not None:
            self._pump.cancel()
        self._under_way = None
        self._pump = asyncio.ensure_future(self._pumping(self._bridge)) if self._bridge is not None else None

    def _begin_anew(self, game_time: int) -> None:
        self.epoch += 1
        self.outbox.clear(game_time)

    async def _pumping(self, bridge: Bridge) -> None:
        """Send what is first in line and wait for its answer, again and again, until the connection is lost."""
        while True:
            await self._filled.wait()
            request = self.outbox.first
            if request is None:
                self._filled.clear()
                continue
            try:
                answer = None if request.unwanted else await self._ask(bridge, request)
            except ConnectionLost:
                return
            except BridgeFault as fault:
                self._under_way = None
                if fault.code == "busy":
                    await asyncio.sleep(float(fault.details.get("retry_after", 0.2)))
                    continue
                self._refused(request, fault)
            except NpcMemoryError as error:
                self._refused(request, error)
            else:
                self.outbox.pop(request)
                if request.type == "load" and isinstance(answer, OkFrame):
                    self._begin_anew(-1 if answer.game_time is None else answer.game_time)
                request.finish(answer)
            self._under_way = None
            self._stir()

    async def _ask(self, bridge: Bridge, request: Request) -> ServerFrame:
        request.begin()
        if request.type == "load":
            self._own_loads.append(request.fields["save_id"])
        self._under_way = await bridge.send(request.type, **request.listeners, **request.fields)
        if request.unwanted:
            self._aside(self._cancel(bridge, self._under_way))
        answer: ServerFrame = await self._under_way
        return answer

    def _refused(self, request: Request, error: Exception) -> None:
        self.faults.append(f"{request.type}: {error}")
        self.outbox.pop(request)
        request.fail(error)

    def _pushed(self, frame: ServerFrame) -> None:
        if isinstance(frame, LoadedFrame) and frame.save_id in self._own_loads:
            self._own_loads.remove(frame.save_id)
        elif isinstance(frame, DueFrame | LoadedFrame):
            self.on_push(frame)

    async def _cancel(self, bridge: Bridge | None, pending: Pending) -> None:
        with suppress(NpcMemoryError, BridgeFault):
            if bridge is not None:
                await bridge.cancel(pending)

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Something that has no place in the line."""
        task = asyncio.ensure_future(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    def _enqueue(self, request: AnyRequest) -> AnyRequest:
        self.outbox.put(request)
        self._stir()
        return request

    def _stir(self) -> None:
        if len(self.outbox):
            self._filled.set()
            self._drained.clear()
        else:
            self._drained.set()
        self.on_change()

    def _changed(self, state: State, why: str) -> None:
        if (self.state, self.why) != (state, why):
            self.state, self.why = state, why
            self.on_change()


async def _hint(bridge: Bridge, npc: str, player: str) -> None:
    with suppress(NpcMemoryError, BridgeFault):
        await bridge.request("warm", npc=npc, player=player)


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
