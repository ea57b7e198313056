"""NPCs who share a place tell each other by rule: bounded, discreet, always the same, and nothing is made up."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest
from hearsay_kit import CROWD, WOLF, knows, prompt, saw, tells, together
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario_kit import line, open_mind

from npc_memory.discretion import MOST_SOURCES, Discretion
from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.inference import ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.outcomes import REFUSED, write_outcome
from npc_memory.world import load_world


def test_those_who_share_a_place_pass_on_what_happened_and_only_they(mind):
    saw(mind)
    together(mind, "marta", "brann")
    (made,) = mind.gossip("inn")
    assert [one.id for one in mind.beliefs("brann")] == [made]
    assert mind.gossip("inn") == (), "what is known is not told twice"
    assert all(knows(mind, npc) == [] for npc in mind.world.npcs if npc != "brann")


def test_a_rumour_takes_its_time_and_ends_after_some_mouths(mind):
    event = saw(mind)
    for teller, hearer in itertools.pairwise(CROWD):
        mind.clock(mind.game_time + 60)
        mind.gossip(npcs=[teller, hearer])
    assert [bool(knows(mind, npc)) for npc in CROWD] == [False, True, True, True, False, False]
    assert mind.trace(mind.beliefs("nim")[0].id)[-1].id == event


def test_nothing_crosses_a_town_in_one_round(mind):
    saw(mind)
    together(mind, "marta", "brann", "jory")
    mind.gossip("inn")
    assert {mind.beliefs(npc)[0].teller for npc in ("brann", "jory")} == {"marta"}


def test_an_hour_holds_so_much_and_no_more(mind):
    for number in range(5):
        saw(mind, f"Barrel {number} of salt was stolen from the guild.")
    together(mind, "marta", "brann")
    assert len(mind.gossip("inn")) == 2
    assert mind.gossip("inn") == ()
    mind.clock(mind.game_time + 60)
    assert len(mind.gossip("inn", per_hour=1)) == 1
    assert mind.gossip("inn", per_hour=0) == ()


@pytest.mark.parametrize(
    "secret",
    [
        {"data": {"scope": "faction:watch"}},
        {"data": {"scope": "npc:marta"}},
        {"data": {"scope": ["malformed"]}},
        {"actor": "p1"},  # before her eyes alone
        {"text": "Tamsin, the cupbearer, hides in the kitchen of the inn."},
    ],
)
def test_secrets_stay_where_they_are_unless_the_game_has_them_told(mind, secret):
    text = secret.get("text", WOLF)
    saw(mind, **{"text": WOLF, **secret})
    together(mind, "marta", "brann")
    assert mind.gossip("inn") == ()
    tells(mind, "marta", "brann", text)
    assert knows(mind, "brann") == [text]


def test_what_is_secret_to_a_faction_goes_round_within_it_and_no_further(mind):
    saw(mind, audience=("captain-hale",), data={"scope": "faction:watch"})
    together(mind, "captain-hale", "guard-gate", "marta")
    mind.gossip("inn")
    mind.clock(mind.game_time + 60)
    mind.gossip("inn")
    assert knows(mind, "guard-gate") == [WOLF]
    assert knows(mind, "marta") == []


def test_a_players_whisper_is_never_gossip(mind):
    mind.talk("marta", "p1", "A grey wolf bit Pell, do not tell anyone.", audience=[])
    mind.observe("whisper", "A wolf bit Pell.", actor="p1", target="marta", audience=[])
    together(mind, "marta", "brann")
    assert mind.gossip("inn") == ()
    assert "wolf" not in prompt(mind, "brann", "What of Pell?")


def test_what_was_made_of_a_players_words_is_as_private_as_they_were(mind):
    said = mind.talk("marta", "p1", "A wolf bit me, tell nobody.", audience=["brann"]).turn
    mind.believe("marta", "He fears wolves.", subject="p1", evidence=[said])
    (episode,) = mind.store.episodes("marta")
    mind.believe("marta", "He was at the ford.", subject="p1", evidence=[episode.id])
    whispered = mind.observe("whisper", "Nim begged for bread.", actor="nim", target="marta", audience=[])
    mind.believe("marta", "Nim is hungry.", evidence=[whispered])
    together(mind, "marta", "jory")
    assert mind.gossip("inn") == ()


def test_what_was_made_of_what_was_made_of_private_matters_is_private(mind):
    saw(mind, "Rolf stole the golden cup.", actor="p1")
    (episode,) = mind.store.episodes("marta")
    mind.believe("marta", "The traveller is a cup thief.", evidence=[episode.id])
    said = mind.talk("marta", "p1", "I killed the miller, tell nobody.").turn
    made = mind.believe("marta", "The traveller killed the miller.", evidence=[said])
    for number in range(4):
        made = mind.believe("marta", f"Murder number {number} was done at night.", evidence=[made])
    assert mind.gossip(npcs=["marta", "edda"], per_hour=9) == ()


def test_what_became_of_what_a_player_asked_for_is_between_the_two(mind):
    said = mind.talk("marta", "p1", "Sell me poison.").turn
    with mind.store.transaction() as writer:
        outcome = write_outcome(writer, mind.store.turn(said), REFUSED, "No poison was sold.", mind.game_time)
    mind.believe("marta", "Somebody is after poison.", evidence=[outcome])
    assert mind.gossip(npcs=["marta", "edda"]) == ()


def test_what_was_made_of_more_than_can_be_looked_at_is_kept(mind):
    made = saw(mind)
    together(mind, "marta")
    for number in range(MOST_SOURCES + 1):
        made = mind.believe("marta", f"Wolf number {number} is about.", evidence=[made])
    record = mind.store.ever(made)
    assert Discretion(mind.world, mind.store).keeps("marta", record)
    assert not Discretion(mind.world, mind.store).keeps("marta", mind.store.ever(record.provenance[0]))


def test_what_is_told_on_goes_with_the_line_it_came_from(mind):
    answers = mind.converse(["marta", "nim"], turns=2).replies
    mind.believe("nim", "Marta is cheerful.", evidence=[mind.store.turns("nim")[0].id])
    together(mind, "nim", "jory")
    assert len(mind.gossip("inn")) == 1
    together(mind, "jory", "edda")
    mind.clock(mind.game_time + 60)
    assert len(mind.gossip("inn")) == 1
    assert [len(mind.beliefs(npc)) for npc in ("nim", "jory", "edda")] == [1, 1, 1]
    mind.delete(mind.store.turns("nim")[0].id)
    assert [mind.beliefs(npc, all=True) for npc in ("nim", "jory", "edda")] == [(), (), ()]
    assert len(answers) == 2


def test_what_says_nothing_or_was_rolled_again_to_an_authored_line_stops_no_gossip(mind):
    saw(mind, "  ")
    mind.converse(["marta", "nim"], turns=1)
    turn = mind.store.turns("marta")[-1]
    mind.believe("marta", "Nim is hungry.", evidence=[turn.id], hand_written=True)
    with mind.store.transaction() as writer:
        writer.revise(authority=Authority.GAME, turn=turn.id, text="…", mark="fallback")
    together(mind, "marta", "brann")
    assert len(mind.gossip("inn")) == 1
    assert knows(mind, "brann") == ["Nim is hungry."]


def test_a_belief_without_a_source_is_nobodys_gossip(mind):
    mind.believe("marta", "Pell is a thief.")
    event = saw(mind)
    mind.believe("marta", "Pell is unlucky.", evidence=[event])
    together(mind, "marta", "brann")
    made = mind.gossip("inn")
    assert sorted(knows(mind, "brann")) == [WOLF, "Pell is unlucky."]
    assert all(mind.trace(one)[-1].kind == "event" for one in made)


def test_the_same_town_gossips_the_same(tmp_path: Path):
    told_of = []
    for number in range(2):
        with open_mind(tmp_path / f"{number}.db") as mind:
            for at, npc in enumerate(CROWD):
                saw(mind, f"Barrel {at} of salt was stolen.", audience=(npc,))
            together(mind, *CROWD)
            for _ in range(3):
                mind.clock(mind.game_time + 60)
                mind.gossip("inn")
            told_of.append([mind.beliefs(npc) for npc in CROWD])
    assert told_of[0] == told_of[1]
    assert any(one.distance > 0 for held in told_of[0] for one in held)


def test_gossip_needs_a_place_or_npcs(mind):
    for wrong in ({}, {"place": "inn", "npcs": ["marta", "brann"]}, {"place": "inn", "per_hour": -1}):
        with pytest.raises(InvalidInput):
            mind.gossip(**wrong)
    with pytest.raises(UnknownId):
        mind.gossip(npcs=["marta", "nobody"])
    assert mind.gossip(npcs=["marta"]) == ()
    assert mind.gossip("nowhere") == ()


# -- a world that gossips ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """Emberfall, whose people gossip."""
    folder = tmp_path_factory.mktemp("packs") / "emberfall"
    shutil.copytree(Path(__file__).parents[2] / "worlds" / "emberfall", folder)
    with (folder / "world.yaml").open("a", encoding="utf-8") as file:
        file.write("\ngossip: {per_hour: 1, distance: 2}\n")
    return folder


def test_the_clock_lets_a_gossiping_world_gossip(pack):
    with open_mind(world=pack) as mind:
        saw(mind)
        together(mind, "marta", "brann")
        mind.clock(mind.game_time + 1)
        assert knows(mind, "brann") == []
        mind.clock(mind.game_time + 60)
        assert knows(mind, "brann") == [WOLF]
    assert load_world(pack).fingerprint != load_world("emberfall").fingerprint


def test_worlds_that_say_nothing_of_gossip_are_as_they_were(mind):
    saw(mind)
    together(mind, "marta", "brann")
    mind.clock(mind.game_time + 600)
    assert knows(mind, "brann") == []


def converse(pack: Path | str, said: str) -> tuple[list[str], list[str]]:
    engine = ScriptedEngine([said, "I see."], format=line)
    with open_mind(world=pack, engine=engine) as mind:
        saw(mind)
        mind.converse(["marta", "brann"], topic="the wolf and Pell", turns=2)
        made = mind.beliefs("brann")
        ways = [[one.kind for one in mind.trace(belief.id)] for belief in made]
        assert all(way == ["belief", "episode", "event"] for way in ways)
        turns = {one.id: one for one in mind.store.turns("brann")}
        for belief in made:
            assert any(one in turns for one in belief.evidence), "it says in which line it was told"
        for turn in list(turns.values())[:1]:
            mind.delete(turn.id)
        return [belief.text for belief in made], knows(mind, "brann")


def test_what_was_really_said_in_a_conversation_is_believed_and_goes_with_the_line(pack):
    assert converse(pack, "A wolf bit poor Pell, down at the ford.") == ([WOLF], [])


@pytest.mark.parametrize(
    "said", ["A dragon ate Osric in the market.", "Did a wolf bite Pell at the ford?", "No wolf bit Pell at the ford."]
)
def test_what_was_made_up_asked_or_denied_is_only_a_line(pack, said):
    assert converse(pack, said) == ([], [])


def test_without_gossip_in_the_world_a_conversation_is_a_conversation():
    assert converse("emberfall", "A wolf bit poor Pell, down at the ford.") == ([], [])


def test_the_case_of_a_kind_is_ignored(mind):
    mind.observe("Whisper", "The vault code is four seven.", actor="brann", target="marta", audience=[])
    whispered = mind.store.episodes("marta")[0].id
    mind.believe("marta", "There is a vault.", evidence=[whispered])
    assert mind.gossip(npcs=["marta", "edda"]) == ()
    mind.observe("Tell", WOLF, actor="marta", target="brann", audience=[])
    assert knows(mind, "brann") == [WOLF]
    assert mind.gossip(npcs=["marta", "edda"]) == (), "that she told it is hers"


def test_what_was_whispered_is_not_passed_on_in_a_conversation(pack):
    secret = "The vault code is four seven."
    with open_mind(world=pack, engine=ScriptedEngine([secret], format=line)) as mind:
        mind.observe("whisper", secret, actor="brann", target="marta", audience=[])
        mind.converse(["marta", "edda"], topic="the vault code", turns=1)
        assert knows(mind, "edda") == []


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("saw"), st.sampled_from(CROWD), st.integers(0, 3)),
            st.tuples(st.just("meet"), st.sampled_from(CROWD), st.sampled_from(CROWD)),
            st.tuples(st.just("think"), st.sampled_from(CROWD), st.integers(0, 3)),
        ),
        max_size=12,
    )
)
def test_nothing_is_believed_from_others_without_a_source(mind, steps):
    mind.load("begin")
    for step, npc, other in steps:
        mind.clock(mind.game_time + 30)
        if step == "saw":
            saw(mind, f"Barrel {other} of salt was stolen.", audience=(npc,))
        elif step == "think":
            mind.believe(npc, f"Thief {other} is about.")
        elif npc != other:
            mind.gossip(npcs=[npc, other])
    texts = {one.text for one in mind.store.events()}
    for npc in CROWD:
        for belief in (one for one in mind.beliefs(npc, all=True) if one.distance):
            way = mind.trace(belief.id)
            assert (way[-1].kind, belief.text in texts, way[-1].text) == ("event", True, belief.text)
            sure = [one.confidence for one in way if one.kind == "belief"]
            assert sure == sorted(sure)
            assert belief.distance <= 3
            assert [one.npc for one in way if one.kind == "belief"].count(npc) == 1
