"""A client for Python games and tools.

    async with connect("ws://127.0.0.1:8765", client="my game") as bridge:
        reply = await bridge.talk("marta", "p1", "Is the king well?", on_text=print)

        stream = bridge.stream("marta", "p1", "And the bridge?")
        async for words in stream:
            ...
        stream.reply

One reader task sorts answers by their request; several requests may be under way at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_socket
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from bridge.messages import (
    CancelledFrame,
    ErrorFrame,
    MemoriesFrame,
    ReplyFrame,
    ServerFrame,
    TokenFrame,
    WelcomeFrame,
)
from bridge.protocol import PROTOCOL, SUBPROTOCOLS, ClientProtocol, Format
from npc_memory.errors import BridgeError, ConnectionLost, NpcMemoryError

__all__ = ["Bridge", "BridgeFault", "Pending", "Stream", "connect"]

RETRY_EVERY = 0.2
"""Seconds between attempts to connect."""

OnText = Callable[[str], None]
OnReply = Callable[[ReplyFrame], None]


class BridgeFault(Exception):
    """The bridge answered ``error``. Has its ``code``, ``message``, ``hint`` and ``details``."""

    def __init__(self, frame: ErrorFrame) -> None:
        super().__init__(f"{frame.code}: {frame.message} ({frame.hint})")
        self.code, self.message, self.hint, self.details = frame.code, frame.message, frame.hint, frame.details


class Pending:
    """A request under way. Await it for the answer; ``id`` is what ``cancel`` takes."""

    def __init__(self, id: int, on_text: OnText | None, on_reply: OnReply | None = None) -> None:
        self.id = id
        self._on_text, self._on_reply = on_text, on_reply
        self._future: asyncio.Future[ServerFrame] = asyncio.get_running_loop().create_future()
        self._future.add_done_callback(_seen)

    def __await__(self) -> Any:
        return self._future.__await__()

    def take(self, frame: ServerFrame) -> bool:
        """The reader's side: a frame for this request; True when it was the last."""
        if type(frame) is TokenFrame:
            self._hear(self._on_text, frame.text)
            return False
        if type(frame) is ReplyFrame and self._on_reply is not None:
            self._hear(self._on_reply, frame)
            return False
        if not self._future.done():
            if type(frame) is ErrorFrame:
                self._future.set_exception(BridgeFault(frame))
            else:
                self._future.set_result(frame)
        return True

    def when_over(self, call: Callable[[], None]) -> None:
        """Have ``call`` called when there is an answer, or none will come."""
        self._future.add_done_callback(lambda future: call())

    def _hear(self, listener: Callable[[Any], None] | None, what: Any) -> None:
        """A listener that fails ends his own request, not the reader all others depend on."""
        if listener is None or self._future.done():
            return
        try:
            listener(what)
        except Exception as error:
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """No answer will come."""
        if not self._future.done():
            self._future.set_exception(error)


class Bridge:
    """A connection that has been welcomed. ``welcome`` is what the bridge said of itself and its world."""

    def __init__(self, socket: ClientConnection, protocol: ClientProtocol) -> None:
        self.welcome: WelcomeFrame
        self._socket, self._protocol = socket, protocol
        self._pending: dict[int, Pending] = {}
        self._pushes: asyncio.Queue[ServerFrame | None] = asyncio.Queue()
        self._lost: NpcMemoryError | None = None
        self._reader = asyncio.ensure_future(self._read())

    async def send(
        self, type: str, *, on_text: OnText | None = None, on_reply: OnReply | None = None, **fields: Any
    ) -> Pending:
        """Send a request and return without waiting for its answer. ``on_reply``: who gets the lines of a
        ``converse``, which has several. Raises what the bridge would refuse as a typed
        error, ``ConnectionLost`` when it is gone.
        """
        if self._lost is not None:
            raise self._lost
        id, message = self._protocol.request(type, **fields)
        if type == "converse" and on_reply is None:
            on_reply = _unheard
        pending = self._pending[id] = Pending(id, on_text, on_reply)
        try:
            await self._socket.send(message)
        except ConnectionClosed as error:
            self._pending.pop(id, None)
            raise _lost(error) from error
        return pending

    async def request(self, type: str, **fields: Any) -> ServerFrame:
        """Send a request and wait for its answer. Raises ``BridgeFault`` for an ``error``."""
        return cast(ServerFrame, await (await self.send(type, **fields)))

    async def talk(
        self, npc: str, player: str, text: str, *, on_text: OnText | None = None, **fields: Any
    ) -> ReplyFrame | CancelledFrame:
        """Say ``text`` and wait for the reply; ``on_text`` gets its words as they come. ``fields``: any others of the
        frame (place, audience, actions, key).
        """
        pending = await self.send(
            "talk", npc=npc, player=player, text=text, on_text=on_text, stream=on_text is not None, **fields
        )
        return cast("ReplyFrame | CancelledFrame", await self._unless_cancelled(pending))

    async def _unless_cancelled(self, pending: Pending) -> ServerFrame:
        """The answer; who stops waiting for it breaks off."""
        try:
            return cast(ServerFrame, await pending)
        except asyncio.CancelledError:
            with suppress(NpcMemoryError):
                await self.send("cancel", request=pending.id)
            raise

    async def converse(
        self, npcs: Sequence[str], *, on_reply: OnReply | None = None, **fields: Any
    ) -> list[ReplyFrame]:
        """Let two NPCs talk with each other and wait for the end; ``on_reply`` gets each line as it comes. Returns the
        lines; fewer than were asked for when the conversation ended early. ``fields``: any others of the frame (topic,
        turns, place, key).
        """
        lines: list[ReplyFrame] = []

        def take(line: ReplyFrame) -> None:
            lines.append(line)
            if on_reply is not None:
                on_reply(line)

        pending = await self.send("converse", npcs=list(npcs), on_reply=take, **fields)
        await self._unless_cancelled(pending)
        return lines

    async def result(self, action: str, ok: bool, error: str = "") -> None:
        """Say what became of what an NPC wanted: ``action`` is its id in the reply, ``error`` why it was refused."""
        await self.request("result", action=action, ok=ok, error=error or None)

    async def recall(self, npc: str, query: str, *, player: str = "", k: int = 10) -> list[dict[str, Any]]:
        """What comes to an NPC's mind at ``query``, best first (docs/wire.md, memories)."""
        found = await self.request("recall", npc=npc, query=query, player=player or None, k=k)
        return cast(MemoriesFrame, found).memories

    def stream(self, npc: str, player: str, text: str, **fields: Any) -> Stream:
        """Say ``text`` and iterate over the words of the reply as they come."""
        return Stream(self, {"npc": npc, "player": player, "text": text, **fields})

    async def cancel(self, request: Pending) -> None:
        """Stop a request; it is answered with ``cancelled``, unless it was quicker."""
        await self.request("cancel", request=request.id)

    async def pushes(self) -> AsyncIterator[ServerFrame]:
        """What the bridge sends of its own accord, until the connection ends."""
        while (frame := await self._pushes.get()) is not None:
            yield frame

    async def close(self) -> None:
        """Leave."""
        await self._socket.close()
        await self._reader

    async def _read(self) -> None:
        ended: NpcMemoryError = _lost(None)
        try:
            while True:
                self._take(self._protocol.receive(await self._socket.recv()))
        except ConnectionClosed as error:
            ended = _lost(error)
        except NpcMemoryError as error:
            ended = error
            await self._socket.close(1002)
        finally:
            self._end(ended)

    def _take(self, frame: ServerFrame) -> None:
        re = getattr(frame, "re", None)
        pending = self._pending.get(re) if re is not None else None
        if re is None:
            self._pushes.put_nowait(frame)
        elif pending is not None and pending.take(frame):
            del self._pending[re]

    def _end(self, error: NpcMemoryError) -> None:
        self._lost = error
        for pending in self._pending.values():
            pending.fail(error)
        self._pending.clear()
        self._pushes.put_nowait(None)


