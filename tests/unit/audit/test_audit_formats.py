"""Every format of an audit record that ever landed is read for ever.

``tests/replays/format1.json`` was recorded by the last version that wrote format 1; it stays as it is.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from npc_memory.audit import FORMAT, Attempt, Audit, prompt_sha256
from npc_memory.errors import InvalidInput
from npc_memory.prompt import Segment

FORMAT_1 = (Path(__file__).parents[2] / "replays" / "format1.json").read_text(encoding="utf-8")


def test_a_record_of_format_1_is_read_with_the_defaults_of_what_is_new() -> None:
    audit = Audit.from_payload(FORMAT_1)
    assert (audit.format, audit.spec, audit.world_seed) == (1, {}, 0)
    assert [one.refused for one in audit.attempts] == ["empty", ""]
    for one in audit.attempts:
        assert (one.released, one.reminder, one.prompt_sha256, one.contradiction) == ("", None, "", None)
    old = json.loads(FORMAT_1)
    assert json.loads(audit.payload()).items() >= {k: v for k, v in old.items() if k != "attempts"}.items()
    for one, kept in zip(json.loads(audit.payload())["attempts"], old["attempts"], strict=True):
        assert one.items() >= kept.items()


@pytest.mark.parametrize("key", sorted(json.loads(FORMAT_1)))
def test_a_record_that_lacks_something_format_1_had_is_refused_or_has_its_default(key: str) -> None:
    data = json.loads(FORMAT_1)
    del data[key]
    has_default = key in {"reply"}
    if has_default:
        assert Audit.from_payload(json.dumps(data)).reply == {}
    else:
        with pytest.raises(InvalidInput, match="not an audit record"):
            Audit.from_payload(json.dumps(data))


@pytest.mark.parametrize("format", [FORMAT + 1, 99])
def test_a_newer_format_is_refused_by_name(format: int) -> None:
    data = {**json.loads(FORMAT_1), "format": format, "something_new": 1}
    with pytest.raises(InvalidInput, match=f"format {format}"):
        Audit.from_payload(json.dumps(data))


def an_attempt() -> Attempt:
    return Attempt(
        seed=2**64 - 1,
        text="The king 🙏",
        tokens=(1, 2**31),
        finish="stop",
        refused="contradiction",
        released="Good evening. ",
        reminder={"id": "fact:king-dead", "text": "King Aldric is dead.", "score": 1.5},
        prompt_sha256="ab",
        contradiction={"claim": "fact:king-dead", "rule": "antonym", "sentence": "He is well.", "matched": "well"},
    )


def test_what_format_2_says_of_an_attempt_comes_back() -> None:
    audit = replace(
        Audit.from_payload(FORMAT_1), attempts=(an_attempt(),), spec={"shape": "line"}, world_seed=7, format=FORMAT
    )
    again = Audit.from_payload(audit.payload())
    assert again == audit
    assert again.payload() == audit.payload()
    set_apart = {field.name for field in fields(Attempt) if getattr(an_attempt(), field.name) != field.default}
    assert set_apart == {field.name for field in fields(Attempt)}, "give each field a value of its own above"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.update(attempts=[{"seed": 1, "tokens": [], "unheard_of": 1}]),
        lambda data: data.update(attempts=7),
        lambda data: data.update(prompt=[["section", False]]),
        lambda data: data.update(format="two"),
        lambda data: data.update(format=None),
    ],
)
def test_what_is_no_record_is_refused(damage: Any) -> None:
    data = json.loads(FORMAT_1)
    damage(data)
    with pytest.raises(InvalidInput, match="not an audit record"):
        Audit.from_payload(json.dumps(data))


def test_the_stored_hash_is_that_of_the_stored_prompt() -> None:
    audit = Audit.from_payload(FORMAT_1)
    assert prompt_sha256([Segment(text, section, control) for section, control, text in audit.prompt]) == (
        audit.prompt_sha256
    )
