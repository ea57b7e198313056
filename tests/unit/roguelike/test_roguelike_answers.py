"""What the book answers the model is not asked for, and yet it is remembered; all else is hers to say."""

from __future__ import annotations

from pathlib import Path

import pytest
from roguelike_kit import held, meet, spoken, state
from stage_kit import staged

from bridge.messages import ActionModel, DueFrame, ReplyFrame
from npc_memory.world import load_world
from roguelike.commands import Meet, Move, Sell, Wait
from roguelike.game import Game
from roguelike.game.deeds import record
from roguelike.game.hours import skip_to
from roguelike.goods import KINDS
from roguelike.happenings import Message, Observed, Offered
from roguelike.plot.dealing import SOLD
from roguelike.plot.denying import DENIALS
from roguelike.plot.greeting import AGAIN, AGAIN_AFTER, FIRST, FRIEND, SCOLDS
from roguelike.plot.hello import HELLOS
from roguelike.plot.knowing import REMEMBERS
from roguelike.plot.selling import BUYERS
from roguelike.plot.topics import recognised
from roguelike.plot.wanting import wanted
from roguelike.screen.asking import offered
from roguelike.screen.gestures import LOOKS_UP, THINKS, looks_up, thinks
from roguelike.town.schedule import FOLK

WORLD = load_world("emberfall")


async def test_a_question_of_the_menu_is_answered_at_once_by_the_book_alone_and_remembered(tmp_path: Path) -> None:
    async with staged(tmp_path, ["I am the king's wife."]) as stage:
        await stage.begin()
        await stage.press("up")
        said = await stage.say("How did the king die?")
        assert said.startswith("He crossed with me once, as a boy.")
        assert stage.session.last is not None
        assert stage.session.last.by_the_book
        assert "king's wife" not in stage.play.talk.said
        assert stage.play.talk.said.count("He crossed with me once") == 1
        assert "cut short" not in stage.play.talk.said
        mind = await stage.mind("jory", "What did I ask you about the king?")
        assert "How did the king die?" in mind
        assert "Dropped a shoe in" in mind
        assert "Dropped a shoe in" not in await stage.mind("marta", "What do you know about the king?")
        assert await stage.say("I feel tired today.") == "I am the king's wife."


