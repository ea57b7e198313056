"""The wire without the network: messages in, frames out, and what a connection has earned so far.

    protocol = ServerProtocol("msgpack", token=…)
    frame = protocol.receive(message)      # a client's frame, or the ErrorFrame that answers it; never an exception
    message = protocol.send(answer)

The first frame must be ``hello`` (``ping`` may come before it). A bad peer becomes an answer, not an exception.
"""

from __future__ import annotations

import hmac
import math
from typing import Any, cast

from pydantic import TypeAdapter

from bridge.codec import SUBPROTOCOLS, Format, check, decode, encode, parse
from bridge.messages import ClientFrame, ErrorFrame, HelloFrame, ServerFrame
from bridge.messages.fields import INT64
from bridge.messages.refusal import validated
from npc_memory.errors import (
    FrameInvalid,
    HelloFirst,
    InvalidInput,
    NpcMemoryError,
    ProtocolUnsupported,
    TokenRequired,
)

__all__ = ["PROTOCOL", "SUBPROTOCOLS", "TRUSTED", "ClientProtocol", "Format", "ServerProtocol", "error_frame"]

PROTOCOL = 1
"""Version of the wire protocol; it changes only when something breaks."""

TRUSTED = frozenset({"explain", "load", "forget", "edit", "delete"})
"""Frames that need the launch token when one is set."""

_CLIENT: TypeAdapter[Any] = TypeAdapter(ClientFrame)
_SERVER: TypeAdapter[Any] = TypeAdapter(ServerFrame)


def error_frame(error: NpcMemoryError, number: int | None = None) -> ErrorFrame:
    """``error`` as the frame that tells it to a client; ``number``: id of the request, if it could be read."""
    message, hint = _clean(error.message), _clean(error.hint)
    return ErrorFrame(re=number, code=error.code, message=message, hint=hint, details=_plain(error.details))


class ServerProtocol:
    """The server's end of one connection. ``token``: the launch token, "" when none is set; ``token_needed``: nobody is
    served without it (an address other than loopback).

    ``greeted``: a good ``hello`` has come (the server takes it back when it cannot welcome the client after all).
    ``trusted``: the frames in ``TRUSTED`` are served, because no token is set or the right one came.
    """

    def __init__(self, format: Format, *, token: str = "", token_needed: bool = False) -> None:
        self.format: Format = format
        self.greeted = False
        self.trusted = not token
        self._token, self._token_needed = token, token_needed

    def receive(self, message: bytes | str) -> ClientFrame | ErrorFrame:
        """The frame in ``message``, or the error that answers it."""
        number: int | None = None
        try:
            data = parse(message, self.format)
            number = _id_of(data)
            check(data)
            if number is None:
                raise FrameInvalid(
                    "a frame without an integer id", hint="number the frames; the answer carries the id as re"
                )
            self._admit(data.get("type"))
            frame = validated(_CLIENT, data)
            if type(frame) is HelloFrame:
                self._greet(frame)
        except NpcMemoryError as error:
            return error_frame(error, number)
        return cast(ClientFrame, frame)

    def send(self, frame: ServerFrame) -> bytes | str:
        """``frame`` as a message. Raises ``FrameInvalid`` if it holds what the wire does not carry."""
        return encode(frame.fields(), self.format)

    def _admit(self, kind: object) -> None:
        """Whether a frame of that type may come now. What is no type at all is refused later, by its name."""
        if kind == "ping" or not isinstance(kind, str):
            return
        if kind == "hello":
            if self.greeted:
                raise InvalidInput("hello was said before on this connection", hint="open another connection")
        elif not self.greeted:
            raise HelloFirst(f"{kind[:50]!r} before hello", hint="send hello first and wait for welcome")
        elif kind in TRUSTED and not self.trusted:
            raise TokenRequired(
                f"{kind!r} needs the launch token", hint="send the token of `npc-memory serve` in hello"
            )

    def _greet(self, hello: HelloFrame) -> None:
        if hello.protocol != PROTOCOL:
            raise ProtocolUnsupported(
                f"this bridge speaks protocol {PROTOCOL}, not {hello.protocol}",
                hint="update the older of the two",
                details={"supported": [PROTOCOL]},
            )
        if self._token:
            given = hello.token or ""
            self.trusted = hmac.compare_digest(given.encode("utf-8"), self._token.encode("utf-8"))
            if not self.trusted and (self._token_needed or given):
                raise TokenRequired(
                    "the launch token is wrong" if given else "this bridge serves nobody without its launch token",
                    hint="send the token of `npc-memory serve` in hello",
                )
        self.greeted = True


class ClientProtocol:
    """A client's end of one connection; numbers its requests from 1."""

    def __init__(self, format: Format) -> None:
        self.format: Format = format
        self._last = 0

    def request(self, type: str, **fields: Any) -> tuple[int, bytes | str]:
        """The next request: its id and the message. A field that is None is left out.

        Raises ``InvalidInput``, ``TextTooLong`` or ``FrameInvalid`` for what the bridge would refuse.
        """
        if "id" in fields:
            raise InvalidInput("a request has its id from its connection", hint="leave id out")
        number = self._last + 1
        given = {name: value for name, value in fields.items() if value is not None}
        frame = {"type": type, "id": number, **given}
        message = encode(frame, self.format)
        validated(_CLIENT, frame)
        self._last = number
        return number, message

    def receive(self, message: bytes | str) -> ServerFrame:
        """The frame in ``message``. Raises ``FrameInvalid`` for what no bridge of this protocol sends."""
        try:
            return cast(ServerFrame, validated(_SERVER, decode(message, self.format)))
        except InvalidInput as error:
            raise FrameInvalid(error.message, hint="client and bridge are of different versions") from error


def _id_of(data: dict[str, Any]) -> int | None:
    id = data.get("id")
    return id if type(id) is int and id in INT64 else None


def _plain(details: dict[str, Any]) -> dict[str, Any]:
    """``details`` as the wire can carry them: whatever else there is becomes text."""
    return {_clean(str(key)): _plain_value(value, 2) for key, value in details.items()}


def _plain_value(value: Any, depth: int) -> Any:
    if value is None or type(value) is bool or (type(value) is int and value in INT64):
        return value
    if type(value) is float and math.isfinite(value):
        return value
    if depth < 8 and isinstance(value, dict):
        return {_clean(str(key)): _plain_value(one, depth + 1) for key, one in value.items()}
    if depth < 8 and isinstance(value, list | tuple):
        return [_plain_value(one, depth + 1) for one in value]
    return _clean(str(value))


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
