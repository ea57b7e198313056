"""The bridge: one world served to many clients over websockets.

    async with Server(mind) as server:
        print(server.url)
        await server.wait_closed()

It does not own the mind; close that after the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from websockets.asyncio import server as websockets_server
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import NegotiationError
from websockets.typing import Origin, Subprotocol

from bridge.address import check_address, is_loopback, not_listening
from bridge.connection import Connection
from bridge.hints import Hints
from bridge.lane import Services
from bridge.messages import DueFrame, LoadedFrame
from bridge.protocol import SUBPROTOCOLS, Format, ServerProtocol
from bridge.turns import Turns
from npc_memory.memory import SaveInfo
from npc_memory.mind import Mind

__all__ = ["DEFAULT_PORT", "MAX_FRAME", "Server"]

DEFAULT_PORT = 8765

MAX_FRAME = 1024 * 1024
"""Longest frame of a client, in bytes; a longer one closes the connection with 1009."""

KEEPALIVE = (30.0, 300.0)
"""Seconds between pings of the transport, and for how long one may stay unanswered: a game that is halted in a debugger
for some minutes is still there."""

CLOSING = 3.0
"""Seconds a client gets to answer when the bridge closes the connection."""

WORKERS = 32
"""Most replies that are made at the same time; more wait for a thread."""


class Server:
    """Serves ``mind``. ``port`` 0 takes any free one. ``token``: the launch token, "" for none. ``origins``: web
    origins that may connect; a web page from elsewhere is refused (403). ``queue``: lines that may wait for one NPC.

    Starting raises ``TokenRequired`` for an address other than loopback without a token, ``PortTaken`` when the address
    cannot be listened on.
    """

    def __init__(
        self,
        mind: Mind,
        *,
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        token: str = "",
        origins: Sequence[str] = (),
        max_frame: int = MAX_FRAME,
        queue: int = 64,
    ) -> None:
        self.mind, self._host, self._port = mind, host, port
        self._token, self._origins, self._max_frame = token, tuple(origins), max_frame
        check_address(host, token)
        self._loopback = is_loopback(host)
        clerk, workers = ThreadPoolExecutor(1, "bridge-clerk"), ThreadPoolExecutor(WORKERS, "bridge-talk")
        self._services = Services(mind, Turns(queue, 8 * queue), Hints(), clerk, workers)
        self._connections: dict[Connection, None] = {}
        self._server: websockets_server.Server | None = None
        self._ended = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Begin to listen."""
        try:
            self._server = await websockets_server.serve(
                self._serve,
                self._host,
                self._port,
                origins=[None, *map(Origin, self._origins)],
                subprotocols=[Subprotocol(SUBPROTOCOLS["msgpack"]), Subprotocol(SUBPROTOCOLS["json"])],
                select_subprotocol=_agree,
                compression=None,
                max_size=self._max_frame,
                ping_interval=KEEPALIVE[0],
                ping_timeout=KEEPALIVE[1],
                close_timeout=CLOSING,
                server_header=None,
            )
        except (OSError, OverflowError) as error:
            self._stop_threads()
            raise not_listening(self._host, self._port, error) from error
        self._loop = asyncio.get_running_loop()
        self.mind.on_load.append(self._loaded)

    @property
    def port(self) -> int:
        """The port listened on."""
        if self._server is None:
            return self._port
        return int(next(iter(self._server.sockets)).getsockname()[1])

    @property
    def url(self) -> str:
        """Where clients connect."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"ws://{host}:{self.port}"

    @property
    def clients(self) -> int:
        """How many are connected."""
        return len(self._connections)

    def push(self, frame: DueFrame | LoadedFrame, owner: str = "") -> None:
        """Send ``frame`` to every client of ``owner``'s game."""
        for connection in self._connections:
            if connection.mind is not None and connection.mind.store.owner == owner:
                connection.push(frame)

    def _loaded(self, owner: str, save: SaveInfo) -> None:
        """A save was loaded, in whatever thread: every client of that game is told."""
        frame = LoadedFrame(slot=save.slot, save_id=save.save_id, game_time=save.game_time)
        self._loop.call_soon_threadsafe(self.push, frame, owner)

    async def close(self) -> None:
        """Take no more clients, store what is being said as interrupted, close every connection with 1001."""
        if self._server is not None:
            if self._loaded in self.mind.on_load:
                self.mind.on_load.remove(self._loaded)
            for connection in list(self._connections):
                connection.leave()
            self._server.close()
            await self._server.wait_closed()
        self._stop_threads()
        self._ended.set()

    async def wait_closed(self) -> None:
        """Return when the server has been closed."""
        await self._ended.wait()

    async def _serve(self, socket: ServerConnection) -> None:
        format: Format = "json" if socket.subprotocol == SUBPROTOCOLS["json"] else "msgpack"
        protocol = ServerProtocol(format, token=self._token, token_needed=not self._loopback)
        connection = Connection(socket, protocol, self._services)
        self._connections[connection] = None
        try:
            await connection.run()
        finally:
            del self._connections[connection]

    def _stop_threads(self) -> None:
        self._services.hints.close()
        self._services.clerk.shutdown(wait=True)
        self._services.workers.shutdown(wait=True)


def _agree(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Msgpack unless the client wants JSON first; one who asks for nothing gets msgpack too, without its name."""
    for one in offered:
        if one in SUBPROTOCOLS.values():
            return one
    if offered:
        raise NegotiationError(f"this bridge speaks {' and '.join(SUBPROTOCOLS.values())}")
    return None
