"""Somebody else has an id now: what is passed on or held again of the one before never becomes hers."""

from __future__ import annotations

import pytest
from scenario_kit import open_mind

from npc_memory.mind import Mind


@pytest.fixture
def mind():
    with open_mind() as one:
        one.actor("p1", name="Rolf")
        yield one


def newest(mind: Mind, npc: str):
    return mind.beliefs(npc)[-1]


def test_who_hears_of_an_event_does_not_take_it_for_the_new_ones(mind):
    data = {"subject": "p1", "triples": [["p1", "belongs_to", "thieves"], ["edda", "knows", "wren"]]}
    mind.observe("theft", "A guest stole a spoon.", actor="p1", audience=["marta", "brann"], data=data)
    mind.actor("p1", reborn=True, name="Anna")
    mind.gossip(npcs=["brann", "edda"])
    assert (newest(mind, "edda").text, newest(mind, "edda").subject) == ("A guest stole a spoon.", "")
    assert [(one.subject, one.object) for one in mind.triples("edda")] == [("edda", "wren")]
    with mind.working_memory("edda", "p1", "I am Anna. thieves spoon") as memory:
        assert "Anna belongs" not in memory.text()


def thinks_him_a_murderer(mind: Mind) -> None:
    """As everyone may hear: she saw what she has it from."""
    saw = mind.observe("oddity", "The guest has a knife.", audience=["marta"])
    mind.believe("marta", "The guest murdered the miller.", subject="p1", evidence=[saw])


def hears_of_a_murderer(mind: Mind, npc: str) -> str:
    """Of whom, by id."""
    mind.gossip(npcs=["marta", npc])
    (heard,) = [one for one in mind.beliefs(npc) if "miller" in one.text]
    return heard.subject


def test_who_hears_of_a_belief_does_not_take_it_for_the_new_ones(mind):
    thinks_him_a_murderer(mind)
    assert hears_of_a_murderer(mind, "brann") == "p1"
    mind.actor("p1", reborn=True, name="Anna")
    assert hears_of_a_murderer(mind, "wren") == ""


def test_a_belief_that_is_held_again_is_not_of_the_new_one(mind):
    mind.believe("marta", "The guest is a thief.", subject="p1", slot="trade", value="thief")
    said = mind.talk("marta", "p2", "He is a baker.").turn
    about = {"subject": "p1", "slot": "trade", "value": "baker", "confidence": 0.9}
    mind.believe("marta", "The guest is a baker.", evidence=[said], **about)
    mind.actor("p1", reborn=True, name="Anna")
    mind.delete(said)
    assert (newest(mind, "marta").text, newest(mind, "marta").subject) == ("The guest is a thief.", "")


def test_who_has_another_id_left_is_still_the_one_it_is_told_of(mind):
    mind.actor("p9", alias_of="p1")
    thinks_him_a_murderer(mind)
    mind.actor("p1", reborn=True, name="Anna")
    assert hears_of_a_murderer(mind, "wren") == "p9"
