"""The black box of a reply: what goes in comes out, canonically."""

from __future__ import annotations

import json

import pytest
from scenario_kit import open_mind

from npc_memory import Snapshot
from npc_memory.audit import Audit, prompt_sha256
from npc_memory.errors import InvalidInput
from npc_memory.memory.codec import canonical_json, snapshot_from_data, snapshot_to_data
from npc_memory.prompt import Segment


def a_payload() -> str:
    with open_mind() as mind:
        mind.actor("勇者", name="Élise")
        answer = mind.talk("marta", "勇者", "Is the king well? \ud800🙏")
        return mind.store.audit(answer.audit).payload


def test_a_payload_comes_back_as_it_was() -> None:
    payload = a_payload()
    audit = Audit.from_payload(payload)
    assert audit.payload() == payload
    assert audit.reply["say"]
    assert payload == canonical_json(json.loads(payload))


def test_the_prompt_can_be_built_again_from_the_recorded_snapshot() -> None:
    with open_mind() as mind:
        mind.talk("marta", "rolf", "Good evening.")
        mind.set_state({"weather": "snow"})
        answer = mind.talk("marta", "rolf", "Is the king well?")
        audit = mind.explain(answer.audit)
        snapshot = snapshot_from_data(audit.snapshot)
        with mind.builder.build(snapshot) as memory:
            assert prompt_sha256(memory.segments) == audit.prompt_sha256
            assert [s.text for s in memory.segments] == [text for _, _, text in audit.prompt]


def test_a_snapshot_survives_json() -> None:
    with open_mind() as mind:
        mind.talk("marta", "rolf", "Good evening.")
        answer = mind.talk("marta", "rolf", "Is the king well?")
        data = mind.explain(answer.audit).snapshot
    snapshot = snapshot_from_data(data)
    assert isinstance(snapshot, Snapshot)
    assert snapshot_from_data(json.loads(canonical_json(snapshot_to_data(snapshot)))) == snapshot


@pytest.mark.parametrize(
    "data", [{}, {"npc": 1}, {"npc": "a", "persona": "", "player": "b", "player_line": "", "x": 1}]
)
def test_data_that_is_no_snapshot_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        snapshot_from_data(data)


@pytest.mark.parametrize("damage", ["", "{}", "[]", "null", '{"format": 99}'])
def test_a_damaged_or_newer_record_is_refused(damage: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Audit.from_payload(damage)
    assert caught.value.hint


def test_the_prompts_hash_tells_segments_and_control_apart() -> None:
    whole = prompt_sha256([Segment("ab", "x")])
    assert prompt_sha256([Segment("a", "x"), Segment("b", "x")]) != whole
    assert prompt_sha256([Segment("ab", "x", True)]) != whole
    assert prompt_sha256([Segment("ab", "other")]) == whole
