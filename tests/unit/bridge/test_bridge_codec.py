"""Frames as bytes: strict, exact, the same in both formats."""

from __future__ import annotations

import contextlib
import json
import math
import struct
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_kit import UNTIMED

from bridge.codec import MAX_DEPTH, Format, decode, encode
from npc_memory.errors import FrameInvalid

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
FRAMES = st.dictionaries(TEXT, PLAIN, max_size=5)
FORMATS: list[Format] = ["msgpack", "json"]


def nested(levels: int) -> dict[str, Any]:
    value: Any = {}
    for _ in range(levels - 1):
        value = {"in": value}
    return value


@pytest.mark.parametrize("format", FORMATS)
@UNTIMED
@given(frame=FRAMES)
def test_what_goes_in_comes_out_to_the_bit(format: Format, frame: dict[str, Any]) -> None:
    back = decode(encode(frame, format), format)
    assert repr(back) == repr(frame), "order, -0.0 and the difference of 1 and 1.0 included"


@UNTIMED
@given(FRAMES)
def test_msgpack_is_canonical(frame: dict[str, Any]) -> None:
    message = encode(frame, "msgpack")
    assert encode(decode(message, "msgpack"), "msgpack") == message


@pytest.mark.parametrize("format", FORMATS)
def test_sixteen_levels_and_not_one_more(format: Format) -> None:
    assert decode(encode(nested(MAX_DEPTH), format), format) == nested(MAX_DEPTH)
    with pytest.raises(FrameInvalid, match="levels"):
        encode(nested(MAX_DEPTH + 1), format)
    message = json.dumps(nested(17)) if format == "json" else msgpack.packb(nested(17))
    with pytest.raises(FrameInvalid, match="levels"):
        decode(message, format)


@pytest.mark.parametrize("levels", [600, 5000, 200_000])
def test_a_tower_of_brackets_is_refused_and_no_crash(levels: int) -> None:
    with pytest.raises(FrameInvalid):
        decode('{"a":' + "[" * levels + "]" * levels + "}", "json")
    with pytest.raises(FrameInvalid):
        decode(b"\x81\xa1a" + b"\x91" * levels + b"\xc0", "msgpack")


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\xc1",
        b"\x93",
        b"\x81\xa1a",
        b"\x80\x80",
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\x7f\xff\xff\xff",
        b"\xdb\xff\xff\xff\xffa",
        msgpack.packb([1]),
        msgpack.packb(1),
        msgpack.packb(None),
        msgpack.packb({1: 2}),
        msgpack.packb({"a": b"bytes"}),
        msgpack.packb({"a": msgpack.ExtType(5, b"x")}),
        msgpack.packb({"a": msgpack.Timestamp(1)}),
        msgpack.packb({"a": 2**63}),
        b"\x82\xa1a\x01\xa1a\x01",
        b"\x81\x90\x01",
        msgpack.packb({"a": float("nan")}),
        msgpack.packb({"a": float("inf")}),
        b"\x81\xa1a\xa2\xc3\x28",
        b"\x81\xa1a\xa3\xed\xa0\x80",
        "{}",
    ],
)
def test_what_msgpack_may_not_carry(bad: Any) -> None:
    with pytest.raises(FrameInvalid) as refused:
        decode(bad, "msgpack")
    assert refused.value.hint


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "{",
        "[]",
        "1",
        "null",
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":-Infinity}',
        '{"a":1e999}',
        '{"a":9223372036854775808}',
        '{"a":-9223372036854775809}',
        '{"a":' + "9" * 5000 + "}",
        '{"a":"\\ud800"}',
        '{"\\udfff":1}',
        '{"a":1,"a":2}',
        "{'a':1}",
        '{"a":1}{}',
        b"{}",
    ],
)
def test_what_json_may_not_carry(bad: Any) -> None:
    with pytest.raises(FrameInvalid) as refused:
        decode(bad, "json")
    assert refused.value.hint


@pytest.mark.parametrize(
    "bad", [{"a": float("nan")}, {"a": 2**63}, {"a": 10**5000}, {"a": "\ud800"}, {1: 2}, {"a": b"x"}, {"a": {1}}]
)
@pytest.mark.parametrize("format", FORMATS)
def test_nothing_the_wire_cannot_carry_is_sent(format: Format, bad: Any) -> None:
    with pytest.raises(FrameInvalid):
        encode(bad, format)


@UNTIMED
@given(st.binary(max_size=200))
def test_garbage_is_refused_and_never_crashes(garbage: bytes) -> None:
    for message, format in ((garbage, "msgpack"), (garbage.decode("latin-1"), "json")):
        with contextlib.suppress(FrameInvalid):
            assert type(decode(message, format)) is dict  # type: ignore[arg-type]


def test_a_surrogate_pair_in_json_is_one_character() -> None:
    assert decode('{"a":"\\ud83d\\ude00"}', "json") == {"a": "😀"}


def test_floats_and_integers_stay_what_they_are() -> None:
    frame = decode(
        b"\x83\xa1a\xcb" + struct.pack(">d", -0.0) + b"\xa1b\xcb" + struct.pack(">d", 1.0) + b"\xa1c\x01", "msgpack"
    )
    assert math.copysign(1, frame["a"]) == -1
    assert (type(frame["b"]), type(frame["c"])) == (float, int)
    assert decode('{"a":2.0,"b":2}', "json") == {"a": 2.0, "b": 2}
    assert type(decode('{"a":2.0}', "json")["a"]) is float
