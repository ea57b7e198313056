"""An NPC tells another: who hears it remembers who told it, where and when, and it goes back to what happened."""

from __future__ import annotations

import itertools

import pytest
from hearsay_kit import CROWD, WOLF, knows, prompt, saw, tells, together
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from searches import examples

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory.confidence import told


def test_gossip_carries_teller_place_and_time_and_traces_to_a_real_event(mind):
    event = saw(mind)
    mind.clock(mind.game_time + 60)
    telling = tells(mind, "marta", "brann")
    mind.clock(mind.game_time + 2 * 1440)
    assert "Marta told Brann at the Gilded Stag, two days ago:\nA grey wolf bit Pell at the ford.\n" in prompt(
        mind, "brann"
    )
    (belief,) = mind.beliefs("brann")
    assert (belief.teller, belief.place, belief.distance, belief.word) == ("marta", "inn", 1, "believes")
    assert {event, telling} <= set(belief.evidence)
    way = mind.trace(belief.id)
    assert [one.kind for one in way] == ["belief", "episode", "event"]
    assert (way[-1].id, way[-1].text, way[1].npc) == (event, WOLF, "marta")


def test_the_teller_remembers_that_she_told_and_the_hearer_has_no_episode_of_it(mind):
    saw(mind)
    tells(mind, "marta", "brann")
    assert [one.text for one in mind.store.episodes("marta")] == [WOLF, f'Marta said: "{WOLF}"']
    assert mind.store.episodes("brann") == ()


def test_who_saw_it_herself_or_was_told_before_is_not_told_again(mind):
    saw(mind, audience=("marta", "nim"))
    for hearer in ("nim", "brann", "brann"):
        tells(mind, "marta", hearer)
    assert (knows(mind, "nim"), knows(mind, "brann")) == ([], [WOLF])


def test_from_a_surer_source_it_is_believed_more(mind):
    saw(mind)
    tells(mind, "marta", "brann")
    tells(mind, "brann", "jory")
    tells(mind, "marta", "jory")
    (held,) = mind.beliefs("jory")
    assert (held.teller, held.distance, held.confidence) == ("marta", 1, 0.76)
    assert [one.status for one in mind.beliefs("jory", all=True)] == ["deprecated", "held"]


def test_everybody_at_the_place_hears_what_is_told_there(mind):
    mind.actor("brann", place="inn")
    mind.observe("tell", WOLF, place="inn", actor="marta")
    assert knows(mind, "brann") == [WOLF]
    assert knows(mind, "jory") == []


def test_what_the_game_has_told_without_a_source_goes_back_to_that_moment(mind):
    telling = tells(mind, "marta", "brann", data={"confidence": 0.5, "subject": "pell", "slot": "health"})
    (belief,) = mind.beliefs("brann")
    assert (belief.confidence, belief.subject, belief.slot) == (0.4, "pell", "health")
    assert [one.id for one in mind.trace(belief.id)] == [belief.id, telling]


def test_a_memory_can_be_named_and_told_in_other_words(mind):
    event = saw(mind)
    (episode,) = mind.store.episodes("marta")
    tells(mind, "marta", "brann", "Pell was bitten!", data={"source": episode.id})
    (belief,) = mind.beliefs("brann")
    assert [one.id for one in mind.trace(belief.id)] == [belief.id, episode.id, event]
    for wrong, error in (("e99999999", UnknownId), ("x", UnknownId), (belief.id, InvalidInput)):
        with pytest.raises(error):
            tells(mind, "marta", "jory", data={"source": wrong})
    assert knows(mind, "jory") == []


def test_a_player_who_tells_makes_nobody_believe(mind):
    mind.observe("tell", WOLF, place="inn", actor="p1", target="marta", audience=[])
    assert knows(mind, "marta") == []
    assert [one.text for one in mind.store.episodes("marta")] == [WOLF]


def test_a_corrected_story_corrects_what_was_told(mind):
    told_of = {"subject": "osric", "slot": "home"}
    tells(mind, "marta", "brann", "Osric lives in Highmoor.", data=told_of)
    mind.clock(mind.game_time + 60)
    tells(mind, "marta", "brann", "Osric moved to Ford.", data=told_of)
    assert knows(mind, "brann") == ["Osric moved to Ford."]


