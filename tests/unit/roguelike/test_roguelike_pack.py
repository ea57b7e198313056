"""The game plays the world pack: its people, places, actions and secrets are the pack's, each of them and no other."""

from __future__ import annotations

import pytest
from roguelike_kit import meet, state

from npc_memory.world import load_world
from roguelike.game import Game
from roguelike.game.hours import skip_to
from roguelike.happenings import ActorAt, Happening, StateSet
from roguelike.plot.actions import ACTS
from roguelike.plot.answers import ANSWERS
from roguelike.plot.asking import FROM_THE_START
from roguelike.plot.clues import CLUES
from roguelike.plot.dealing import SOLD
from roguelike.plot.journal import LEADS
from roguelike.plot.topics import SUBJECTS, recognised
from roguelike.town.plan import AREAS
from roguelike.town.schedule import FOLK

WORLD = load_world("emberfall")


def test_the_people_are_the_packs() -> None:
    assert {id: folk.name for id, folk in FOLK.items()} == {id: npc.name for id, npc in WORLD.npcs.items()}
    assert {place for _, _, place in AREAS} == set(WORLD.places)


def test_every_action_of_the_pack_is_known_to_the_game() -> None:
    pack = {(npc.id, action.id) for npc in WORLD.npcs.values() for action in npc.actions}
    assert set(ACTS) == pack


def test_what_can_be_bought_is_what_the_pack_lets_one_choose() -> None:
    for (npc, action), choices in SOLD.items():
        (found,) = [a for a in WORLD.npcs[npc].actions if a.id == action]
        assert [set(arg.choices) for arg in found.args] == [set(choices)]


def test_the_clock_begins_where_the_packs_does() -> None:
    assert Game.new(1).view().game_time == WORLD.start_time


def test_clues_of_the_pack_are_known_to_who_gives_them() -> None:
    """A book answer that gives away a fact of the pack comes from somebody who knows it there."""
    given = [(answer, clue) for answers in ANSWERS.values() for answer in answers for clue in answer.learns]
    assert len(given) > 20
    not_theirs = {("pell", "osric-guilty"), ("pell", "charter-threat")}
    for answer, clue in given:
        if clue not in WORLD.canon or not WORLD.canon[clue].secret or (answer.npc, clue) in not_theirs:
            continue
        assert answer.npc in WORLD.canon[clue].scope.npcs, (answer.npc, clue)


@pytest.mark.parametrize("npc", sorted(ANSWERS))
def test_answers_speak_of_what_can_be_asked_and_learned(npc: str) -> None:
    moods = set(WORLD.npcs[npc].moods)
    for answer in ANSWERS[npc]:
        assert answer.topic in SUBJECTS
        assert set(answer.learns) <= set(CLUES)
        assert set(answer.knows) <= set(CLUES)
        assert answer.mood in moods, (answer.id, answer.mood)
        assert not answer.does or (npc, answer.does) in ACTS
        assert len(answer.say) <= 260, answer.id


def test_no_line_by_the_book_contradicts_a_fact_of_its_chapter() -> None:
    for npc, answers in ANSWERS.items():
        for answer in answers:
            for chapter in answer.chapter:
                if chapter == 3:
                    continue  # the trial is the end
                facts = {fact.id for fact in WORLD.facts_for(npc, {("", "chapter"): chapter})}
                hits = [id for id in sorted(facts) if any(p.search(answer.say) for p in WORLD.canon[id].patterns)]
                assert hits == [], (answer.id, hits)


def test_every_flag_asked_for_is_raised_somewhere() -> None:
    raised = {flag for answers in ANSWERS.values() for answer in answers for flag in answer.sets}
    raised |= {"rats-done", "candle-done", "moss-done", "iron-done", "ring-given", "letter-found", "cellar-open"}
    asked = {flag for answers in ANSWERS.values() for a in answers for flag in (*a.flags, *a.unless)}
    assert asked <= raised


def test_each_menu_question_is_recognised_as_what_it_asks() -> None:
    for subject in SUBJECTS.values():
        if subject.stems and subject.id != "rumours":
            assert subject.id in recognised(subject.line), subject.id


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("Wer hat die Brücke angezündet?",
         "bridge"), ("Qui a acheté de l'huile ?", "oil"), ("¿Dónde está el anillo?", "ring"),
        ("Кто убил короля?", "king"), ("王はどう死んだ？", "king"), ("WHERE IS THE RING?!", "ring"),
        ("tell me about the rats", "cellar"), ("Ｌｅｔｔｅｒ", "letter"),
    ],
)  # fmt: skip
def test_a_line_in_another_language_is_understood(line: str, topic: str) -> None:
    assert topic in recognised(line)


@pytest.mark.parametrize(
    "line",
    [
        "I cannot stop thinking",
        "Monkeys",
        "",
        "strings",
        "spoiled",
        "I will be back",
        "sell me boots",
        "a gift for you",
        "\U0001f480",
        "a" * 5000,
    ],
)
def test_words_inside_words_mean_nothing(line: str) -> None:
    assert recognised(line) == ()


def test_a_new_connection_is_told_where_everybody_is() -> None:
    game = Game.new(1, "Ada")
    opening = game.opening()
    assert {h.actor for h in opening if isinstance(h, ActorAt)} == {"hero-1", *FOLK}
    keys = {key for h in opening if isinstance(h, StateSet) for key in h.entries}
    assert keys <= set(WORLD.state_keys)
    meet(game, "jory")
    assert state(game).hero.talking == "jory"


def test_states_that_the_game_sets_are_the_packs() -> None:
    """A day and a night in town, doors opened on the way."""
    game = Game.new(1)
    happened: list[Happening] = []
    game._world.state.plot.flags.update({"rats-promised": 1, "crypt-promised": 1})
    for npc, action in (("marta", "open-cellar"), ("maelis", "open-crypt")):
        person = state(game).people[npc]
        state(game).hero.x, state(game).hero.y = person.x, person.y + 1
        happened += game.do(npc, action).happenings
    skip_to(game._world, 17 * 60)
    happened += game._world.take()
    sets = [(h.scope, key, value) for h in happened if isinstance(h, StateSet) for key, value in h.entries.items()]
    assert {key for _, key, _ in sets} == {"cellar_door", "crypt", "market", "north_gate"}
    for scope, key, value in sets:
        assert value in WORLD.state_keys[key].values
        assert (scope or "everyone") == (WORLD.state_keys[key].scope or "everyone")


def test_leads_never_run_out_before_the_end() -> None:
    assert len(Game.new(1).journal().leads) >= 3
    assert all(len(text) < 140 for text, _ in LEADS)


def test_whatever_one_can_ask_about_is_mentioned_by_somebody_or_found() -> None:
    """Each topic comes up in what can be heard or found, beginning with what every stranger asks."""
    found = " ".join(CLUES[clue].text for clue in CLUES if clue.startswith("has-"))
    known = {*FROM_THE_START, *recognised(found), "promise", "bribe", "accept", "betray"}
    lines = [answer for answers in ANSWERS.values() for answer in answers]
    before: set[str] = set()
    while known != before:
        before = set(known)
        for answer in lines:
            if answer.topic in known:
                learned = " ".join(CLUES[clue].text for clue in answer.learns)
                known |= set(recognised(f"{answer.say} {learned}"))
    assert {answer.topic for answer in lines} <= known
