"""Every ending can be reached by playing, from the first step to the last, by what the menus offer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from roguelike_kit import ask, fetch, give, go_down, go_up, held, meet, show, spoken, state, tough, walk_to

from roguelike.commands import Accuse, Descend, Move, Wait
from roguelike.game import Game
from roguelike.game.deeds import record
from roguelike.game.hours import skip_to
from roguelike.happenings import Ending, Happening, Met, Observed, StateSet
from roguelike.plot.case import case

CELLAR, CRYPT, BOAT = (3, 6), (67, 17), (49, 1)


def begun(seed: int = 7) -> Game:
    game = Game.new(seed, "Ada")
    tough(game)
    return game


def clear_cellar(game: Game) -> None:
    """Marta's rats, and what lies under the third cask."""
    meet(game, "marta")
    assert "Rats" in spoken(ask(game, "marta", "help"))
    walk_to(game, *CELLAR)
    game.act(Descend())
    while game._world.level.monsters:
        rat = game._world.level.monsters[0]
        walk_to(game, rat.x, rat.y)
    walk_to(game, 41, 9)
    game.act(Move(0, -1))
    assert held(game, "kings-letter")
    go_up(game)
    meet(game, "marta")


def open_crypt(game: Game) -> None:
    meet(game, "maelis")
    assert "candlestick" in spoken(ask(game, "maelis", "help"))
    walk_to(game, *CRYPT)
    game.act(Descend())
    fetch(game, "candlestick")


def wealth_below(game: Game) -> None:
    """The smugglers' book, and the king's cup."""
    go_down(game)
    fetch(game, "ledger-page")
    go_down(game)
    fetch(game, "kings-cup")
    for _ in range(3):
        go_up(game)


def morning(game: Game) -> None:
    skip_to(game._world, 8 * 60)


def accuse(game: Game, who: str) -> list[Happening]:
    meet(game, "captain-hale")
    return [*game.act(Accuse(who)), *game.act(Accuse(who))]


def ending(happened: list[Happening]) -> Ending:
    return next(h for h in happened if isinstance(h, Ending))


def test_the_right_one_with_proof_and_a_captain_who_is_asked() -> None:
    game = begun()
    clear_cellar(game)
    open_crypt(game)
    wealth_below(game)
    morning(game)
    meet(game, "nim")
    give(game, "nim", "bread")
    game.asked("nim", "What about that silver ring?")
    assert held(game, "hollow-ring")
    meet(game, "captain-hale")
    assert "Forty gold" in spoken(show(game, "captain-hale", "ledger-page"))
    happened = accuse(game, "osric")
    assert ending(happened).id == "justice"
    assert "badge" in ending(happened).text
    assert StateSet({"chapter": 3}) in happened
    assert game.view().over == "justice"


def test_the_right_one_by_words_alone() -> None:
    """No cup, no ring: what people say, to somebody they have come to trust."""
    game = begun()
    clear_cellar(game)
    open_crypt(game)
    go_up(game)
    morning(game)
    meet(game, "maelis")
    give(game, "maelis", "candlestick")
    assert "blue" in spoken(ask(game, "maelis", "nails"))
    meet(game, "wren")
    ask(game, "wren", "poison")
    meet(game, "nim")
    give(game, "nim", "bread")
    meet(game, "edda")
    game.do("edda", "sell", {"item": "eel"})
    game.do("edda", "sell", {"item": "eel"})
    game.asked("edda", "Who buys lamp oil?")
    meet(game, "guard-gate")
    give(game, "guard-gate", "eel")
    give(game, "guard-gate", "eel")
    game.asked("guard-gate", "Who kept the postern?")
    meet(game, "marta")
    game.do("marta", "serve", {"item": "bread"})
    game.asked("marta", "Where is the cupbearer?")
    meet(game, "tamsin")
    assert "Powder" in spoken(game.asked("tamsin", "Tell me about the cup."))
    assert ending(accuse(game, "osric")).id == "justice"


def test_without_proof_it_is_the_accuser_who_sits_and_then_goes() -> None:
    game = begun()
    assert not any(isinstance(h, Ending) for h in accuse(game, "osric"))
    assert state(game).minute % 1440 == 7 * 60 + 1
    assert ending(accuse(game, "osric")).id == "banished"


def test_hale_says_what_is_missing_before_it_is_too_late() -> None:
    game = begun()
    clear_cellar(game)
    meet(game, "captain-hale")
    said = spoken(game.act(Accuse("osric")))
    assert "what killed him" in said
    assert "whose hand" in said
    assert "and why." not in said


def test_the_wrong_neck() -> None:
    game = begun()
    clear_cellar(game)
    morning(game)
    meet(game, "marta")
    game.do("marta", "serve", {"item": "ale"})
    game.asked("marta", "And Tamsin?")
    found = ending(accuse(game, "tamsin"))
    assert (found.id, "Tamsin is hanged" in found.text) == ("wrong-neck", True)


def test_half_a_justice() -> None:
    game = begun()
    state(game).hero.pack.append(game._world.new_item("pipeweed"))
    meet(game, "jory")
    give(game, "jory", "pipeweed")
    ask(game, "jory", "bridge")
    assert ending(accuse(game, "pell")).id == "half-justice"


def test_the_captain_falls() -> None:
    game = begun()
    open_crypt(game)
    go_down(game)
    fetch(game, "ledger-page")
    for _ in range(2):
        go_up(game)
    morning(game)
    meet(game, "maelis")
    show(game, "maelis", "ledger-page")
    assert ending(accuse(game, "captain-hale")).id == "captain-falls"


