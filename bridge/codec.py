"""Frames as bytes and back: msgpack maps or the same maps as JSON text, strict in both directions.

What the wire carries: maps with text keys, each once, lists, text without lone surrogates, integers of 64 bits with
sign, finite floats, booleans, null; at most 16 levels of maps and lists. A float stays a float (1.0, -0.0) and the
order of a map is kept, so decoding and encoding again gives the same msgpack bytes.
"""

from __future__ import annotations

import json
import math
from typing import Any, Literal, cast

import msgpack

from bridge.messages.fields import INT64
from npc_memory.errors import FrameInvalid

__all__ = ["MAX_DEPTH", "SUBPROTOCOLS", "Format", "check", "decode", "encode", "parse"]

Format = Literal["msgpack", "json"]

SUBPROTOCOLS: dict[Format, str] = {"msgpack": "npc-memory.v1.msgpack", "json": "npc-memory.v1.json"}
"""The websocket subprotocol of each format."""

MAX_DEPTH = 16
"""Most levels of maps and lists in a frame, the frame itself included."""

_LEAST, _MOST = INT64[0], INT64[-1]
_ROOM = 1024  # bytes to begin with; the library's own choice, a quarter of a megabyte, costs more than a small frame
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def decode(message: bytes | str, format: Format) -> dict[str, Any]:
    """The map in a websocket message. Raises ``FrameInvalid`` for anything the wire does not carry."""
    frame = parse(message, format)
    check(frame)
    return frame


def encode(frame: dict[str, Any], format: Format) -> bytes | str:
    """``frame`` as a websocket message. Raises ``FrameInvalid`` for anything the wire does not carry."""
    check(frame)
    if format == "msgpack":
        return cast(bytes, msgpack.Packer(buf_size=_ROOM).pack(frame))
    return _JSON.encode(frame)


def parse(message: bytes | str, format: Format) -> dict[str, Any]:
    """The map in a message before ``check``: what can be read of it, so that its ``id`` can be answered.

    Raises ``FrameInvalid`` when there is no map to be read.
    """
    value = _from_msgpack(message) if format == "msgpack" else _from_json(message)
    if type(value) is not dict:
        raise FrameInvalid(f"a frame is a map, not {_kind(value)}", hint='send a map such as {"type": "ping", "id": 1}')
    return cast("dict[str, Any]", value)


def check(frame: dict[str, Any]) -> None:
    """Raise ``FrameInvalid`` if ``frame`` holds anything the wire does not carry."""
    _check(frame, 1)


def _from_msgpack(message: bytes | str) -> Any:
    if isinstance(message, str):
        raise FrameInvalid(
            "a text message on a msgpack connection",
            hint=f"send binary msgpack, or ask for the subprotocol {SUBPROTOCOLS['json']}",
        )
    try:
        # Extension types come as objects that `check` refuses. What is declared larger than the message is refused by
        # the library before it makes room for it; so are more than some hundred levels.
        return msgpack.unpackb(message, strict_map_key=False, object_pairs_hook=_map)
    except FrameInvalid:
        raise
    except UnicodeDecodeError as error:
        raise FrameInvalid(f"a text is not UTF-8: {error.reason}", hint="encode texts as UTF-8") from error
    except Exception as error:  # the library raises many kinds, of its own and Python's
        raise FrameInvalid(
            f"this is no msgpack: {error or type(error).__name__}", hint="send one msgpack map per message"
        ) from error


def _from_json(message: bytes | str) -> Any:
    if not isinstance(message, str):
        raise FrameInvalid(
            "a binary message on a JSON connection",
            hint=f"send text, or ask for the subprotocol {SUBPROTOCOLS['msgpack']}",
        )
    try:
        return json.loads(message, object_pairs_hook=_map)
    except FrameInvalid:
        raise
    except RecursionError as error:
        raise FrameInvalid(f"more than {MAX_DEPTH} levels of maps and lists", hint="flatten the data") from error
    except ValueError as error:
        raise FrameInvalid(f"this is no JSON: {error}", hint="send one JSON object per message") from error


def _map(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FrameInvalid("a key stands twice in one map", hint="send each key once")
    return found


def _check(value: Any, depth: int) -> None:
    kind = type(value)
    if kind is str:
        if not value.isascii():
            _check_text(value)
    elif kind is int:
        if not _LEAST <= value <= _MOST:
            raise FrameInvalid("an integer does not fit 64 bits", hint="send it as text")
    elif kind is dict:
        _check_depth(depth)
        for key, each in value.items():
            if type(key) is not str:
                raise FrameInvalid(f"a map key is {_kind(key)}, not text", hint="use text keys")
            if not key.isascii():
                _check_text(key)
            _check(each, depth + 1)
    elif kind is list or kind is tuple:
        _check_depth(depth)
        for each in value:
            _check(each, depth + 1)
    elif kind is float:
        if not math.isfinite(value):
            raise FrameInvalid(f"{value} is no finite number", hint="leave the field out, or send null")
    elif value is not None and kind is not bool:
        raise FrameInvalid(f"the wire does not carry {_kind(value)}", hint="send text, numbers, booleans, lists, maps")


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FrameInvalid(f"more than {MAX_DEPTH} levels of maps and lists", hint="flatten the data")


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FrameInvalid(
            f"a lone surrogate at character {error.start} of a text", hint="send valid Unicode"
        ) from error


def _kind(value: Any) -> str:
    names = {
        dict: "a map",
        list: "a list",
        bytes: "bytes",
        type(None): "null",
        msgpack.ExtType: "msgpack extension types",
        msgpack.Timestamp: "msgpack timestamps",
    }
    return names.get(type(value), type(value).__name__)
