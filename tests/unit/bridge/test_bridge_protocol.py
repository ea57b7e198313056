"""The wire without a network: every rule of the handshake, every refusal, and nothing that raises."""

from __future__ import annotations

from typing import Any

import pytest
from wire_kit import GOOD, HELLO, TALK, receive, server

from bridge.codec import Format, encode
from bridge.messages import (
    ErrorFrame,
    HelloFrame,
    OkFrame,
    PingFrame,
    PongFrame,
    ReplyFrame,
    SetStateFrame,
    TalkFrame,
    TokenFrame,
)
from bridge.protocol import TRUSTED, ClientProtocol
from npc_memory.errors import FrameInvalid, InvalidInput, NpcMemoryError, TextTooLong, all_codes

# What cannot be left out of a frame.
NEEDED = {
    "hello": "protocol client",
    "talk": "npc player text",
    "converse": "npcs",
    "think": "npc",
    "cancel": "request",
    "warm": "npc",
    "observe": "kind text",
    "result": "action ok",
    "set_state": "entries",
    "actor": "actor",
    "clock": "game_time",
    "end": "player",
    "retry": "turn",
    "edit": "turn",
    "delete": "turn",
    "recall": "npc query",
    "forget": "player",
}


def code(frame: Any, **settings: Any) -> tuple[str, int | None]:
    answer = receive(frame, **settings)
    assert isinstance(answer, ErrorFrame), answer
    assert answer.message
    assert answer.hint
    assert answer.code in all_codes()
    return answer.code, answer.re


# -- frames


@pytest.mark.parametrize("format", ["msgpack", "json"])
@pytest.mark.parametrize("type", sorted(set(GOOD) - {"hello"}))
def test_every_frame_is_taken(type: str, format: Format) -> None:
    frame = receive({"type": type, "id": -7, **GOOD[type], "from_the_future": [1]}, format=format)
    assert (frame.type, frame.id) == (type, -7)
    assert {name: getattr(frame, name) for name in GOOD[type]} == GOOD[type]


@pytest.mark.parametrize(
    ("type", "field"), [(type, field) for type, fields in NEEDED.items() for field in fields.split()]
)
def test_a_missing_field_is_named(type: str, field: str) -> None:
    frame = {"type": type, "id": 3, **{k: v for k, v in GOOD[type].items() if k != field}}
    answer = server(greeted=type != "hello").receive(encode(frame, "msgpack"))
    assert isinstance(answer, ErrorFrame)
    assert (answer.code, answer.re, answer.details) == ("invalid_input", 3, {"field": field})


# -- the handshake


def test_nothing_but_ping_comes_before_hello() -> None:
    for type in sorted(set(GOOD) - {"hello", "ping"}):
        assert code({"type": type, "id": 5, **GOOD[type]}, greeted=False) == ("hello_first", 5)
    assert isinstance(receive({"type": "ping", "id": 5}, greeted=False), PingFrame)


def test_before_hello_a_wrong_field_or_an_unknown_frame_says_no_more_than_that() -> None:
    for frame in ({"type": "talk", "id": 5}, {"type": "sing", "id": 5}):
        assert code(frame, greeted=False) == ("hello_first", 5)
    assert code({"type": 5, "id": 5}, greeted=False) == ("bad_frame", 5)


def test_a_bad_hello_may_be_said_again() -> None:
    connection = server(greeted=False)
    assert isinstance(connection.receive(encode({**HELLO, "client": 5}, "msgpack")), ErrorFrame)
    assert isinstance(connection.receive(encode(HELLO, "msgpack")), HelloFrame)


def test_hello_is_said_once() -> None:
    assert code(HELLO) == ("invalid_input", 1)
    assert code({"type": "hello", "id": 1}) == ("invalid_input", 1)


