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
