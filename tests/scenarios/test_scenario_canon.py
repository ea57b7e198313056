"""Nothing canonical is ever lost, and nothing is written that would not fit (promise P1)."""

from __future__ import annotations

import pytest
from scenario_kit import SMALL_TALK, open_mind

from npc_memory.errors import InvalidInput, MandatoryOverflow
from npc_memory.mind import Mind


def prompt_of(mind: Mind, audit: str) -> str:
    return "".join(text for _, _, text in mind.explain(audit).prompt)


def must_know(mind: Mind, npc: str) -> list[str]:
    state = mind.store.state()
    facts = [fact.text for fact in mind.world.facts_for(npc, state)]
    return facts + [entry.words() for entry in mind.world.state_for(npc, state)]


def test_after_300_turns_every_fact_is_still_there() -> None:
    with open_mind() as mind:
        for n in range(150):
            answer = mind.talk("marta", "rolf", f"{SMALL_TALK[n % len(SMALL_TALK)]} ({n})")
        prompt = prompt_of(mind, answer.audit)
        assert len(mind.store.turns("marta")) == 300
        assert "King Aldric is dead." in prompt
        missing = [text for text in must_know(mind, "marta") if text not in prompt]
        assert missing == []
        report = mind.explain(answer.audit).report
        assert report["total"] <= report["limit"]


@pytest.mark.parametrize("world", ["emberfall", "perigee"])
def test_every_npc_is_told_every_fact_she_knows_and_no_secret_she_does_not(world: str) -> None:
    with open_mind(world=world) as mind:
        for npc in mind.world.npcs:
            with mind.working_memory(npc, "rolf", "x" * 50_000) as memory:
                missing = [text for text in must_know(mind, npc) if text not in memory.text()]
                assert missing == []
                leaked = [f.id for f in mind.world.secrets_not_known_by(npc) if f.text in memory.text()]
                assert leaked == []


def test_a_fact_with_a_condition_appears_the_moment_the_state_says_so() -> None:
    fact = "The council now admits that the king was poisoned."
    with open_mind() as mind:
        with mind.working_memory("marta", "rolf", "News?") as memory:
            assert fact not in memory.text()
        mind.set_state({"chapter": 2})
        with mind.working_memory("marta", "rolf", "News?") as memory:
            assert fact in memory.text()
            assert "The council says that the king's heart failed." not in memory.text()


def test_state_that_would_not_fit_is_refused_when_it_is_written() -> None:
    with open_mind() as mind:
        before = dict(mind.store.state())
        with pytest.raises(MandatoryOverflow) as caught:
            mind.set_state({"north_bridge": "burned", "proclamation": "hear ye " * 1250})
        assert caught.value.details["npc"] in mind.world.npcs
        assert caught.value.parts["world_state"] > caught.value.limit // 2
        assert dict(mind.store.state()) == before
        assert not mind.talk("marta", "rolf", "Good evening.").fallback


def test_state_for_one_npc_is_checked_for_that_npc() -> None:
    with open_mind() as mind:
        with pytest.raises(MandatoryOverflow) as caught:
            mind.set_state({"diary": "dear diary " * 1000}, scope="npc:brann")
        assert caught.value.details["npc"] == "brann"


@pytest.mark.parametrize("value", [1.5, 2**63, None.__class__, ["list"], {"a": 1}, b"bytes"])
def test_state_of_a_wrong_kind_is_refused(value: object) -> None:
    with open_mind() as mind:
        with pytest.raises(InvalidInput):
            mind.set_state({"mood": value})  # type: ignore[dict-item]
        assert ("", "mood") not in mind.store.state()


def test_a_pack_whose_facts_do_not_fit_is_refused_when_it_is_opened() -> None:
    with pytest.raises(MandatoryOverflow):
        open_mind(n_ctx=500)


def test_while_nothing_is_trimmed_the_prompt_only_grows_at_its_tail() -> None:
    with open_mind() as mind:
        for n in range(3):
            mind.talk("marta", "rolf", f"Line {n}.")
        with mind.working_memory("marta", "rolf", "Next.") as memory:
            before = list(memory.segments)
        mind.talk("marta", "rolf", "Line 3.")
        with mind.working_memory("marta", "rolf", "Next.") as memory:
            after = list(memory.segments)
        common = next(i for i, (a, b) in enumerate(zip(before, after, strict=False)) if str(a) != str(b))
        assert before[common].section == "volatile_state"
        assert all(segment.section != "dialogue" for segment in before[common:])


def test_a_value_the_pack_does_not_declare_is_refused() -> None:
    with open_mind() as mind:
        with pytest.raises(InvalidInput) as caught:
            mind.set_state({"north_bridge": "purple"})
        assert "rebuilt" in caught.value.hint
        mind.set_state({"north_bridge": "rebuilt", "dragon": "seen"})
        mind.set_state({"north_bridge": None})
        with mind.working_memory("marta", "rolf", "News?") as memory:
            assert "The north bridge is burned" in memory.text()
            assert "dragon: seen" in memory.text()