@pytest.mark.parametrize("protocol", [0, 2, -1])
def test_another_protocol_is_refused_and_nothing_is_served(protocol: int) -> None:
    connection = server(greeted=False)
    answer = connection.receive(encode({**HELLO, "protocol": protocol}, "msgpack"))
    assert isinstance(answer, ErrorFrame)
    assert (answer.code, answer.details) == ("protocol_unsupported", {"supported": [1]})
    assert isinstance(connection.receive(encode(TALK, "msgpack")), ErrorFrame)
    assert isinstance(connection.receive(encode(HELLO, "msgpack")), HelloFrame)


def test_without_a_token_set_everything_is_served() -> None:
    for type in sorted(TRUSTED):
        assert receive({"type": type, "id": 2, **GOOD[type]}).type == type


def test_with_a_token_set_the_trusted_frames_need_it() -> None:
    connection = server(greeted=False, token="s3cret")
    assert isinstance(connection.receive(encode(HELLO, "msgpack")), HelloFrame)
    for type in sorted(set(GOOD) - {"hello"}):
        answer = connection.receive(encode({"type": type, "id": 2, **GOOD[type]}, "msgpack"))
        refused = isinstance(answer, ErrorFrame) and answer.code == "token_required"
        assert refused == (type in {"explain", "load", "forget", "edit", "delete"})
    for type in sorted(TRUSTED):
        assert receive({"type": type, "id": 2, **GOOD[type]}, token="s3cret").type == type


@pytest.mark.parametrize("token", ["S3cret", "s3cret ", "s3cre", "日本"])
def test_a_wrong_token_is_refused(token: str) -> None:
    for needed in (False, True):
        assert (
            code({**HELLO, "token": token}, greeted=False, token="s3cret", token_needed=needed)[0] == "token_required"
        )
    for none in (HELLO, {**HELLO, "token": ""}, {**HELLO, "token": None}):
        assert code(none, greeted=False, token="s3cret", token_needed=True)[0] == "token_required"
        assert isinstance(receive(none, greeted=False, token="s3cret"), HelloFrame)


# -- refusals


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"type": None}, "bad_frame"),
        ({"type": "sing"}, "bad_frame"),
        ({"type": ["talk"]}, "bad_frame"),
        ({"id": None}, "bad_frame"),
        ({"id": "2"}, "bad_frame"),
        ({"id": 2.0}, "bad_frame"),
        ({"id": True}, "bad_frame"),
        ({"npc": 5}, "invalid_input"),
        ({"npc": ""}, "invalid_input"),
        ({"npc": "x" * 201}, "invalid_input"),
        ({"npc": "a\x00b"}, "invalid_input"),
        ({"player": None}, "invalid_input"),
        ({"text": 7}, "invalid_input"),
        ({"text": "x" * 65_537}, "too_long"),
        ({"text": "ж" * 32_769}, "too_long"),
        ({"stream": "yes"}, "invalid_input"),
        ({"stream": 1}, "invalid_input"),
        ({"audience": "marta"}, "invalid_input"),
        ({"audience": ["marta", 5]}, "invalid_input"),
        ({"actions": {"a": 1}}, "invalid_input"),
        ({"key": "x" * 201}, "invalid_input"),
    ],
)
def test_a_talk_that_cannot_be(change: dict[str, Any], expected: str) -> None:
    found, re = code({**TALK, **change})
    assert found == expected
    assert re == (2 if "id" not in change else None)


@pytest.mark.parametrize(
    ("type", "change"),
    [
        ("set_state", {"entries": {}}),
        ("set_state", {"entries": {"a": 1.5}}),
        ("set_state", {"entries": {"a": []}}),
        ("set_state", {"entries": {"": 1}}),
        ("set_state", {"entries": [1]}),
        ("clock", {"game_time": -1}),
        ("clock", {"game_time": 1.0}),
        ("clock", {"game_time": True}),
        ("observe", {"importance": 1.1}),
        ("observe", {"importance": "1"}),
        ("observe", {"data": [1]}),
        ("converse", {"npcs": ["marta"]}),
        ("converse", {"npcs": ["a", "b", "c"]}),
        ("save", {"slot": None}),
        ("explain", {"audit": None, "npc": "marta", "player": "p1"}),
        ("recall", {"k": 0}),
        ("result", {"ok": "true"}),
    ],
)
def test_a_frame_that_cannot_be(type: str, change: dict[str, Any]) -> None:
    assert code({"type": type, "id": 2, **GOOD[type], **change}) == ("invalid_input", 2)