def test_a_rumour_that_was_long_on_its_way_does_not_replace_fresher_news(mind):
    told_of = {"subject": "osric", "slot": "home"}
    mind.believe("marta", "Osric lives in Highmoor.", **told_of)
    mind.clock(mind.game_time + 600)
    mind.believe("brann", "Osric moved to Ford.", **told_of)
    mind.clock(mind.game_time + 600)
    tells(mind, "marta", "brann", "Osric lives in Highmoor.")
    assert knows(mind, "brann") == ["Osric moved to Ford."]
    assert [one.status for one in mind.beliefs("brann", all=True)] == ["held", "deprecated"]
    tells(mind, "brann", "marta", "Osric moved to Ford.")
    assert knows(mind, "marta") == ["Osric moved to Ford."]


def test_what_canon_denies_is_told_and_not_believed(mind):
    tells(mind, "marta", "brann", "King Aldric is alive.")
    assert knows(mind, "brann") == []
    assert [one.status for one in mind.beliefs("brann", all=True)] == ["contradicted"]
    assert "is alive" not in prompt(mind, "brann", "Is the king alive?").replace("Is the king alive?", "")
    mind.actor("jory", place="inn")
    mind.actor("brann", place="inn")
    mind.gossip("inn")
    assert "King Aldric is alive." not in [one.text for one in mind.beliefs("jory", all=True)]


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(CROWD), st.integers(1, len(CROWD) - 1))
def test_confidence_falls_with_every_mouth(mind, order, length):
    mind.load("begin")
    event = saw(mind, audience=(order[0],))
    for teller, hearer in itertools.pairwise(order[: length + 1]):
        tells(mind, teller, hearer)
    sure = 0.95
    for distance, npc in enumerate(order[1 : length + 1], start=1):
        (belief,) = mind.beliefs(npc)
        assert belief.distance == distance
        assert belief.confidence == told(sure) < sure
        assert mind.trace(belief.id)[-1].id == event
        sure = belief.confidence


# -- loads, edits, forgetting, aliases ---------------------------------------------------------------------------------


def test_a_load_forgets_what_was_told_after(mind):
    saw(mind)
    mind.save("before")
    tells(mind, "marta", "brann")
    mind.save("after")
    mind.load("before")
    assert knows(mind, "brann") == []
    assert tells(mind, "marta", "brann")
    assert knows(mind, "brann") == [WOLF]
    mind.load("after")
    assert len(mind.beliefs("brann", all=True)) == 1


def test_a_forgotten_player_is_gone_from_the_whole_chain(mind):
    saw(mind, "Quixotian stole a silver spoon.", audience=("marta", "nim"), actor="quixotian")
    together(mind, "marta", "brann")
    mind.gossip("inn")
    together(mind, "brann", "jory")
    mind.clock(mind.game_time + 60)
    mind.gossip("inn")
    assert knows(mind, "jory") == ["Quixotian stole a silver spoon."]
    mind.forget("quixotian")
    assert all(mind.beliefs(npc, all=True) == () for npc in CROWD)


def test_an_event_that_is_erased_takes_its_rumours_along(mind):
    event = saw(mind)
    tells(mind, "marta", "brann")
    tells(mind, "brann", "jory")
    mind.erase([event])
    assert [mind.beliefs(npc, all=True) for npc in CROWD] == [()] * len(CROWD)


def test_an_alias_tells_and_hears_as_the_one_it_stands_for(mind):
    saw(mind)
    mind.actor("landlady", alias_of="marta")
    mind.actor("smith", alias_of="brann")
    tells(mind, "landlady", "smith")
    (belief,) = mind.beliefs("smith")
    assert (belief.npc, belief.teller) == ("brann", "marta")
    tells(mind, "marta", "brann")
    assert len(mind.beliefs("brann", all=True)) == 1


def test_the_past_of_a_rumour_can_be_asked(mind):
    saw(mind)
    before = mind.store.newest_seq()
    tells(mind, "marta", "brann")
    assert mind.beliefs("brann", at=before) == ()
    assert len(mind.beliefs("brann", at=mind.store.newest_seq())) == 1