def by_boat(game: Game) -> Ending:
    meet(game, "jory")
    assert "boat" in spoken(ask(game, "jory", "ferry"))
    assert ("ferry", {}) in [(deal.action, deal.args) for deal in game.deals("jory")]
    assert game.do("jory", "ferry").ok
    walk_to(game, *BOAT)
    hero = state(game).hero
    return ending([*game.act(Move(49 - hero.x, 0 - hero.y))])


def nothing(game: Game) -> None:
    """Leave as one came."""


def sell_out(game: Game) -> None:
    """Show Osric that one knows, and be paid for it."""
    game._world.learn("osric-ring", "tamsin")
    morning(game)
    meet(game, "osric")
    ask(game, "osric", "bribe")
    ask(game, "osric", "accept")
    assert state(game).hero.coppers > 5000


@pytest.mark.parametrize(
    ("before", "id"), [(nothing, "ferry"), (clear_cellar, "ferry-letter"), (sell_out, "ferry-bought")]
)
def test_leaving_by_the_ferry(before: Callable[[Game], None], id: str) -> None:
    game = begun()
    before(game)
    skip_to(game._world, 10 * 60)
    assert by_boat(game).id == id


def test_cup_and_letter_before_the_captain_bring_the_second_chapter() -> None:
    game = begun()
    for kind in ("kings-cup", "kings-letter"):
        state(game).hero.pack.append(game._world.new_item(kind))
    meet(game, "captain-hale")
    show(game, "captain-hale", "kings-cup")
    assert StateSet({"chapter": 2}) in show(game, "captain-hale", "kings-letter")
    assert state(game).plot.chapter == 2


@pytest.mark.parametrize(
    ("npc", "action", "door"), [("maelis", "open-crypt", (65, 16)), ("marta", "open-cellar", (4, 6))]
)
def test_a_door_of_the_plot_is_locked_until_somebody_opens_it(npc: str, action: str, door: tuple[int, int]) -> None:
    game = begun()
    assert state(game).levels["town"].rows[door[1]][door[0]] == "L"
    meet(game, npc)
    assert action not in game.offers(npc)
    refused = game.do(npc, action)
    assert not refused.ok
    assert refused.error
    assert refused.happenings == ()
    ask(game, npc, "help")
    assert state(game).levels["town"].rows[door[1]][door[0]] == "+"
    assert game.do(npc, action).error.endswith("open already")


def test_what_was_promised_is_in_the_journal_until_it_is_kept() -> None:
    game = begun()
    meet(game, "marta")
    ask(game, "marta", "help")
    assert game.journal().promises == ("to clear the rats out of Marta's cellar",)
    game = begun()
    clear_cellar(game)
    assert game.journal().promises == ()
    assert any("third cask" not in lead for lead in game.journal().leads)


def test_mother_maelis_knows_who_made_it_quiet() -> None:
    game = begun()
    level = game._world.enter("crypt-3")
    level.monsters = [m for m in level.monsters if m.kind != "wight"]
    meet(game, "maelis")
    assert "nails" not in [t.id for t in game.topics("maelis")], "she has not been heard to speak of it"
    assert "blue" in spoken(game.asked("maelis", "You washed the body. His fingers, his nails?"))


def test_a_line_that_asks_nothing_gets_no_line_by_the_book() -> None:
    game = begun()
    meet(game, "jory")
    assert game.asked("jory", "What a day that was.") == ()
    assert spoken(game.asked("jory", "Who burned the bridge?"))
    assert game.asked("jory", "The bridge, again?") == (), "once is enough, when it is not asked from the menu"
    assert spoken(ask(game, "jory", "bridge"))


def test_somebody_called_comes_up_to_the_hero() -> None:
    game = begun()
    walk_to(game, 44, 4)
    game.approach("jory")
    met = [h for _ in range(30) for h in game.act(Wait()) if isinstance(h, Met)]
    assert met == [Met("jory", came=True)]


def test_evidence_is_not_lost_on_who_can_do_nothing_with_it() -> None:
    game = begun()
    state(game).hero.pack.append(game._world.new_item("kings-letter"))
    meet(game, "jory")
    assert "Keep it" in spoken(give(game, "jory", "kings-letter"))
    assert held(game, "kings-letter")
    meet(game, "captain-hale")
    give(game, "captain-hale", "kings-letter")
    assert game._world.holds("kings-letter") is None
    assert state(game).plot.flags["given:kings-letter:captain-hale"]


def test_a_known_thief_needs_more_than_an_honest_stranger() -> None:
    game = begun()
    for kind in ("kings-letter", "kings-cup", "hollow-ring", "ledger-page"):
        state(game).hero.pack.append(game._world.new_item(kind))
        game._world.learn(f"has-{kind}", "")
    state(game).plot.flags["hale-turned"] = 1
    assert case(game._world).holds
    for _ in range(2):
        record(game._world, "theft", "edda", "Ada stole an eel from Edda", ["edda", "nim", "guard-wall"])
    assert not case(game._world).holds
    meet(game, "captain-hale")
    assert "not clean" in spoken(game.act(Accuse("osric")))
    for clue in ("oil-sold", "key-copied"):
        game._world.learn(clue, "")
    assert case(game._world).holds


def test_a_promise_to_tamsin_that_is_broken_is_known_as_such() -> None:
    game = begun()
    state(game).plot.flags.update({"vouched": 1, "tamsin-safe": 1})
    game._world.learn("tamsin-hides", "marta")
    meet(game, "captain-hale")
    happened = ask(game, "captain-hale", "betray")
    assert [h.audience for h in happened if isinstance(h, Observed) and h.kind == "promise_broken"] == [
        ("tamsin", "marta")
    ]
