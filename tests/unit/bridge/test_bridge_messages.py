"""The frames themselves: the wire's own table of fields, exact limits, and nothing that changes on its way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from wire_kit import UNTIMED

from bridge import messages
from bridge.codec import Format, decode, encode
from bridge.messages import ClientFrame, ErrorFrame, OkFrame, ReplyFrame, ServerFrame, TalkFrame
from bridge.messages.fields import Id
from bridge.protocol import ClientProtocol, ServerProtocol
from npc_memory.errors import InvalidInput
from npc_memory.memory import check_id

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
    "working_memory": "sections report prompt engine?",
    "forgotten": "counts",
    "pong": "",
    "due": "npc note urgency player?",
    "loaded": "slot save_id game_time",
    "error": "re? code message hint details",
}

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PRINTED = st.text(st.characters(categories=["L", "N", "P", "S", "M"]), min_size=1, max_size=20)
INT64 = st.integers(-(2**63), 2**63 - 1)
MINUTES = st.integers(0, 2**63 - 1)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | INT64 | FINITE | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
DATA = st.dictionaries(TEXT, PLAIN, max_size=3)
OF_CLIENTS = {
    "protocol": st.just(1),
    "npcs": st.lists(PRINTED, min_size=2, max_size=2),
    "turns": st.integers(1, 16),
    "request": INT64,
    "audience": st.lists(PRINTED, max_size=3),
    "actions": st.lists(PRINTED, max_size=3),
    "stream": st.booleans(),
    "importance": st.floats(0, 1),
    "data": DATA,
    "ok": st.booleans(),
    "entries": st.dictionaries(PRINTED, st.none() | st.booleans() | INT64 | TEXT, min_size=1, max_size=3),
    "reborn": st.booleans(),
    "game_time": MINUTES,
    "k": st.integers(1, 1000),
    **dict.fromkeys(("client", "text", "topic", "trigger", "error", "name", "query", "token"), TEXT),
}
OF_SERVERS = {
    "protocol": INT64,
    "npcs": st.lists(st.builds(dict, id=TEXT, name=TEXT), max_size=3),
    "determinism": st.builds(dict, word=TEXT, reason=TEXT),
    "game_time": MINUTES,
    "action": st.builds(dict, id=TEXT, name=TEXT, args=DATA),
    "fallback": st.booleans(),
    "dropped": INT64,
    "request": INT64,
    "memories": st.lists(DATA, max_size=3),
    "sections": st.dictionaries(TEXT, TEXT, max_size=3),
    "report": DATA,
    **dict.fromkeys(("counts", "engine"), st.dictionaries(TEXT, INT64, max_size=3)),
    "urgency": FINITE,
    "re": INT64,
    "details": DATA,
}


@st.composite
def frames(draw: st.DrawFn, tables: dict[str, str], values: dict[str, Any], other: Any, number: str) -> dict[str, Any]:
    """A frame with some of its optional fields, in the order of its model."""
    kind = draw(st.sampled_from(sorted(tables)))
    frame: dict[str, Any] = {"type": kind}
    if kind not in ("due", "loaded", "error"):
        frame[number] = draw(INT64)
    for field in tables[kind].split():
        name = field.rstrip("?")
        if name == field or kind in ("save", "load", "explain") or draw(st.booleans()):
            frame[name] = draw(values.get(name, other))
    return frame


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
    found = {type: shape(model, {"type", "id"}) for type, model in models(ClientFrame).items()}
    assert found == {type: set(fields.split()) for type, fields in TABLE.items()}


def test_server_frames_are_those_of_the_wire() -> None:
    found = models(ServerFrame)
    assert {t: shape(m, {"type"} if t == "error" else {"type", "re"}) for t, m in found.items()} == {
        type: set(fields.split()) for type, fields in ANSWERS.items()
    }
    assert {t for t, m in found.items() if "re" not in m.model_fields} == {"due", "loaded"}


# -- what goes through


def test_everything_public_is_exported_once() -> None:
    assert len(messages.__all__) == len(set(messages.__all__))
    assert {model.__name__ for union in (ClientFrame, ServerFrame) for model in models(union).values()} <= set(
        messages.__all__
    )


def models_fields(frame: Any) -> list[str]:
    return [name for name in type(frame).model_fields if name in frame.fields()]


@pytest.mark.parametrize("format", ["msgpack", "json"])
@UNTIMED
@given(sent=frames(TABLE, OF_CLIENTS, PRINTED, "id"))
def test_what_a_client_sends_arrives_as_it_was(format: Format, sent: dict[str, Any]) -> None:
    protocol = ServerProtocol(format)
    if sent["type"] != "hello":
        protocol.receive(encode({"type": "hello", "id": 1, "protocol": 1, "client": "test"}, format))
    frame: Any = protocol.receive(encode(sent, format))
    assert not isinstance(frame, ErrorFrame), frame
    arrived = frame.fields()
    assert repr({name: arrived[name] for name in sent}) == repr(sent)
    assert list(arrived) == models_fields(frame)


@pytest.mark.parametrize("format", ["msgpack", "json"])
@UNTIMED
@given(sent=frames(ANSWERS, OF_SERVERS, TEXT, "re"))
def test_what_the_bridge_sends_arrives_as_it_was(format: Format, sent: dict[str, Any]) -> None:
    message = encode(sent, format)
    frame = ClientProtocol(format).receive(message)
    again = ServerProtocol(format).send(frame)
    assert repr(decode(again, format)) == repr({name: sent[name] for name in models_fields(frame)})
    assert ClientProtocol(format).receive(again) == frame


@UNTIMED
@given(st.text(max_size=210))
def test_an_id_is_what_memory_calls_an_id(text: str) -> None:
    try:
        expected: str | None = check_id(text, "id")
    except InvalidInput:
        expected = None
    try:
        found: str | None = TypeAdapter(Id).validate_python(text)
    except ValidationError:
        found = None
    assert found == expected


@pytest.mark.parametrize(
    "text", ["a" * 200, "a" * 201, "\u200d", "a\u2028", "a\u3000b", "\x85", "\u00ad", "\ue000", "a b"]
)
def test_ids_at_the_borders_are_what_memory_calls_ids(text: str) -> None:
    test_an_id_is_what_memory_calls_an_id.hypothesis.inner_test(text)  # type: ignore[attr-defined]


def test_frames_are_frozen() -> None:
    frame = TalkFrame(id=1, npc="marta", player="p1", text="Hi")
    with pytest.raises(ValidationError):
        frame.text = "Ho"  # type: ignore[misc]


def test_fields_that_are_none_do_not_travel_but_those_within_do() -> None:
    assert OkFrame(re=3).fields() == {"type": "ok", "re": 3}
    error = ErrorFrame(code="c", message="m", hint="h", details={"a": None})
    assert error.fields() == {"type": "error", "code": "c", "message": "m", "hint": "h", "details": {"a": None}}


def test_a_map_within_a_frame_may_have_fields_of_the_future() -> None:
    action = {"id": "a", "name": "b", "args": {}, "new": 1}
    rest = {
        "npc": "m",
        "say": "s",
        "mood": "m",
        "turn": "t",
        "kind": "k",
        "fallback": False,
        "dropped": 0,
        "audit": "a",
    }
    frame = TypeAdapter(ServerFrame).validate_python({"type": "reply", "re": 1, "action": action, **rest})
    assert isinstance(frame, ReplyFrame)
    assert frame.fields()["action"] == {"id": "a", "name": "b", "args": {}}
