"""Whatever comes in is answered: bytes at random, good frames bent out of shape, errors that know odd things."""

from __future__ import annotations

from typing import Any

import msgpack
from hypothesis import given
from hypothesis import strategies as st
from wire_kit import GOOD, TALK, UNTIMED, server

from bridge.codec import encode
from bridge.messages import ErrorFrame, TalkFrame
from bridge.protocol import ClientProtocol, error_frame
from npc_memory.errors import InvalidInput

FIELDS = sorted(
    {"id", "type", "place", "audience", "actions", "stream", "key", "importance", "data", "scope", "k", "slot", "token"}
    | {field for frame in GOOD.values() for field in frame}
)


@UNTIMED
@given(st.binary(max_size=300))
def test_garbage_is_answered_and_the_connection_goes_on(garbage: bytes) -> None:
    connection = server()
    assert isinstance(connection.receive(garbage), ErrorFrame)
    assert isinstance(connection.receive(encode(TALK, "msgpack")), TalkFrame)


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3)


@UNTIMED
@given(
    type=st.sampled_from(sorted(GOOD)),
    changes=st.dictionaries(
        st.sampled_from(FIELDS),
        VALUES | st.lists(VALUES, max_size=3) | st.dictionaries(st.text(max_size=3), VALUES, max_size=3),
        max_size=3,
    ),
)
def test_a_bent_frame_is_taken_or_answered_and_never_raises(type: str, changes: dict[str, Any]) -> None:
    try:
        message = msgpack.packb({"type": type, "id": 2, **GOOD[type], **changes})
    except (OverflowError, UnicodeEncodeError):
        return
    connection = server()
    answer = connection.receive(message)
    assert answer.type
    if isinstance(answer, ErrorFrame):
        assert connection.send(answer)


WHOLE = [encode({"type": type, "id": 2, **fields}, "msgpack") for type, fields in GOOD.items()]


@UNTIMED
@given(
    message=st.sampled_from(WHOLE),
    flips=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), min_size=1, max_size=6),
    cut=st.integers(0, 200),
)
def test_a_frame_with_bytes_changed_or_missing_never_raises(
    message: bytes, flips: list[tuple[int, int]], cut: int
) -> None:
    bent = bytearray(message)
    for place, byte in flips:
        bent[place % len(bent)] = byte
    for broken in (bytes(bent), bytes(bent)[:cut]):
        for connection in (server(), server(greeted=False, token="s3cret")):
            answer: Any = connection.receive(broken)
            assert answer.type
            if isinstance(answer, ErrorFrame):
                assert ClientProtocol("msgpack").receive(connection.send(answer)) == answer


@UNTIMED
@given(st.text(max_size=60))
def test_any_text_on_a_json_connection_is_answered(text: str) -> None:
    connection = server(format="json")
    for message in (text, encode(TALK, "json")[:-1] + text):  # type: ignore[operator]
        assert isinstance(connection.receive(message), ErrorFrame | TalkFrame)


def test_an_error_can_be_told_whatever_it_knows() -> None:
    deep: Any = []
    for _ in range(30):
        deep = [deep]
    details = {"nan": float("nan"), "big": 2**70, "lone": "a\ud800", "odd": {1: {2}, "\udfff": b"x"}, "deep": deep}
    for format in ("msgpack", "json"):
        error = InvalidInput("lone \ud800", hint="\udfff", details=details)
        told = ClientProtocol(format).receive(server(format).send(error_frame(error, 3)))  # type: ignore[arg-type]
        assert isinstance(told, ErrorFrame)
        assert (told.code, told.re, told.message, told.hint) == ("invalid_input", 3, "lone ?", "?")
        assert told.details["nan"] == "nan"
        assert told.details["big"] == str(2**70)
        assert told.details["lone"] == "a?"
        assert told.details["odd"] == {"1": "{2}", "?": "b'x'"}