class Stream:
    """The words of one reply under way, to iterate over. ``reply`` is there when they have ended."""

    def __init__(self, bridge: Bridge, fields: dict[str, Any]) -> None:
        self._bridge, self._fields = bridge, fields
        self._words: asyncio.Queue[str | None] = asyncio.Queue()
        self._pending: Pending | None = None
        self._ended = False
        self.reply: ReplyFrame | CancelledFrame | None = None

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> str:
        if self._pending is None:
            self._pending = await self._bridge.send("talk", on_text=self._words.put_nowait, **self._fields)
            self._pending.when_over(lambda: self._words.put_nowait(None))
        if not self._ended and (words := await self._words.get()) is not None:
            return words
        self._ended = True
        self.reply = cast("ReplyFrame | CancelledFrame", await self._pending)
        raise StopAsyncIteration

    async def cancel(self) -> None:
        """Break off; the iteration ends and ``reply`` is a ``CancelledFrame``, unless the reply was quicker."""
        if self._pending is not None:
            await self._bridge.cancel(self._pending)


@asynccontextmanager
async def connect(
    url: str,
    *,
    client: str = "python",
    world: str | None = None,
    owner: str | None = None,
    token: str | None = None,
    format: Format = "msgpack",
    retry_for: float = 0.0,
) -> AsyncIterator[Bridge]:
    """Connect and say hello. ``retry_for``: seconds to go on trying while nobody listens yet.

    Raises ``ConnectionLost`` when there is no bridge, ``BridgeFault`` when it does not welcome this client.
    """
    socket = await _socket(url, format, retry_for)
    bridge = Bridge(socket, ClientProtocol(format))
    try:
        answer = await bridge.request("hello", protocol=PROTOCOL, client=client, world=world, owner=owner, token=token)
        bridge.welcome = cast(WelcomeFrame, answer)
        yield bridge
    finally:
        await bridge.close()


async def _socket(url: str, format: Format, retry_for: float) -> ClientConnection:
    until = asyncio.get_running_loop().time() + retry_for
    while True:
        try:
            return await connect_socket(
                url, subprotocols=[Subprotocol(SUBPROTOCOLS[format])], compression=None, max_size=None, proxy=None
            )
        except (OSError, WebSocketException) as error:
            if asyncio.get_running_loop().time() >= until:
                raise ConnectionLost(
                    f"there is no bridge at {url}: {error}", hint="start it with `npc-memory serve`"
                ) from error
        await asyncio.sleep(RETRY_EVERY)


def _lost(error: ConnectionClosed | None) -> BridgeError:
    close = error.rcvd if error is not None else None
    why = f" ({close.code}{': ' + close.reason if close.reason else ''})" if close is not None else ""
    return ConnectionLost(
        f"the bridge closed the connection{why}", hint="connect again and send the request with the same key"
    )


def _unheard(line: ReplyFrame) -> None:
    """Nobody asked for the lines."""


def _seen(future: asyncio.Future[ServerFrame]) -> None:
    """An answer nobody waits for any more is no fault of the event loop's."""
    if not future.cancelled():
        future.exception()
