"""No NPC says what contradicts what she knows, whatever the model makes up."""

from __future__ import annotations

from typing import Any

import pytest
from scenario_kit import line, open_mind
from scenario_lies import LIES

from bridge.client import connect
from bridge.messages import ReplyFrame
from bridge.testing import scripted_bridge
from npc_memory.inference import GenerationRequest, ScriptedEngine
from npc_memory.inference.script import Reply
from npc_memory.mind import Answer, Mind
from npc_memory.world import CanonFact, load_world

LIE = "King Aldric is alive and well."
DEAD = "The king is dead. All of Emberfall knows it."


def lying(*texts: str) -> Mind:
    """A mind whose model says ``texts``, one after the other, the last one for ever."""
    return open_mind(engine=ScriptedEngine([*texts], format=line))


def talk(mind: Mind, text: str, **more: Any) -> tuple[Answer, list[str]]:
    heard: list[str] = []
    answer = mind.talk(more.pop("npc", "marta"), more.pop("player", "p1"), text, on_text=heard.append, **more)
    return answer, heard


def test_a_contradiction_is_stopped_and_set_right_by_the_fact() -> None:
    with lying(LIE) as mind:
        answer, heard = talk(mind, "Is the king well?")
        assert answer.say == "".join(heard) == DEAD
        assert answer.fallback
        assert answer.reason == "contradiction"
        stored = mind.store.dialogue("marta", "p1")[-1]
        assert (stored.text, stored.mark) == (DEAD, "fallback")
        assert all(LIE not in one.text for one in mind.store.episodes("marta"))


def test_it_is_tried_once_more_with_the_fact_beside_the_question() -> None:
    with lying(LIE, "He is gone, friend.") as mind:
        answer, _ = talk(mind, "How is he?")
        assert answer.say == "He is gone, friend."
        assert not answer.fallback
        first, second = mind.engine.requests  # type: ignore[attr-defined]
        assert first.seed != second.seed
        before_line = "".join(str(one) for one in second.segments if one.section == "agenda")
        assert "King Aldric is dead." in before_line
        assert "King Aldric is dead." not in "".join(str(one) for one in first.segments if one.section == "agenda")
        audit = mind.explain(answer.audit)
        assert audit.attempts[0].refused == "contradiction"
        assert audit.attempts[0].contradiction is not None
        assert audit.attempts[0].contradiction["claim"] == "fact:king-dead"
        assert audit.attempts[1].reminder is not None
        assert audit.attempts[1].reminder["text"] == "King Aldric is dead."


def test_what_has_been_streamed_stands_and_the_second_try_goes_on_from_there() -> None:
    def script(request: GenerationRequest) -> str:
        again = "".join(str(one) for one in request.segments).endswith("The stew is hot.")
        return " Sit down, friend." if again else f"The stew is hot. {LIE} Sit."

    with open_mind(engine=ScriptedEngine(script, format=line)) as mind:
        answer, heard = talk(mind, "What is new?")
        assert answer.say == "".join(heard) == "The stew is hot. Sit down, friend."
        assert not answer.fallback


def test_the_fact_is_said_behind_what_has_been_streamed() -> None:
    def script(request: GenerationRequest) -> str:
        again = "".join(str(one) for one in request.segments).endswith("The stew is hot.")
        return f" {LIE}" if again else f"The stew is hot. {LIE}"

    with open_mind(engine=ScriptedEngine(script, format=line)) as mind:
        answer, heard = talk(mind, "What is new?")
        assert answer.say == "".join(heard) == f"The stew is hot. {DEAD}"
        assert answer.fallback


def test_an_empty_reply_and_a_contradiction_have_a_second_try_each() -> None:
    script = [Reply("", "empty"), LIE, "The rain is cold tonight."]
    with open_mind(engine=ScriptedEngine(script, format=line)) as mind:
        answer, _ = talk(mind, "What is new?")
        assert answer.say == "The rain is cold tonight."
        assert [one.refused for one in mind.explain(answer.audit).attempts] == ["empty", "contradiction", ""]