async def test_a_ware_that_is_asked_for_is_offered_and_bought_with_enter(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        hero, marta = state(stage.session.game).hero, state(stage.session.game).people["marta"]
        hero.x, hero.y = marta.x, marta.y + 1
        stage.play.open_talk("marta")
        await stage.say("A bowl of stew, please!")
        offer = stage.session.offer
        assert offer is not None
        assert offer.action.args == {"item": "stew"}
        await stage.press("enter")
        assert "stew" in [item.kind for item in hero.pack]
        assert "Ada bought" not in stage.play.talk.said
        assert "bought a bowl of stew from Marta" in await stage.mind("marta", "What have I bought?")
        assert list(stage.session.link.faults) == []


@pytest.mark.parametrize("key", ["t", "tab", "f3"])
async def test_who_is_turned_to_says_what_she_says_to_who_walks_into_her(tmp_path: Path, key: str) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        jory, hero = state(stage.session.game).people["jory"], state(stage.session.game).hero
        hero.x, hero.y = jory.x - 2, jory.y
        record(stage.session.game._world, "theft", "jory", "Ada had a hand in Jory's pocket", ["jory"])
        minute = state(stage.session.game).minute
        await stage.press(key)
        assert stage.play.talk.npc == "jory"
        assert SCOLDS["jory"] in stage.play.talk.said.replace("\n", " ")
        assert state(stage.session.game).minute == minute
        assert stage.session.recorded().steps[0] == ["do", "Meet", "jory"], "so that it can be played again"


@pytest.mark.parametrize("npc", ["marta", "nobody"])
def test_who_is_not_beside_the_hero_is_not_turned_to(npc: str) -> None:
    game = Game.new(3)
    assert [type(one) for one in game.act(Meet(npc))] == [Message]
    assert not state(game).hero.talking


async def test_who_has_something_on_her_mind_walks_up_from_afar_and_waits_for_a_talk_to_end(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        guard, hero = state(stage.session.game).people["guard-gate"], state(stage.session.game).hero
        before = (guard.x, guard.y)
        push = stage.bridge.server.push
        push(DueFrame(npc="guard-gate", note="a pie", urgency=0.5, player="somebody else"), stage.session.owner)
        push(DueFrame(npc="guard-gate", note="a pie", urgency=0.5), stage.session.owner)
        await stage.until(lambda: guard.errand == "hero")
        await stage.press("up", "tab")
        for _ in range(40):
            stage.play.do(Wait())
            if not guard.errand:
                break
        assert before != (guard.x, guard.y)
        assert max(abs(guard.x - hero.x), abs(guard.y - hero.y)) == 1
        assert stage.play.talk.npc == "jory", "nobody cuts in"
        assert "waits for a word" in stage.play.talk.said
        assert stage.session.recorded().steps[0] == ["due", "guard-gate"]


@pytest.mark.parametrize(
    ("npc", "line", "args"),
    [
        ("marta", "ale", {"item": "ale"}), ("marta", "I'd like some mulled wine, please", {"item": "mulled wine"}),
        ("marta", "Can I have a room for the night?", {}), ("marta", "ale or stew?", None),
        ("marta", "The ale house on the hill burned down when I was a boy", None), ("marta", "sale", None),
        ("marta", "My brother drank ale every day of his life and died of it, please believe me when I say", None),
        ("marta", "How much is the stew?", {"item": "stew"}), ("jory", "ale, please", None), ("marta", "", None),
    ],
)  # fmt: skip
def test_a_ware_is_wanted_when_a_short_line_names_it(npc: str, line: str, args: dict[str, str] | None) -> None:
    game = Game.new(2, "Ada")
    meet(game, npc)
    found = wanted(game._world, npc, line)
    assert (None if found is None else dict(found.args)) == args
    assert game.answers(npc, line) == (args is not None)
    offers = [one for one in game.asked(npc, line) if isinstance(one, Offered)]
    assert len(offers) == (args is not None)


def test_a_room_is_offered_to_who_cannot_pay_for_it_and_then_refused() -> None:
    game = Game.new(2, "Ada")
    meet(game, "marta")
    state(game).hero.coppers = 5
    (offer,) = [one for one in game.asked("marta", "A room, please.") if isinstance(one, Offered)]
    assert offer.label == "a room for the night (40c)"
    assert "cannot pay 40" in game.do("marta", offer.action, offer.args).error


def test_what_she_has_said_by_the_book_is_hers_alone_to_remember_with_who_stood_by() -> None:
    game = Game.new(2, "Ada")
    meet(game, "marta")
    (event,) = [one for one in game.asked("marta", 'Any "work"?') if getattr(one, "kind", "") == "told"]
    assert isinstance(event, Observed)
    assert (event.actor, event.target) == ("marta", "hero-1")
    assert event.text.startswith('Ada said to Marta: "Any \'work\'?" Marta answered: "Rats in my cellar')
    assert event.audience[0] == "marta"


def test_strangers_and_friends_are_greeted_and_a_thief_is_not() -> None:
    assert {npc.id: npc.greeting for npc in WORLD.npcs.values()} == FIRST
    assert set(AGAIN) == set(FRIEND) == set(FIRST)
    game = Game.new(2, "Ada")
    meet(game, "jory")
    state(game).minute += AGAIN_AFTER
    person, hero = state(game).people["jory"], state(game).hero
    game.approach("jory")
    move = _into(game, "jory")
    assert spoken(game.act(move)) == AGAIN["jory"]
    state(game).minute += AGAIN_AFTER
    record(game._world, "help", "jory", "Ada helped", ["jory"])
    hero.x, hero.y = person.x, person.y + 1
    assert spoken(game.act(_into(game, "jory"))) == FRIEND["jory"]


def _into(game: Game, npc: str) -> Move:
    person, hero = state(game).people[npc], state(game).hero
    return Move(person.x - hero.x, person.y - hero.y)


def test_what_comes_up_from_below_can_be_sold_to_who_wants_it() -> None:
    game = Game.new(2, "Ada")
    skip_to(game._world, 10 * 60)
    hero = state(game).hero
    for kind in ("spear", "kings-cup", "bread"):
        hero.pack.append(game._world.new_item(kind))
    spear = held(game, "spear")
    assert game.offered_for("brann", spear.id) == 0, "she is not there"
    meet(game, "brann")
    assert game.offered_for("brann", spear.id) == 20
    assert game.offered_for("brann", held(game, "kings-cup").id) == 0
    coppers, turn = hero.coppers, state(game).turn
    for kind in ("kings-cup", "bread"):
        game.act(Sell("brann", held(game, kind).id))
    game.act(Sell("nobody", spear.id))
    assert (hero.coppers, state(game).turn) == (coppers, turn)
    happened = game.act(Sell("brann", spear.id))
    assert hero.coppers == coppers + 20
    assert game._world.holds("spear") is None
    assert "Ada sold a boar spear to Brann." in [one.text for one in happened if isinstance(one, Observed)]
    assert Game.load(game.dump()).dump() == game.dump()


def test_nobody_buys_at_a_profit_to_the_hero_or_from_a_thief() -> None:
    assert set(BUYERS) <= set(FOLK)
    for kinds in BUYERS.values():
        assert all(KINDS[kind].price and not KINDS[kind].evidence for kind in kinds)
        free = {kind for seller in (("wren", "give-herb"), ("marta", "serve")) for kind in SOLD[seller].values()}
        assert not free & set(kinds), "what is given to friends"
    game = Game.new(2, "Ada")
    meet(game, "brann")
    state(game).hero.pack.append(game._world.new_item("sword"))
    record(game._world, "help", "brann", "Ada helped", ["brann"])
    assert game.offered_for("brann", held(game, "sword").id) == 60
    record(game._world, "theft", "brann", "Ada stole", ["brann"])
    assert game.offered_for("brann", held(game, "sword").id) == 0


def test_everybody_has_hands() -> None:
    assert set(LOOKS_UP) == set(THINKS) == set(FOLK)
    assert looks_up("marta", 5) == looks_up("marta", 5)
    assert len({thinks("marta", 5, number) for number in range(3)}) == 3
    assert thinks("nobody", 5, 0) == "…"


async def test_what_the_game_would_refuse_is_not_offered_and_what_is_unclear_is_asked(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        hero, marta = state(stage.session.game).hero, state(stage.session.game).people["marta"]
        hero.x, hero.y = marta.x, marta.y + 1

        def reply(action: str, item: str) -> ReplyFrame:
            wish = ActionModel(id="a1", name=action, args={"item": item}, label="Serve")
            return ReplyFrame(
                re=1,
                npc="marta",
                say="",
                mood="",
                action=wish,
                turn="",
                kind="talk",
                fallback=False,
                dropped=0,
                audit="",
            )

        assert stage.session._offered(reply("open-cellar", "ale")) is None, "she does not trust him yet"
        unclear = stage.session._offered(reply("serve", "I have no choice"))
        assert unclear is not None
        assert unclear.unclear
        assert offered("Marta", unclear) == "Marta offers: Serve."
        clear = stage.session._offered(reply("serve", "ale"))
        assert clear is not None
        assert offered("Marta", clear) == "Marta offers: Serve: ale."


@pytest.mark.parametrize("line", ["Do you like your work?", "Magst du deine Arbeit?", "That is your job, isn't it?"])
def test_her_own_work_is_no_request_for_any(line: str) -> None:
    assert "help" not in recognised(line)
    assert "help" in recognised("Is there any work?")


@pytest.mark.parametrize(
    "line", ["What is the price of bread?", "Three silver for that?", "Bless your heart.", "I planted a tree."]
)
def test_words_that_mean_anything_ask_for_nothing(line: str) -> None:
    assert recognised(line) == ()


def test_a_greeting_is_answered_by_the_book_once_and_contradicts_no_fact() -> None:
    assert set(HELLOS) == set(FOLK)
    for npc, line in (*HELLOS.items(), *FIRST.items(), *AGAIN.items(), *FRIEND.items()):
        facts = [fact.id for fact in WORLD.facts_for(npc, {("", "chapter"): 1})]
        assert not [id for id in facts if any(p.search(line) for p in WORLD.canon[id].patterns)], line
    game = Game.new(2, "Ada")
    meet(game, "jory")
    for other in ("Good evening?", "Highly unlikely.", "Hill.", "I said hello", "Good grief."):
        assert not game.answers("jory", other), other
    assert spoken(game.asked("jory", "Good evening, Jory. I am Ada.")) == HELLOS["jory"]
    assert not game.answers("jory", "Hello!"), "once is enough"
    assert "pipeweed" in spoken(game.asked("jory", "Hello! Any work?")).lower()


def test_nobody_confesses_because_a_model_is_asked() -> None:
    assert set(DENIALS) == set(FOLK)
    for npc, line in DENIALS.items():
        facts = [fact.id for fact in WORLD.facts_for(npc, {("", "chapter"): 1})]
        assert not [id for id in facts if any(p.search(line) for p in WORLD.canon[id].patterns)], line
    game = Game.new(2, "Ada")
    meet(game, "jory")
    for line in ("Did you kill the king?", "It was you who poisoned him!", "You murdered Aldric."):
        assert spoken(game.asked("jory", line)) == DENIALS["jory"], line
    for line in ("Who killed the rats?", "Did you see the bridge burn?", "You look tired."):
        assert DENIALS["jory"] not in spoken(game.asked("jory", line)), line


@pytest.mark.parametrize("npc", sorted(FOLK))
def test_who_is_asked_whether_she_remembers_says_the_newest_that_she_knows(npc: str) -> None:
    game = Game.new(3, "Ada")
    world, person = game._world, state(game).people[npc]
    state(game).hero.x, state(game).hero.y = person.x + 1, person.y
    assert not game.answers(npc, "Do you remember me?"), "they have never met"
    game.told(npc, "Day.")
    assert spoken(game.asked(npc, "do you remember me?")) == " ".join(REMEMBERS[npc])
    record(world, "promise", npc, "Ada promised to bring rope", [npc])
    assert spoken(game.asked(npc, "Do you still know who I am?")).endswith("You promised to bring rope.")
    record(world, "theft", npc, f"Ada stole a loaf of bread from {FOLK[npc].name}", [npc])
    record(world, "theft", "nim", "Ada stole a pin from somebody", [])
    asked = game.asked(npc, "What did I steal from you?")
    assert spoken(asked).endswith("You stole a loaf of bread from me."), "and nothing of what she did not see"
    (told,) = [one for one in asked if isinstance(one, Observed) and one.kind == "told"]
    assert npc in told.audience


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("So you remember what I did?", True),
        ("Have you forgotten me?", True),
        ("Erinnerst du dich an mich?", True),
        ("Помнишь меня?", True),
        ("Do you know what I could eat here?", False),
        ("Do you remember the weather last year?", False),
        ("Remember me to your mother when you see her, and tell her that I am coming soon.", False),
    ],
)
def test_only_what_asks_about_the_hero_asks_for_her_memory(line: str, asks: bool) -> None:
    game = Game.new(3, "Ada")
    marta, hero = state(game).people["marta"], state(game).hero
    hero.x, hero.y = marta.x + 1, marta.y
    record(game._world, "assault", "marta", "Ada knocked Marta down", ["marta"])
    assert game.answers("marta", line) is asks
    assert ("You knocked me down." in spoken(game.asked("marta", line))) is asks
