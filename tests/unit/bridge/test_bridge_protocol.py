"""The wire without a network: every rule of the handshake, every refusal, and nothing that raises."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from bridge.protocol import TRUSTED, ClientProtocol, ServerProtocol
from npc_memory.errors import FrameInvalid, InvalidInput, NpcMemoryError, TextTooLong, all_codes

HELLO = {"type": "hello", "id": 1, "protocol": 1, "client": "test"}
TALK = {"type": "talk", "id": 2, "npc": "marta", "player": "p1", "text": "Good evening."}

GOOD: dict[str, dict[str, Any]] = {
    "hello": {"protocol": 1, "client": "test"},
    "talk": {"npc": "marta", "player": "p1", "text": "Hi"},
    "converse": {"npcs": ["marta", "brann"]},
    "think": {"npc": "marta"},
    "cancel": {"request": 2},
    "warm": {"npc": "marta"},
    "observe": {"kind": "theft", "text": "A loaf is gone."},
    "result": {"action": "follow", "ok": True},
    "set_state": {"entries": {"curfew": True, "rooms": 3, "weather": "rain", "old": None}},
    "actor": {"actor": "p1"},
    "clock": {"game_time": 4310},
    "end": {"player": "p1"},
    "retry": {"turn": "t00000001"},
    "edit": {"turn": "t00000001", "text": "Hello"},
    "delete": {"turn": "t00000001"},
    "save": {"slot": "one"},
    "load": {"save_id": "abc"},
    "recall": {"npc": "marta", "query": "bread"},
    "explain": {"audit": "a00000001"},
    "forget": {"player": "p1"},
    "ping": {},
}

# The table of WIRE.md, copied by hand: field names, optional ones with a question mark.
TABLE = {
    "hello": "protocol client world? owner? token?",
    "talk": "npc player text place? audience? actions? stream? key?",
    "converse": "npcs topic? turns? place? key?",
    "think": "npc trigger? actions? key?",
    "cancel": "request",
    "warm": "npc player?",
    "observe": "kind text place? actor? target? audience? importance? data? key?",
    "result": "action ok error?",
    "set_state": "entries scope?",
    "actor": "actor name? place? faction? alias_of? reborn?",
    "clock": "game_time",
    "end": "npc? player",
    "retry": "turn text?",
    "edit": "turn text?",
    "delete": "turn text?",
    "save": "slot? save_id?",
    "load": "slot? save_id?",
    "recall": "npc query player? k?",
    "explain": "audit? npc? player? text?",
    "forget": "player",
    "ping": "",
}
ANSWERS = {
    "welcome": "protocol server world world_version npcs model determinism game_time slot",
    "reply": "npc say mood action? turn kind fallback dropped audit",
    "token": "text",
    "ok": "event? slot? save_id? game_time?",
    "cancelled": "request",
    "memories": "memories",
    "working_memory": "sections report prompt",
    "forgotten": "counts",
    "pong": "",
    "due": "npc note urgency player?",
    "loaded": "slot save_id game_time",
    "error": "re? code message hint details",
}


def server(format: Format = "msgpack", *, greeted: bool = True, **settings: Any) -> ServerProtocol:
    protocol = ServerProtocol(format, **settings)
    if greeted:
        hello = {**HELLO, "token": settings["token"]} if settings.get("token") else HELLO
        assert isinstance(protocol.receive(encode(hello, format)), HelloFrame)
    return protocol


def receive(frame: Any, **settings: Any) -> Any:
    return server(**settings).receive(encode(frame, settings.get("format", "msgpack")))


def code(frame: Any, **settings: Any) -> tuple[str, int | None]:
    answer = receive(frame, **settings)
    assert isinstance(answer, ErrorFrame), answer
    assert answer.message
    assert answer.hint
    assert answer.code in all_codes()
    return answer.code, answer.re


# -- the table


def models(union: Any) -> dict[str, Any]:
    return {model.model_fields["type"].default: model for model in union.__args__[0].__args__}


def shape(model: Any, apart_from: set[str]) -> set[str]:
    return {
        name if field.is_required() else f"{name}?"
        for name, field in model.model_fields.items()
        if name not in apart_from
    }


def test_client_frames_are_those_of_the_wire() -> None:
    from bridge.messages import ClientFrame

    found = {type: shape(model, {"type", "id"}) for type, model in models(ClientFrame).items()}
    assert found == {type: set(fields.split()) for type, fields in TABLE.items()}


def test_server_frames_are_those_of_the_wire() -> None:
    from bridge.messages import ServerFrame

    found = models(ServerFrame)
    assert {t: shape(m, {"type"} if t == "error" else {"type", "re"}) for t, m in found.items()} == {
        type: set(fields.split()) for type, fields in ANSWERS.items()
    }
    assert {t for t, m in found.items() if "re" not in m.model_fields} == {"due", "loaded"}


@pytest.mark.parametrize("format", ["msgpack", "json"])
@pytest.mark.parametrize("type", sorted(set(GOOD) - {"hello"}))
def test_every_frame_is_taken(type: str, format: Format) -> None:
    frame = receive({"type": type, "id": -7, **GOOD[type], "from_the_future": [1]}, format=format)
    assert (frame.type, frame.id) == (type, -7)
    assert {name: getattr(frame, name) for name in GOOD[type]} == GOOD[type]


@pytest.mark.parametrize(
    ("type", "field"), [(t, f) for t, fields in TABLE.items() for f in fields.split() if not f.endswith("?")]
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


@given(st.binary(max_size=300))
def test_garbage_is_answered_and_the_connection_goes_on(garbage: bytes) -> None:
    connection = server()
    assert isinstance(connection.receive(garbage), ErrorFrame)
    assert isinstance(connection.receive(encode(TALK, "msgpack")), TalkFrame)


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3)


@given(
    type=st.sampled_from(sorted(GOOD)),
    changes=st.dictionaries(
        st.sampled_from(sorted({f.rstrip("?") for fields in TABLE.values() for f in fields.split()} | {"id", "type"})),
        VALUES | st.lists(VALUES, max_size=3) | st.dictionaries(st.text(max_size=3), VALUES, max_size=3),
        max_size=3,
    ),
)
def test_a_bent_frame_is_taken_or_answered_and_never_raises(type: str, changes: dict[str, Any]) -> None:
    import msgpack

    try:
        message = msgpack.packb({"type": type, "id": 2, **GOOD[type], **changes})
    except (OverflowError, UnicodeEncodeError):
        return
    connection = server()
    answer = connection.receive(message)
    assert answer.type
    if isinstance(answer, ErrorFrame):
        assert connection.send(answer)


# -- the client's end


def test_requests_are_numbered_and_checked_before_they_are_sent() -> None:
    client, bridge = ClientProtocol("msgpack"), server()
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