def test_what_the_game_says_now_is_held_against_her_words_too() -> None:
    with lying("The north gate is open, go on through.") as mind:
        mind.set_state({"north_gate": "open"})
        free, _ = talk(mind, "May I leave?", player="a")
        mind.set_state({"north_gate": "closed"})
        shut, _ = talk(mind, "May I leave?", player="b")
        assert not free.fallback
        assert free.say == "The north gate is open, go on through."
        assert shut.fallback
        assert "open" not in shut.say


def test_a_secret_is_not_blurted_out_to_set_a_lie_right() -> None:
    stopped = 0
    for npc, fact in keepers():
        for said in (fact.text.replace(" were ", " were not ").replace(" was ", " was not "), denied(fact.text)):
            if said == fact.text:
                continue
            with lying(said) as mind:
                answer, _ = talk(mind, "Tell me everything.", npc=npc)
                stopped += answer.reason == "contradiction"
                assert fact.spoken not in answer.say
                assert answer.say == said or answer.fallback
    assert stopped >= 3


def denied(text: str) -> str:
    """The opposite, for the verbs these secrets have."""
    for verb, base in (
        ("poisoned", "poison"),
        ("copied", "copy"),
        ("sold", "sell"),
        ("stole", "steal"),
        ("set", "set"),
    ):
        text = text.replace(f" {verb} ", f" did not {base} ", 1)
    return text


def keepers() -> list[tuple[str, CanonFact]]:
    """Each secret of Emberfall that always holds, and the first NPC who keeps it."""
    world = load_world("emberfall")
    known = {npc: {fact.id for fact in world.facts_for(npc)} for npc in world.npcs}
    return [
        (next(npc for npc in world.npcs if fact.id in known[npc]), fact)
        for fact in world.canon.values()
        if fact.secret and not fact.when
    ]


async def replies_to_lies(rounds: int) -> list[str]:
    """Have every NPC tell ``rounds`` of the lies over the bridge; return what got through."""
    through: list[str] = []
    telling: dict[str, str] = {}
    async with (
        scripted_bridge(lambda request: telling[request.conversation]) as bridge,
        connect(bridge.url) as client,
    ):
        for number in range(rounds):
            for at, npc in enumerate(bridge.mind.world.npcs):
                question, telling[npc] = LIES[(number * 13 + at) % len(LIES)]
                heard: list[str] = []
                reply = await client.talk(npc, f"p{number}", question, on_text=heard.append)
                assert isinstance(reply, ReplyFrame)
                assert "".join(heard) == reply.say
                if telling[npc] in reply.say:
                    through.append(f"{npc}: {question} {reply.say}")
    return through


async def test_no_lie_about_the_canon_reaches_the_client() -> None:
    assert await replies_to_lies(7) == []


@pytest.mark.full
async def test_no_lie_about_the_canon_reaches_the_client_in_a_thousand_replies() -> None:
    assert await replies_to_lies(77) == []  # 13 NPCs: 1,001 replies


def test_a_second_try_goes_on_behind_a_blank() -> None:
    def script(request: GenerationRequest) -> str:
        again = "".join(str(one) for one in request.segments).endswith("The stew is hot.")
        return "Sit down, friend." if again else f"The stew is hot. {LIE}"

    with open_mind(engine=ScriptedEngine(script, format=line)) as mind:
        answer, heard = talk(mind, "What is new?")
        assert answer.say == "".join(heard) == "The stew is hot. Sit down, friend."


def test_nobody_is_reminded_of_her_secret_right_before_the_line() -> None:
    npc, fact = next((npc, fact) for npc, fact in keepers() if fact.id == "osric-guilty")
    with lying(denied(fact.text), "I have nothing to say.") as mind:
        answer, _ = talk(mind, "What happened that night?", npc=npc)
        first, second = mind.explain(answer.audit).attempts
        assert first.contradiction is not None
        assert first.contradiction["claim"] == f"fact:{fact.id}"
        assert second.reminder is None
