"""What an NPC's reply may bring about is decided by the game: allowed or refused with a reason, never an exception."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roguelike_kit import meet, state

from roguelike.commands import Sleep
from roguelike.game import Game
from roguelike.game.hours import skip_to
from roguelike.happenings import Message, Observed
from roguelike.plot.actions import ACTS

ARGS = st.dictionaries(
    st.sampled_from(["item", "herb", "sacks", "who", "x"]),
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from(["eel", "osric", "ale", "mint"]),
    max_size=3,
)


def beside(npc: str) -> Game:
    """A game in which the hero stands next to somebody, by day."""
    return Game.load(_beside(npc))


@cache
def _beside(npc: str) -> bytes:
    game = Game.new(2, "Ada")
    skip_to(game._world, 10 * 60)
    person, hero = state(game).people[npc], state(game).hero
    hero.x, hero.y = next(
        (person.x + dx, person.y + dy)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx, dy) != (0, 0) and game._world.ground().walk[person.y + dy, person.x + dx]
    )
    return game.dump()


@pytest.mark.parametrize(("npc", "action"), sorted(ACTS))
@given(args=ARGS)
@settings(max_examples=3, deadline=None)
def test_anything_may_be_asked_of_the_game(npc: str, action: str, args: dict[str, object]) -> None:
    game = beside(npc)
    before = game.dump()
    coppers = state(game).hero.coppers
    done = game.do(npc, action, args)
    if done.ok:
        assert done.error == ""
        assert state(game).hero.coppers >= 0
    else:
        assert done.error
        assert done.happenings == ()
        assert game.dump() == before
    assert state(game).hero.coppers <= coppers
    assert Game.load(game.dump()).dump() == game.dump()


@pytest.mark.parametrize("npc", sorted({npc for npc, _ in ACTS}))
def test_what_is_offered_is_allowed_and_what_is_dealt_is_known(npc: str) -> None:
    game = beside(npc)
    for action in game.offers(npc):
        assert (npc, action) in ACTS
        assert not ACTS[npc, action].refused(game._world, {})
    for deal in game.deals(npc):
        assert (npc, deal.action) in ACTS
        assert game.do(npc, deal.action, deal.args).ok, deal


def test_nobody_does_anything_from_across_the_town() -> None:
    game = Game.new(2, "Ada")
    assert game.offers("marta") == ()
    assert game.deals("marta") == ()
    assert game.do("marta", "serve", {"item": "ale"}).error == "the speaker is not there any more"
    assert game.do("marta", "fly").error == "marta knows no such thing as fly"
    assert game.do("nobody", "serve").ok is False
    assert game.asked("marta", "Is there any work I could do for you?") == ()


def test_a_purchase_costs_what_it_costs_and_is_remembered_by_who_sold_it() -> None:
    game = beside("edda")
    coppers = state(game).hero.coppers
    done = game.do("edda", "sell", {"item": "lamp oil"})
    assert [type(h) for h in done.happenings] == [Message, Observed]
    assert state(game).hero.coppers == coppers - 8
    state(game).hero.coppers = 1
    refused = game.do("edda", "sell", {"item": "eel"})
    assert (refused.ok, refused.error) == (False, "the speaker cannot pay 3 coppers")


def test_an_arrest_needs_a_charge() -> None:
    game = beside("captain-hale")
    assert "say the name twice" in game.do("captain-hale", "arrest", {"who": "osric"}).error
    assert "arrest" not in game.offers("captain-hale")


@pytest.mark.parametrize("watched", [True, False])
def test_pell_breaks_only_when_his_master_cannot_see_him(watched: bool) -> None:
    game = beside("pell")
    world = game._world
    for clue in ("jory-saw-fire", "oil-sold"):
        world.learn(clue, "jory")
    pell, osric = state(game).people["pell"], state(game).people["osric"]
    pell.x, pell.y = 39, 12
    osric.x, osric.y = (42, 12) if watched else (24, 16)
    state(game).hero.x, state(game).hero.y = 39, 13
    game.asked("pell", "Who set fire to the north bridge?")
    assert world.knows("osric-guilty") is not watched


def test_a_night_in_a_rented_bed() -> None:
    game = Game.new(2, "Ada")
    meet(game, "marta")
    assert game.do("marta", "rent-room").ok
    hero = state(game).hero
    hero.x, hero.y, hero.hp = 3, 9, 5
    game.act(Sleep())
    assert game.view().time_text == "07:01, morning"
    assert hero.hp == hero.max_hp


def test_the_ware_that_is_named_is_meant_and_a_list_of_them_is_none() -> None:
    game = beside("marta")
    refused = game.do("marta", "serve", {"item": "ale, stew, bread, mulled wine"})
    assert not refused.ok
    assert "not clear" in refused.error
    assert game.do("marta", "serve", {"item": "a bowl of stew"}).ok
