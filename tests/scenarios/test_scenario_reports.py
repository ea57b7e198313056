"""What the game reports reaches those who perceived it, once, and nobody else's game."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from scenario_kit import line, open_mind

from npc_memory.errors import InvalidInput, TextTooLong
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Answer, Cancellation, Mind
from npc_memory.recall.importance import IMPORTANCE, ORDINARY

THEFT = "The traveller took a loaf from the counter."


def remembers(mind: Mind, text: str = THEFT) -> set[str]:
    return {npc for npc in mind.world.npcs if any(one.text == text for one in mind.store.episodes(npc))}


def at(mind: Mind, place: str) -> set[str]:
    return {npc.id for npc in mind.world.npcs.values() if npc.place == place}


# -- events


def test_those_at_the_place_remember_and_nobody_else() -> None:
    with open_mind() as mind:
        place = mind.world.npc("marta").place
        mind.observe("theft", THEFT, place=place, actor="p1")
        assert remembers(mind) == at(mind, place)
        assert "marta" in remembers(mind) < set(mind.world.npcs)


def test_a_named_audience_is_the_audience() -> None:
    with open_mind() as mind:
        mind.observe("theft", THEFT, place=mind.world.npc("marta").place, actor="p1", audience=["wren", "p2"])
        assert remembers(mind) == {"wren"}
        mind.observe("theft", "Nobody saw it.", place=mind.world.npc("marta").place, actor="p1", audience=[])
        assert remembers(mind, "Nobody saw it.") == set()


def test_who_acts_and_whom_it_is_done_to_remember_wherever_they_are() -> None:
    with open_mind() as mind:
        mind.observe("gift", THEFT, actor="brann", target="edda")
        assert remembers(mind) == {"brann", "edda"}
        mind.observe("gift", "p1 gave a ring.", actor="p1", target="edda")
        assert remembers(mind, "p1 gave a ring.") == {"edda"}


def test_an_event_happens_where_its_actor_was_last_said_to_be() -> None:
    with open_mind() as mind:
        place = mind.world.npc("brann").place
        mind.actor("p1", place=place)
        mind.observe("theft", THEFT, actor="p1")
        assert remembers(mind) == at(mind, place)


def test_who_has_moved_away_does_not_see_it() -> None:
    with open_mind() as mind:
        inn = mind.world.npc("marta").place
        mind.actor("marta", place=mind.world.npc("brann").place)
        mind.observe("theft", THEFT, place=inn, actor="p1")
        assert "marta" not in remembers(mind)


def test_an_event_is_recalled_in_talk_and_its_data_is_not_shown() -> None:
    with open_mind() as mind:
        event = mind.observe("theft", THEFT, actor="p1", target="marta", importance=0.9, data={"loot": {"gp": 0.1}})
        text = mind.working_memory("marta", "p1", "Who took the loaf?").text()
        assert THEFT in text
        assert "loot" not in text
        stored = mind.store.event(event)
        assert (stored.text, stored.kind, stored.importance) == (THEFT, "theft", 0.9)
        assert stored.data == {"loot": {"gp": 0.1}}
        assert mind.store.episodes("marta")[-1].provenance == (event,)


def test_an_event_the_game_does_not_rate_weighs_what_it_is_about() -> None:
    with open_mind() as mind:
        mind.observe("weather", "It rains.", target="marta")
        mind.observe("theft", THEFT, target="marta")
        mind.observe("note", THEFT, target="marta", importance=0.0)
        weights = [one.importance for one in mind.store.episodes("marta")]
        assert weights == [ORDINARY, IMPORTANCE["harm"], 0.0]


def test_a_refused_event_leaves_nothing() -> None:
    with open_mind() as mind:
        before = mind.store.newest_seq()
        with pytest.raises(TextTooLong):
            mind.observe("theft", "x" * 65_537, target="marta", key="k")
        with pytest.raises(InvalidInput):
            mind.observe("", THEFT, target="marta", key="k")
        with pytest.raises(InvalidInput):
            mind.observe("theft", THEFT, target="marta", importance=1.5, key="k")
        assert mind.store.newest_seq() == before
        assert mind.observe("theft", THEFT, target="marta", key="k")


# -- keys


def test_the_same_key_gives_the_same_event() -> None:
    with open_mind() as mind:
        first = mind.observe("theft", THEFT, target="marta", key="k1")
        assert mind.observe("theft", THEFT, target="marta", key="k1") == first
        assert mind.observe("theft", THEFT, target="marta", key="k2") != first
        assert [one.text for one in mind.store.episodes("marta")] == [THEFT, THEFT]


def test_the_same_key_gives_the_same_answer_after_a_restart_too(tmp_path: Path) -> None:
    file = tmp_path / "world.sqlite3"
    heard: list[str] = []
    with open_mind(file) as mind:
        first = mind.talk("marta", "p1", "Good evening.", key="k1")
        mind.talk("marta", "p1", "And another thing.")
    with open_mind(file) as mind:
        before = mind.store.newest_seq()
        again = mind.talk("marta", "p1", "Good evening.", key="k1", on_text=heard.append)
        assert again == first
        assert heard == [first.say]
        assert mind.store.newest_seq() == before


def test_a_key_belongs_to_one_kind_of_request() -> None:
    with open_mind() as mind:
        mind.observe("theft", THEFT, target="marta", key="k1")
        with pytest.raises(InvalidInput, match="k1"):
            mind.talk("marta", "p1", "Good evening.", key="k1")
        assert mind.store.turns("marta") == ()


def test_an_interrupted_reply_leaves_its_key_unused() -> None:
    with open_mind() as mind:
        cancelled = Cancellation()
        cancelled.cancel()
        broken = mind.talk("marta", "p1", "Good evening.", key="k1", cancellation=cancelled)
        whole = mind.talk("marta", "p1", "Good evening.", key="k1")
        assert broken.interrupted
        assert not whole.interrupted
        assert whole.say


def test_two_who_come_with_one_key_at_once_get_one_answer() -> None:
    with open_mind(engine=ScriptedEngine(["Aye, friend.", "No, friend."], format=line)) as mind:
        got: list[Answer] = []

        def ask() -> None:
            got.append(mind.talk("marta", "p1", "Good evening.", key="k1"))

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got[0] == got[1]
        assert len(mind.store.turns("marta")) == 2


def test_the_snapshot_is_taken_before_on_heard_and_not_after() -> None:
    with open_mind() as mind:

        def shut() -> None:
            mind.set_state({"north_gate": "closed"})

        mind.set_state({"north_gate": "open"})
        answer = mind.talk("marta", "p1", "May I leave?", on_heard=shut)
        prompt = "".join(text for _, _, text in mind.explain(answer.audit).prompt)
        gate = mind.world.state_keys["north_gate"]
        assert gate.entry("open").words() in prompt
        assert gate.entry("closed").words() not in prompt
        assert dict(mind.store.state())[("", "north_gate")] == "closed"


# -- owners


def test_what_one_owner_lives_through_another_does_not_know(tmp_path: Path) -> None:
    file = tmp_path / "world.sqlite3"
    with open_mind(file) as mind:
        other = mind.for_owner("ada")
        assert mind.for_owner("ada") is other
        assert other.for_owner("") is mind
        mind.talk("marta", "p1", "My name is Quillon.", key="k1")
        mind.set_state({"curfew": True})
        mind.observe("theft", THEFT, target="marta", key="e1")
        other.clock(mind.game_time + 600)
        assert other.store.turns("marta") == ()
        assert other.store.episodes("marta") == ()
        assert "Quillon" not in other.working_memory("marta", "p1", "Who am I?").text()
        assert dict(other.store.state()).get(("", "curfew")) is None
        mine = other.talk("marta", "p1", "Who am I?", key="k1")
        assert mine.player == "p1"
        assert mine.turn != mind.talk("marta", "p1", "My name is Quillon.", key="k1").turn
        assert mind.game_time != other.game_time
    with open_mind(file) as mind:
        assert mind.for_owner("ada").store.turns("marta")[0].text == "Who am I?"
        assert mind.store.turns("marta")[0].text == "My name is Quillon."


def test_two_owners_are_answered_at_the_same_time() -> None:
    with open_mind() as mind:
        other = mind.for_owner("ada")
        said: list[str] = []

        def meanwhile(_: str) -> None:
            if not said:
                said.append(other.talk("marta", "p1", "And you?").say)

        mind.talk("marta", "p1", "Good evening.", on_text=meanwhile)
        assert said[0]
