"""The two worlds we ship: clean, within budget, and tight about their secrets in every chapter."""

from __future__ import annotations

from itertools import product

import pytest

from npc_memory.memory import Fact
from npc_memory.world import check_world, list_worlds, load_world, mandatory_budgets
from npc_memory.world.budget import worst_case

WORLDS = {name: load_world(name) for name in list_worlds()}
EVERYONE_ELSE = [(name, npc) for name, world in WORLDS.items() for npc in world.npcs]


def plain_lines(items):
    return sum(len(item.text) + 3 for item in items)


def plain_words(entries):
    return sum(len(entry.words()) + 3 for entry in entries)


def plain_cost(snapshot):
    """Characters of everything mandatory; a dash, a blank and a newline for each line."""
    lists = plain_lines((*snapshot.rules, *snapshot.canonical_facts)) + plain_words(snapshot.world_state)
    return lists + len(snapshot.persona) + len(snapshot.time_text) + 6


def states(world):
    """Every combination of the values that conditions ask about."""
    keys = sorted({condition.key for fact in world.canon.values() for condition in fact.when})
    declared = [world.state_keys[key] for key in keys]
    for values in product(*(key.values for key in declared)):
        yield {(key.scope, key.key): value for key, value in zip(declared, values, strict=True)}


@pytest.mark.parametrize("name", WORLDS)
def test_lints_clean(name):
    assert check_world(name) == []


@pytest.mark.parametrize(("name", "npc"), EVERYONE_ELSE)
def test_no_secret_reaches_anyone_outside_its_scope(name, npc):
    world = WORLDS[name]
    who = world.npc(npc)
    allowed = {
        fact.id
        for fact in world.canon.values()
        if not fact.secret
        or npc in fact.scope.npcs
        or who.place in fact.scope.places
        or set(who.factions) & set(fact.scope.factions)
    }
    for state in states(world):
        assert {fact.id for fact in world.facts_for(npc, state)} <= allowed
    assert {fact.id for fact in world.secrets_not_known_by(npc)} == set(world.canon) - allowed


@pytest.mark.parametrize("name", WORLDS)
def test_every_fact_is_known_to_someone_at_some_time(name):
    world = WORLDS[name]
    seen = {fact.id for state in states(world) for npc in world.npcs for fact in world.facts_for(npc, state)}
    assert seen == set(world.canon)


@pytest.mark.parametrize("name", WORLDS)
def test_mandatory_text_leaves_room_to_talk(name):
    rows = mandatory_budgets(WORLDS[name], {}, plain_cost, limit=2800)
    assert [row.npc for row in rows] == list(WORLDS[name].npcs)
    assert [row for row in rows if not row.fits] == []


@pytest.mark.parametrize(("name", "npc"), EVERYONE_ELSE)
def test_nobody_ever_has_to_be_told_more_than_the_worst_case(name, npc):
    world = WORLDS[name]
    worst = worst_case(world, npc, {})
    costs = plain_lines(worst.canonical_facts), plain_words(worst.world_state)
    for state in states(world):
        assert plain_lines(world.facts_for(npc, state)) <= costs[0]
        assert plain_words(world.state_for(npc, state)) <= costs[1]


@pytest.mark.parametrize(("name", "npc"), EVERYONE_ELSE)
def test_example_answers_are_short_and_there_are_two(name, npc):
    examples = WORLDS[name].npc(npc).examples
    assert len(examples) == 2
    assert all(len(example.npc) <= 80 for example in examples)


def test_emberfall_is_the_world_the_story_needs():
    world = WORLDS["emberfall"]
    assert len(world.npcs) >= 10
    assert len(world.canon) >= 40
    assert {"inn", "smithy", "temple", "watch", "market", "outside"} == set(world.places)
    assert Fact("king-dead", "King Aldric is dead.", public=True) in world.facts_for("marta")
    assert ("north_bridge", "burned") in [(entry.key, entry.value) for entry in world.state_for("marta")]
    guards = [npc.id for npc in world.npcs.values() if npc.name == "Town Guard"]
    assert guards == ["guard-gate", "guard-wall"]


def test_emberfalls_secret_is_held_in_pieces():
    """At least six people who did not do it each know something that nobody else of them knows."""
    world = WORLDS["emberfall"]
    innocent = [npc for npc in world.npcs if npc not in ("osric", "pell")]
    alone = {
        npc: [f.id for f in world.canon.values() if f.secret and [k for k in f.scope.npcs if k in innocent] == [npc]]
        for npc in innocent
    }
    assert sum(bool(pieces) for pieces in alone.values()) >= 6
    assert not any("osric-guilty" in {fact.id for fact in world.facts_for(npc)} for npc in innocent)


def test_a_secret_told_to_one_town_guard_is_not_known_to_the_other():
    world = WORLDS["emberfall"]
    assert "osric-left-by-postern" in {fact.id for fact in world.facts_for("guard-gate")}
    assert "osric-left-by-postern" not in {fact.id for fact in world.facts_for("guard-wall")}


@pytest.mark.parametrize(
    ("fact", "lie"),
    [
        ("king-dead", "King Aldric is alive and well."),
        ("king-dead", "The king is still alive, love."),
        ("king-dead", "The King lives!"),
        ("king-dead", "The king's fine."),
        ("king-dead", "The king is not dead."),
        ("king-name", "King Edward was a good man."),
        ("bridge-gone", "The north bridge is open."),
        ("bridge-gone", "You can still cross the bridge."),
        ("bridge-gone", "The bridge has been repaired."),
        ("bridge-back", "The north bridge is burned."),
        ("curfew-rule", "There's no curfew here."),
        ("hale-is-captain", "Ask captain Brann."),
        ("osric-arrested", "Nobody has been caught."),
        ("room-price", "A room costs six silver."),
    ],
)
def test_lies_are_caught(fact, lie):
    assert any(pattern.search(lie) for pattern in WORLDS["emberfall"].canon[fact].patterns)


@pytest.mark.parametrize(
    "line",
    [
        "The king is dead, love. All is well at the inn, though.",
        "I am fine, thank you. The king was a kind man.",
        "Nobody can cross the bridge; it burned.",
        "Jory will take you over the river if the fare is right.",
        "There is a curfew, so be home by dark.",
        "Captain Hale runs the watch.",
        "A room costs four silver a night.",
        "Long live whoever comes next.",
    ],
)
def test_true_and_harmless_lines_pass(line):
    world = WORLDS["emberfall"]
    holding = {fact.id for npc in world.npcs for fact in world.facts_for(npc)}
    hits = [f.id for f in world.canon.values() if f.id in holding and any(p.search(line) for p in f.patterns)]
    assert hits == []
