"""A theft is witnessed by who truly sees it: awake, in line of sight, at the same place, in the light; and by
nobody else.
"""

from __future__ import annotations

import pytest
from roguelike_kit import ask, give, meet, spoken, state, walk_to

from roguelike.commands import Attack, Move, PickUp, Steal, Wait
from roguelike.game import Game
from roguelike.game.hours import skip_to
from roguelike.game.sight import witnesses
from roguelike.happenings import Happening, Line, Meeting, Message, Met, Observed
from roguelike.plot.greeting import FIRST
from roguelike.plot.trust import trust


def observed(happened: tuple[Happening, ...], kind: str) -> list[Observed]:
    return [h for h in happened if isinstance(h, Observed) and h.kind == kind]


def at_eddas_stall(minute: int) -> Game:
    game = Game.new(11, "Ada")
    walk_to(game, 28, 8)
    skip_to(game._world, minute)
    return game


def test_a_theft_by_day_is_seen_by_the_owner_and_reported_to_who_saw_it() -> None:
    game = at_eddas_stall(10 * 60)
    happened = game.act(Steal(0, -1))
    (event,) = observed(happened, "theft")
    assert event.text == "Ada stole a smoked eel from Edda."
    assert (event.place, event.actor, event.target) == ("market", "hero-1", "edda")
    assert "edda" in event.audience
    assert any(isinstance(h, Line) and h.npc == "edda" for h in happened)
    assert trust(game._world, "edda") < 0
    assert "eel" in [item.kind for item in state(game).hero.pack]


def test_the_same_theft_at_night_is_seen_by_nobody_and_nobody_is_told() -> None:
    game = at_eddas_stall(3 * 60)
    happened = game.act(Steal(0, -1))
    assert observed(happened, "theft") == []
    assert "Nobody saw." in game.view().log[-1].text
    assert trust(game._world, "edda") == 0
    skip_to(game._world, 9 * 60)
    game._world.take()
    game.act(Move(-1, 0))
    edda = state(game).people["edda"]
    walk_to(game, edda.x, edda.y - 1)
    assert game.act(Move(0, 1)) == (Met("edda"), Line("edda", FIRST["edda"], "")), "she knows nothing of it"


def test_who_was_robbed_and_saw_it_says_so_when_one_comes_back() -> None:
    game = at_eddas_stall(10 * 60)
    game.act(Steal(0, -1))
    for _ in range(30):
        game.act(Wait())
    person = state(game).people["edda"]
    walk_to(game, person.x, person.y - 1)
    assert "Hide the eels" in spoken(game.act(Move(0, 1)))
    assert spoken(game.act(Move(0, 1))) == "", "once is enough"


@pytest.mark.parametrize("change", ["asleep", "down", "elsewhere", "dark"])
def test_who_cannot_see_saw_nothing(change: str) -> None:
    game = at_eddas_stall(10 * 60)
    edda = state(game).people["edda"]
    assert "edda" in witnesses(game._world)
    if change == "asleep":
        edda.asleep = True
    elif change == "down":
        edda.down = 5
    elif change == "elsewhere":
        edda.x, edda.y = 60, 9
    else:
        edda.x, edda.y = 40, 8
        assert "edda" in witnesses(game._world)
        state(game).minute += 14 * 60
    assert "edda" not in witnesses(game._world)


def test_a_light_in_the_hand_gives_one_away_at_night() -> None:
    game = at_eddas_stall(3 * 60)
    edda = state(game).people["edda"]
    edda.x, edda.y, edda.asleep = 34, 9, False
    assert witnesses(game._world) == []
    torch = next(item for item in state(game).hero.pack if item.kind == "torch")
    torch.on = True
    assert witnesses(game._world) == ["edda"]


