"""The wire without the network: messages in, frames out, and what a connection has earned so far.

    protocol = ServerProtocol("msgpack", token=…)
    frame = protocol.receive(message)      # a client's frame, or the ErrorFrame that answers it; never an exception
    message = protocol.send(answer)

The first frame must be ``hello`` (``ping`` may come before it). A bad peer becomes an answer, not an exception.
"""

from __future__ import annotations

import hmac
import re
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from bridge.codec import SUBPROTOCOLS, Format, decode, encode
from bridge.messages import ClientFrame, ErrorFrame, HelloFrame, PingFrame, ServerFrame
from bridge.messages.fields import INT64, TooLong
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

_OWN_NAME = re.compile(r"[(\[]|^(?:str|int|bool|float|none|nullable)$")

_CLIENT: TypeAdapter[Any] = TypeAdapter(ClientFrame)
_SERVER: TypeAdapter[Any] = TypeAdapter(ServerFrame)


def error_frame(error: NpcMemoryError, number: int | None = None) -> ErrorFrame:
    """``error`` as the frame that tells it to a client; ``number``: id of the request, if it could be read."""
    return ErrorFrame(re=number, code=error.code, message=error.message, hint=error.hint, details=_plain(error.details))


class ServerProtocol:
    """The server's end of one connection. ``token``: the launch token, "" when none is set; ``token_needed``: nobody is
    served without it (an address other than loopback).
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
            data = decode(message, self.format)
            number = _id_of(data)
            frame = _validated(_CLIENT, data)
            self._admit(frame)
        except NpcMemoryError as error:
            return error_frame(error, number)
        return cast(ClientFrame, frame)

    def send(self, frame: ServerFrame) -> bytes | str:
        """``frame`` as a message."""
        return encode(frame.fields(), self.format)

    def _admit(self, frame: Any) -> None:
        """Whether a frame may come now; a good ``hello`` changes what may come later."""
        if type(frame) is PingFrame:
            return
        if type(frame) is HelloFrame:
            self._greet(frame)
        elif not self.greeted:
            raise HelloFirst(f"{frame.type!r} before hello", hint="send hello first and wait for welcome")
        elif frame.type in TRUSTED and not self.trusted:
            raise TokenRequired(
                f"{frame.type!r} needs the launch token", hint="send the token of `npc-memory serve` in hello"
            )

    def _greet(self, hello: HelloFrame) -> None:
        if self.greeted:
            raise InvalidInput("hello was said before on this connection", hint="open another connection")
        if hello.protocol != PROTOCOL:
            raise ProtocolUnsupported(
                f"this bridge speaks protocol {PROTOCOL}, not {hello.protocol}",
                hint="update the older of the two",
                details={"supported": [PROTOCOL]},
            )
        if self._token:
            given = (hello.token or "").encode("utf-8")
            self.trusted = hmac.compare_digest(given, self._token.encode("utf-8"))
            if not self.trusted and (self._token_needed or hello.token is not None):
                raise TokenRequired(
                    "the launch token is wrong" if hello.token else "this bridge is not served without a token",
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
        number = self._last + 1
        given = {name: value for name, value in fields.items() if value is not None}
        frame = {"type": type, "id": number, **given}
        message = encode(frame, self.format)
        _validated(_CLIENT, frame)
        self._last = number
        return number, message

    def receive(self, message: bytes | str) -> ServerFrame:
        """The frame in ``message``. Raises ``FrameInvalid`` for what no bridge of this protocol sends."""
        try:
            return cast(ServerFrame, _validated(_SERVER, decode(message, self.format)))
        except InvalidInput as error:
            raise FrameInvalid(error.message, hint="client and bridge are of different versions") from error


def _id_of(data: dict[str, Any]) -> int:
    id = data.get("id")
    if type(id) is not int:
        raise FrameInvalid("a frame without an integer id", hint="number the frames; the answer carries the id as re")
    return id


def _validated(adapter: TypeAdapter[Any], data: dict[str, Any]) -> BaseModel:
    try:
        return cast(BaseModel, adapter.validate_python(data))
    except ValidationError as error:
        raise _refusal(error, data) from None


def _refusal(error: ValidationError, data: dict[str, Any]) -> NpcMemoryError:
    """The first problem as a typed error; ``details.field`` says where it is."""
    problems = error.errors(include_url=False, include_input=False)
    for problem in problems:
        cause = problem.get("ctx", {}).get("error")
        if isinstance(cause, TooLong):
            return cause.at(_path(problem["loc"]))
    first = problems[0]
    if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
        kind = data.get("type")
        if not isinstance(kind, str):
            return FrameInvalid("a frame without a type", hint='e.g. {"type": "ping", "id": 1}')
        return FrameInvalid(f"there is no frame {kind[:50]!r}", hint="docs/wire.md lists all frames")
    field = _path(first["loc"])
    said = first["msg"].removeprefix("Value error, ")
    return InvalidInput(
        f"{data.get('type')}: {field + ': ' if field else ''}{said}",
        hint="docs/wire.md lists the fields of every frame",
        details={"field": field},
    )


def _path(loc: tuple[int | str, ...]) -> str:
    """Where in the frame, without the names pydantic gives to its own checks and to members of unions."""
    inner = [str(part) for part in loc[1:] if isinstance(part, int) or not _OWN_NAME.search(part)]
    return ".".join(inner)


def _plain(details: dict[str, Any]) -> dict[str, Any]:
    """``details`` as the wire can carry them: whatever else there is becomes text."""
    return {str(key): _plain_value(value, 2) for key, value in details.items()}


def _plain_value(value: Any, depth: int) -> Any:
    if value is None or type(value) in (bool, str, float) or (type(value) is int and value in INT64):
        return _clean(value) if type(value) is str else value
    if depth < 8 and isinstance(value, dict):
        return {_clean(str(key)): _plain_value(one, depth + 1) for key, one in value.items()}
    if depth < 8 and isinstance(value, list | tuple):
        return [_plain_value(one, depth + 1) for one in value]
    return _clean(str(value))


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
