"""docs/wire.md is made from the models, and says of each frame what a client must know."""

from __future__ import annotations

import re

import pytest

from bridge.messages import ClientFrame, ServerFrame
from npc_memory.errors import all_codes
from tools import wire_page

TEXT = wire_page.PAGE.read_text(encoding="utf-8")


def section(frame: str) -> str:
    return TEXT.split(f"\n### {frame}\n")[1].split("\n### ")[0].split("\n## ")[0]


def frames(union: object) -> dict[str, set[str]]:
    members = union.__args__[0].__args__  # type: ignore[attr-defined]
    return {model.model_fields["type"].default: set(model.model_fields) for model in members}


def test_the_page_is_current() -> None:
    assert wire_page.page() == TEXT, "run `python -m tools.wire_page` and read what changed"


@pytest.mark.parametrize(("frame", "fields"), [*frames(ClientFrame).items(), *frames(ServerFrame).items()])
def test_every_field_of_every_frame_is_listed(frame: str, fields: set[str]) -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", section(frame), re.MULTILINE))
    assert fields - {"type", "id", "re"} <= listed <= fields


def test_every_answer_is_a_frame() -> None:
    assert set(wire_page.ANSWERS) == set(frames(ClientFrame))
    for answer in wire_page.ANSWERS.values():
        first = re.findall(r"`(\w+)`", answer)[0]
        assert first in frames(ServerFrame)


def test_what_is_not_served_yet_says_so() -> None:
    unserved = {frame for frame in frames(ClientFrame) if "not_available" in section(frame)}
    assert {
        "hello",
        "talk",
        "converse",
        "warm",
        "cancel",
        "ping",
        "observe",
        "set_state",
        "actor",
        "clock",
        "end",
        "explain",
    }.isdisjoint(unserved)
    assert unserved <= {
        "think",
        "retry",
        "edit",
        "delete",
        "save",
        "load",
    }


def test_every_code_links_to_its_page() -> None:
    linked = re.findall(r"\[`(\w+)`\]\(errors/(\w+)\.md\)", TEXT)
    assert all(code == page for code, page in linked)
    ours = {code for code, error in all_codes().items() if error.__module__.startswith("npc_memory.errors.")}
    assert ours - {code for code, _ in linked} == wire_page.FAMILIES


def test_the_limits_are_those_of_the_code() -> None:
    for limit in ("65,536 bytes", "1 to 200 characters", "1,048,576 bytes", "16 levels", "ws://127.0.0.1:8765"):
        assert limit in TEXT


@pytest.mark.parametrize(
    ("frame", "row"),
    [
        ("talk", "| `npc` | id |"),
        ("talk", "| `stream` | boolean (optional, else true) |"),
        ("talk", "| `audience` | list of id (optional) |"),
        ("observe", "| `importance` | number, 0 to 1 (optional) |"),
        ("set_state", "| `entries` | map of text, integer, boolean or null, at least 1 |"),
        ("converse", "| `npcs` | list of id, 2 |"),
        ("reply", "| `action` | map of `id` text, `name` text, `args` map, `label` text (optional) |"),
        ("error", "| `re` | integer (optional) |"),
        ("cancel", "| `request` | integer |"),
    ],
)
def test_types_are_told_in_words(frame: str, row: str) -> None:
    assert row in section(frame).splitlines()
