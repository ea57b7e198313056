"""Frames between the engine's two processes: a four-byte big-endian length, then a msgpack map with ``op``.

To the child: ``load`` (once, first), ``tokenize``, ``pieces``, ``generate``, ``cancel``, ``drop``, ``stats``. From it:
``progress`` while the model is examined, ``ready`` or ``failed``; then ``tokens``, ``pieces``, ``chunk``, ``done``,
``error``, ``dropped``, ``stats``. All but ``load`` and the first three of the child's carry the request's ``id``.
Sans I/O: bytes in, frames out; frames in, bytes out.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgpack

from npc_memory.errors import EngineError, NpcMemoryError, all_codes
from npc_memory.inference.pieces import Pieces
from npc_memory.inference.request import (
    ControlText,
    GenerationRequest,
    GenerationResult,
    Sampling,
    Timings,
    control_pairs,
)

__all__ = [
    "Frame",
    "FrameReader",
    "error_frame",
    "error_from",
    "pack",
    "pieces_from",
    "pieces_map",
    "request_from",
    "request_map",
    "result_from",
    "result_map",
    "texts_from",
]

Frame = dict[str, Any]
MAX_FRAME = 64 * 1024 * 1024
_LENGTH = struct.Struct(">I")


def pack(frame: Mapping[str, Any]) -> bytes:
    """Return a frame as bytes."""
    body = cast(bytes, msgpack.packb(dict(frame), use_bin_type=True))
    return _LENGTH.pack(len(body)) + body


class FrameReader:
    """Collects bytes of any partition; ``feed`` yields each frame as it is complete.

    Raises ``EngineError`` when the bytes are no frames: the stream cannot be trusted any further.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take bytes, yield the frames they complete."""
        self._buffer += data
        while len(self._buffer) >= _LENGTH.size:
            (size,) = _LENGTH.unpack_from(self._buffer)
            if size > MAX_FRAME:
                raise EngineError(f"a frame of {size} bytes between the engine's processes", hint="restart the engine")
            if len(self._buffer) < _LENGTH.size + size:
                return
            body = bytes(self._buffer[_LENGTH.size : _LENGTH.size + size])
            del self._buffer[: _LENGTH.size + size]
            yield _unpack(body)


def _unpack(body: bytes) -> Frame:
    try:
        frame = msgpack.unpackb(body, raw=False, strict_map_key=False)
    except ValueError as error:
        raise EngineError("the engine's processes lost track of each other", hint="restart the engine") from error
    if not isinstance(frame, dict) or "op" not in frame:
        raise EngineError("a frame between the engine's processes has no op", hint="restart the engine")
    return frame


def texts_from(pairs: list[list[Any]]) -> tuple[str, ...]:
    """Return segments from ``[text, control]`` pairs."""
    return tuple(ControlText(text) if control else str(text) for text, control in pairs)


def request_map(request: GenerationRequest) -> Frame:
    """Return a request as plain data."""
    data = {f.name: getattr(request, f.name) for f in dataclasses.fields(request)}
    data["segments"] = control_pairs(request.segments)
    data["sampling"] = dataclasses.asdict(request.sampling)
    return data


def request_from(data: Mapping[str, Any]) -> GenerationRequest:
    """Return the request that ``request_map`` described."""
    fields = dict(data)
    fields["segments"] = texts_from(fields["segments"])
    fields["sampling"] = Sampling(**fields["sampling"])
    fields["stop"] = tuple(fields["stop"])
    return GenerationRequest(**fields)


def result_map(result: GenerationResult) -> Frame:
    """Return a result as plain data."""
    return dataclasses.asdict(result)


def result_from(data: Mapping[str, Any]) -> GenerationResult:
    """Return the result that ``result_map`` described."""
    fields = dict(data)
    fields["tokens"] = tuple(fields["tokens"])
    fields["timings"] = Timings(**fields["timings"])
    return GenerationResult(**fields)


def pieces_map(pieces: Pieces | None) -> Frame:
    """Return a vocabulary's pieces as plain data."""
    if pieces is None:
        return {"pieces": None}
    return {"pieces": {"spellings": pieces.spellings, "escaped": pieces.escaped}}


def pieces_from(data: Mapping[str, Any]) -> Pieces | None:
    """Return the pieces that ``pieces_map`` described."""
    fields = data["pieces"]
    return None if fields is None else Pieces(tuple(fields["spellings"]), bool(fields["escaped"]))


def error_frame(op: str, error: NpcMemoryError, **more: Any) -> Frame:
    """Return an error as a frame; ``error_from`` makes it an exception again on the other side."""
    return {
        "op": op,
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "details": error.details,
        **more,
    }


def error_from(frame: Mapping[str, Any]) -> NpcMemoryError:
    """Return the typed error a frame carries; an unknown code becomes a plain ``EngineError``."""
    cls = all_codes().get(frame["code"], EngineError)
    return cls(frame["message"], hint=frame["hint"], details=frame["details"])
