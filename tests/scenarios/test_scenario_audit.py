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
from npc_memory.recordings import open_recording


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


def test_recorded_replies_are_found_under_every_id_of_the_two_and_not_under_what_an_id_meant_before(tmp_path) -> None:
    file = tmp_path / "w.sqlite3"

    def of(view, **whose):
        assert [one.id for one in view.audits(**whose)] == list(view.audit_ids(**whose))
        return [one.id for one in view.audits(**whose)]

    with open_mind(file) as mind:
        first = mind.talk("marta", "guest-7", "I am guest seven.").audit
        other = mind.talk("marta", "rolf", "I am Rolf.").audit
        past = mind.store.newest_seq()
        mind.actor("guest-7", alias_of="rolf")
        mind.actor("innkeeper", alias_of="marta")
        third = mind.talk("innkeeper", "guest-7", "So we are one.").audit
        for player in ("rolf", "guest-7"):
            for npc in ("marta", "innkeeper"):
                assert of(mind.store, npc=npc, player=player) == [first, other, third]
                assert of(mind.store, npc=npc, player=player, limit=2) == [other, third]
        assert of(mind.store.at(past), player="rolf") == [other], "not yet"
        mind.actor("guest-7", reborn=True)
        assert of(mind.store, player="guest-7") == []
        fourth = mind.talk("marta", "guest-7", "I am a new one.").audit
        assert of(mind.store, player="guest-7", limit=1) == of(mind.store, player="guest-7") == [fourth]
        assert of(mind.store, player="rolf") == [first, other, third]
        assert of(mind.store, player="rolf", limit=1) == [third], "the newest is somebody else's"
        assert of(mind.store) == of(mind.store, npc="marta") == [first, other, third, fourth]
        assert of(mind.store, npc="edda") == of(mind.store, limit=0) == []
    with open_recording(file, npc="innkeeper", player="guest-7") as recording:
        assert recording.ids == (fourth,)