def test_what_belongs_to_somebody_is_not_just_picked_up() -> None:
    game = Game.new(11, "Ada")
    walk_to(game, 60, 17)
    skip_to(game._world, 10 * 60)
    walk_to(game, 63, 17)
    before = state(game).turn
    game.act(PickUp())
    assert "belongs to Wren" in game.view().log[-1].text
    assert state(game).turn == before


def test_the_guard_fines_what_she_sees() -> None:
    game = at_eddas_stall(15 * 60)
    guard = state(game).people["guard-wall"]
    guard.x, guard.y = 32, 9
    coppers = state(game).hero.coppers
    happened = game.act(Steal(0, -1))
    assert "guard-wall" in observed(happened, "theft")[0].audience
    assert state(game).hero.coppers == coppers - 20
    assert observed(happened, "fine")[0].audience == ("guard-wall",)


def test_who_is_caught_knows_what_he_has_and_an_empty_pocket_is_no_purse() -> None:
    game = at_eddas_stall(10 * 60)
    said = [h.text for h in game.act(Steal(0, -1)) if isinstance(h, Message)]
    assert said.index("A smoked eel is yours now.") < said.index("Edda saw that.")
    brann = state(game).people["brann"]
    skip_to(game._world, 3 * 60)
    state(game).plot.flags["purse:brann"] = 1
    state(game).hero.x, state(game).hero.y = brann.x + 1, brann.y
    said = [h.text for h in game.act(Steal(-1, 0)) if isinstance(h, Message)]
    assert "Your fingers find nothing at all." in said
    assert not [text for text in said if "is yours now" in text]


def test_nim_thinks_better_of_a_thief_and_marta_of_who_feeds_nim() -> None:
    game = at_eddas_stall(10 * 60)
    people = state(game).people
    for npc, x in (("nim", 31), ("marta", 32)):
        people[npc].x, people[npc].y = x, 9
    game.act(Steal(0, -1))
    assert (trust(game._world, "nim"), trust(game._world, "marta")) == (1, -1)
    people["nim"].x, people["nim"].y = 29, 8
    people["marta"].x, people["marta"].y = 30, 9
    give(game, "nim", "bread")
    assert (trust(game._world, "nim"), trust(game._world, "marta")) == (2, 1)


def test_news_of_a_deed_travels_when_two_meet() -> None:
    game = at_eddas_stall(10 * 60)
    game.act(Steal(0, -1))
    deed = state(game).plot.deeds[-1]
    before = list(deed.known)
    happened = [h for _ in range(600) for h in game.act(Wait())]
    assert [h for h in happened if isinstance(h, Meeting) and h.topic == deed.text]
    told = [h for h in happened if isinstance(h, Observed) and h.kind == "tell" and h.text == f"{deed.text}."]
    assert [h.target for h in told] == deed.known[len(before) :]
    assert all(h.actor in deed.known and h.audience == () for h in told)
    assert set(deed.known) > set(before)
    assert deed.known[: len(before)] == before


def test_knocking_somebody_down_is_seen_by_her_and_kills_nobody() -> None:
    game = Game.new(11, "Ada")
    meet(game, "jory")
    jory, hero = state(game).people["jory"], state(game).hero
    happened = game.act(Attack(jory.x - hero.x, jory.y - hero.y))
    assert "jory" in observed(happened, "assault")[0].audience
    assert jory.down > 0
    assert trust(game._world, "jory") <= -6
    for _ in range(60):
        game.act(Wait())
    assert jory.down == 0


def test_betraying_tamsin_pays_and_costs() -> None:
    game = Game.new(11, "Ada")
    game._world.learn("tamsin-hides", "marta")
    meet(game, "captain-hale")
    coppers = state(game).hero.coppers
    happened = ask(game, "captain-hale", "betray")
    assert state(game).hero.coppers == coppers + 200
    assert set(observed(happened, "betrayal")[0].audience) >= {"captain-hale", "marta", "tamsin"}
    assert trust(game._world, "marta") <= -9
    assert state(game).people["tamsin"].errand == "cell"
