"""The frames all clients test with: what is committed is what the generator makes, and the bridge reads all of it."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bridge.codec import Format, decode, encode
from bridge.messages import ErrorFrame, HelloFrame
from bridge.protocol import ClientProtocol, ServerProtocol
from npc_memory.errors import FrameInvalid

FIXTURES = Path(__file__).resolve().parents[3] / "clients" / "fixtures"
GOOD = json.loads((FIXTURES / "manifest.json").read_text(encoding="utf-8"))
BAD = json.loads((FIXTURES / "bad" / "manifest.json").read_text(encoding="utf-8"))
FORMATS: tuple[Format, ...] = ("msgpack", "json")
HELLO = {"type": "hello", "id": 1, "protocol": 1, "client": "fixtures"}


@cache
def message(name: str, format: Format) -> bytes | str:
    """The message in a file; the line break that ends a JSON file is not part of it."""
    data = (FIXTURES / f"{name}.{format}").read_bytes()
    return data if format == "msgpack" else data.decode("utf-8").removesuffix("\n")


def names(direction: str) -> list[str]:
    return [entry["name"] for entry in GOOD if entry["direction"] == direction]


def server(format: Format, *, greeted: bool) -> ServerProtocol:
    protocol = ServerProtocol(format)
    if greeted:
        assert isinstance(protocol.receive(encode(HELLO, format)), HelloFrame)
    return protocol


def models(union: Any) -> list[str]:
    return sorted(model.model_fields["type"].default for model in union.__args__[0].__args__)


# -- the folder


def test_what_is_committed_is_what_the_generator_makes() -> None:
    done = subprocess.run(
        [sys.executable, "-B", str(FIXTURES / "make.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_frame_of_the_wire_is_there() -> None:
    from bridge.messages import ClientFrame, ServerFrame

    for direction, union in (("client", ClientFrame), ("server", ServerFrame)):
        assert sorted({entry["type"] for entry in GOOD if entry["direction"] == direction}) == models(union)


AWKWARD = [2**53 + 1, 2**63 - 1, -(2**63), -0.0, 0.1, 1.0, 5e-324, {}, [], "", None]


def test_the_awkward_values_are_there() -> None:
    frames = {entry["name"]: decode(message(entry["name"], "msgpack"), "msgpack") for entry in GOOD}
    found = {repr(value) for frame in frames.values() for value in inside(frame)}
    assert [value for value in AWKWARD if repr(value) not in found] == []
    assert len(frames["working_memory_300_kb"]["prompt"].encode()) == 300_000
    assert len(frames["talk_64_kib"]["text"].encode()) == 64 * 1024
    assert "\u200d" in frames["talk_emoji"]["text"]
    assert "e\u0301" in frames["talk_combining"]["text"]
    assert [depth(frames[name]) for name in ("observe_16_levels", "working_memory_16_levels")] == [16, 16]


def test_the_manifest_tells_what_doubles_can_carry() -> None:
    for entry in GOOD:
        values = inside(decode(message(entry["name"], "msgpack"), "msgpack"))
        integers = [value for value in values if type(value) is int]
        assert entry["doubles"] == all(abs(value) <= 2**53 for value in integers)
        assert entry["whole_floats"] == any(type(value) is float and value == int(value) for value in values)


def inside(value: Any) -> list[Any]:
    """The value and all within it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(each for one in inner for each in inside(one))]


def depth(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max((depth(each) for each in inner), default=0)


# -- frames that must be understood


@pytest.mark.parametrize("name", [entry["name"] for entry in GOOD])
def test_both_formats_carry_the_same_and_are_written_as_they_were_read(name: str) -> None:
    read = {format: decode(message(name, format), format) for format in FORMATS}
    assert repr(read["msgpack"]) == repr(read["json"]), "order, kind of number and -0.0 included"
    for format in FORMATS:
        assert encode(read["msgpack"], format) == message(name, format)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", names("client"))
def test_the_bridge_takes_it(name: str, format: Format) -> None:
    sent = decode(message(name, format), format)
    frame: Any = server(format, greeted=sent["type"] != "hello").receive(message(name, format))
    assert not isinstance(frame, ErrorFrame), frame
    known = {key: value for key, value in sent.items() if key in type(frame).model_fields}
    left_out = {key for key, value in known.items() if value is None or (value == "" and key != "text")}
    assert {key: frame.fields()[key] for key in known.keys() - left_out} == {
        key: known[key] for key in known.keys() - left_out
    }
    assert not left_out & frame.fields().keys()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", names("server"))
def test_a_client_takes_it_and_the_bridge_would_send_the_same_bytes(name: str, format: Format) -> None:
    frame = ClientProtocol(format).receive(message(name, format))
    sent = ServerProtocol(format).send(frame)
    if name.endswith("unknown_fields"):
        whole = decode(message(name, format), format)
        assert encode({key: whole[key] for key in frame.fields()}, format) == sent
    else:
        assert sent == message(name, format)


# -- messages that must be refused


def bad(entry: dict[str, Any]) -> bytes | str:
    return message(f"bad/{entry['file'].rsplit('.', 1)[0]}", entry["format"])


@pytest.mark.parametrize("entry", BAD, ids=lambda entry: entry["file"])
def test_it_is_refused_with_its_code_and_the_connection_goes_on(entry: dict[str, Any]) -> None:
    connection = server(entry["format"], greeted=entry["greeted"])
    answer = connection.receive(bad(entry))
    assert isinstance(answer, ErrorFrame)
    assert (answer.code, answer.re) == (entry["code"], entry["re"])
    assert answer.message
    assert answer.hint
    assert connection.send(answer)
    assert connection.greeted is entry["greeted"]
    assert connection.receive(encode({"type": "ping", "id": 9}, entry["format"])).type == "ping"


@pytest.mark.parametrize("entry", BAD, ids=lambda entry: entry["file"])
def test_decoders_refuse_what_the_manifest_says(entry: dict[str, Any]) -> None:
    if entry["decodes"]:
        assert type(decode(bad(entry), entry["format"])) is dict
        return
    with pytest.raises(FrameInvalid):
        decode(bad(entry), entry["format"])
    with pytest.raises(FrameInvalid):
        ClientProtocol(entry["format"]).receive(bad(entry))
