"""Whatever a game hands in by mistake is refused as its mistake: nothing is stored, and the store stays as it was."""

from __future__ import annotations

import pytest
from scenario_kit import open_mind

from npc_memory.errors import InvalidInput


@pytest.fixture(scope="module")
def mind():
    with open_mind() as one:
        yield one


def refused(mind, call) -> None:
    """``call`` is InvalidInput with a hint, writes nothing and leaves the store writable."""
    before = mind.store.newest_seq()
    with pytest.raises(InvalidInput) as caught:
        call(mind)
    assert caught.value.hint
    assert mind.store.newest_seq() == before
    mind.clock(mind.game_time)


KEYED = {
    "believe": lambda mind, key: mind.believe("marta", "The well is dry.", key=key),
    "relate": lambda mind, key: mind.relate("marta", "p1", trust=1, key=key),
    "triple": lambda mind, key: mind.triple("osric", "lives_in", "ford", key=key),
    "observe": lambda mind, key: mind.observe("theft", "A spoon is gone.", audience=["marta"], key=key),
    "gossip": lambda mind, key: mind.gossip(npcs=["marta", "brann"], key=key),
    "talk": lambda mind, key: mind.talk("marta", "p1", "Hello.", key=key),
    "converse": lambda mind, key: mind.converse(["marta", "brann"], key=key),
}

NO_NAME = ["a\ud800b", 2**63, 5, 0, None, b"a", "x" * 201]


@pytest.mark.parametrize("verb", KEYED)
@pytest.mark.parametrize("key", NO_NAME, ids=ascii)
def test_what_cannot_be_a_key_is_refused_and_nothing_else_happens(mind, verb, key):
    refused(mind, lambda mind: KEYED[verb](mind, key))


@pytest.mark.parametrize("name", NO_NAME, ids=ascii)
@pytest.mark.parametrize("verb", ["load", "rename_save", "delete_save"])
def test_what_cannot_be_a_save_is_refused_and_nothing_else_happens(mind, verb, name):
    refused(mind, lambda mind: getattr(mind, verb)(name, *["other"] * (verb == "rename_save")))


NO_TEXT = [None, 5, 2.5, float("nan"), b"a", ["a"], {}]

NO_NUMBER = [10**400, -(10**400), float("nan"), float("inf"), "1", None]


def see(mind, **given):
    return mind.observe(**{"kind": "theft", "text": "A spoon is gone.", "audience": ["marta"], **given})


TEXTS = {
    "believe text": lambda mind, wrong: mind.believe("marta", wrong),
    "believe scope": lambda mind, wrong: mind.believe("marta", "The well is dry.", scope=wrong),
    "set_state scope": lambda mind, wrong: mind.set_state({"well": "dry"}, wrong),
    "observe kind": lambda mind, wrong: see(mind, kind=wrong),
    "observe text": lambda mind, wrong: see(mind, text=wrong),
    "observe actor": lambda mind, wrong: see(mind, actor=wrong),
    "observe target": lambda mind, wrong: see(mind, target=wrong),
    "actor name": lambda mind, wrong: mind.actor("p1", name=wrong),
    "actor faction": lambda mind, wrong: mind.actor("p1", faction=wrong),
    "forget": lambda mind, wrong: mind.forget(wrong),
}


@pytest.mark.parametrize("where", TEXTS)
def test_what_is_no_text_is_refused(mind, where):
    for wrong in NO_TEXT:
        refused(mind, lambda mind, wrong=wrong: TEXTS[where](mind, wrong))


def test_what_is_no_number_is_refused(mind):
    for wrong in NO_NUMBER:
        refused(mind, lambda mind, wrong=wrong: mind.believe("marta", "The well is dry.", confidence=wrong))
        refused(mind, lambda mind, wrong=wrong: mind.triple("osric", "lives_in", "ford", confidence=wrong))
        if wrong is not None:
            refused(mind, lambda mind, wrong=wrong: see(mind, importance=wrong))
    for wrong in ("5", [5], 2.5, -1, True):
        refused(mind, lambda mind, wrong=wrong: mind.beliefs("marta", at=wrong))


@pytest.mark.parametrize("wrong", ["no", float("nan"), float("inf"), 1, None], ids=str)
def test_what_is_no_bool_is_not_taken_for_one(mind, wrong):
    refused(mind, lambda mind: mind.relate("marta", "p1", trust=5, exact=wrong))
    refused(mind, lambda mind: mind.believe("marta", "The well is dry.", hand_written=wrong))
    refused(mind, lambda mind: mind.actor("p1", name="Rolf", reborn=wrong))


def test_what_is_to_be_so_one_day_is_no_belief_yet(mind):
    mind.believe("marta", "Osric lives in Highmoor.", valid_from=mind.game_time)
    later = mind.game_time + 1
    refused(mind, lambda mind: mind.believe("marta", "Osric lives in Ford.", valid_from=later))
    mind.clock(later)
    mind.believe("marta", "Osric lives in Ford.", valid_from=later)
    assert [one.text for one in mind.beliefs("marta")] == ["Osric lives in Ford."]