def test_limits_are_exact() -> None:
    assert isinstance(receive({**TALK, "text": "x" * 65_536}), TalkFrame)
    assert isinstance(receive({**TALK, "text": "ж" * 32_768}), TalkFrame)
    assert isinstance(receive({**TALK, "npc": "ж" * 200}), TalkFrame)
    ints = {"type": "set_state", "id": 2, "entries": {"a": 2**63 - 1, "b": -(2**63)}}
    assert isinstance(receive(ints), SetStateFrame)


def test_an_empty_optional_id_counts_as_left_out() -> None:
    frame = receive({**TALK, "place": "", "key": None, "audience": None})
    assert (frame.place, frame.key, frame.audience) == (None, None, None)


def test_an_importance_may_be_a_whole_number() -> None:
    assert receive({"type": "observe", "id": 2, **GOOD["observe"], "importance": 1}).importance == 1.0


@pytest.mark.parametrize(
    ("type", "change", "field", "said"),
    [
        ("talk", {"npc": 5}, "npc", "talk: npc: should be text"),
        ("talk", {"audience": ["a", 5]}, "audience.1", "talk: audience.1: should be text"),
        ("set_state", {"entries": {"a": 1.5}}, "entries.a", "entries.a: should be text, an integer or a boolean"),
        ("set_state", {"entries": {"str": []}}, "entries.str", "entries.str: should be"),
        ("set_state", {"entries": {}}, "entries", "entries: should have at least 1, it has 0"),
        ("set_state", {"entries": {"a\x00": 1}}, "entries.a\\x00", "control characters"),
        ("set_state", {"entries": {"k" * 500: 1}}, ("entries." + "k" * 500)[:200], "200 characters"),
        ("observe", {"data": [1]}, "data", "data: should be a map"),
        ("clock", {"game_time": -1}, "game_time", "game_time: should be greater than or equal to 0"),
        ("save", {"slot": None}, "", "save: slot or save_id is needed"),
    ],
)
def test_what_is_wrong_is_said_with_its_field(type: str, change: dict[str, Any], field: str, said: str) -> None:
    answer = receive({"type": type, "id": 2, **GOOD[type], **change})
    assert answer.details == {"field": field}
    assert said in answer.message


# -- the client's end


def test_requests_are_numbered_and_checked_before_they_are_sent() -> None:
    client, bridge = ClientProtocol("msgpack"), server()
    with pytest.raises(InvalidInput):
        client.request("ping", id=5)
    id, message = client.request("talk", npc="marta", player="p1", text="Hi", place=None)
    assert bridge.receive(message) == TalkFrame(id=1, npc="marta", player="p1", text="Hi")
    with pytest.raises(InvalidInput):
        client.request("talk", npc="marta")
    with pytest.raises(TextTooLong):
        client.request("talk", npc="marta", player="p1", text="x" * 65_537)
    with pytest.raises(NpcMemoryError):
        client.request("sing")
    assert (id, client.request("ping")[0]) == (1, 2)


@pytest.mark.parametrize("format", ["msgpack", "json"])
def test_answers_come_through(format: Format) -> None:
    reply = ReplyFrame(
        re=1, npc="m", say="Hi 🐺", mood="calm", turn="t1", kind="talk", fallback=False, dropped=0, audit="a1"
    )
    for frame in (reply, TokenFrame(re=1, text="Hi"), PongFrame(re=2), OkFrame(re=3, event="v1")):
        assert ClientProtocol(format).receive(server(format).send(frame)) == frame


def test_what_is_none_is_not_sent() -> None:
    assert OkFrame(re=3).fields() == {"re": 3, "type": "ok"}


def test_a_client_refuses_what_no_bridge_sends() -> None:
    with pytest.raises(FrameInvalid):
        ClientProtocol("json").receive('{"type":"reply","re":1}')
