"""The budget table: the worst case, measured by the caller."""

from __future__ import annotations

import pytest

from npc_memory.errors import UnknownId
from npc_memory.world import BudgetRow, load_world, mandatory_budget, mandatory_budgets
from npc_memory.world.budget import worst_case


def test_a_row_says_what_has_to_fit(make_pack):
    world = load_world(make_pack({}))
    seen = []
    row = mandatory_budget(world, "ada", {}, lambda snapshot: seen.append(snapshot) or 150, limit=200)
    assert row == BudgetRow("ada", "Ada", facts=4, state_entries=2, mandatory=150, limit=200)
    assert (row.share, row.fits) == (0.75, True)
    [snapshot] = seen
    assert [fact.id for fact in snapshot.canonical_facts] == [
        "ada-tired",
        "flour-stolen",
        "millers-paid",
        "wheel-broken",
    ]
    assert [rule.id for rule in snapshot.rules] == ["short"]
    assert (snapshot.persona, snapshot.player_line, snapshot.examples) == ("You are Ada, the miller.", "", ())


def test_conditional_facts_count_even_while_they_do_not_hold(make_pack):
    world = load_world(make_pack({}))
    whole = {("", "wheel"): "whole"}
    assert "wheel-broken" not in {fact.id for fact in world.facts_for("bo", whole)}
    assert "wheel-broken" in {fact.id for fact in worst_case(world, "bo", whole).canonical_facts}


def test_state_counts_with_its_longest_wording_and_with_what_the_game_set(edit):
    world = load_world(edit("state.yaml", "[broken, whole]", "[broken, whole, entirely shattered]"))
    words = [entry.words() for entry in worst_case(world, "bo", {("", "letter"): "x" * 500}).world_state]
    assert words == ["letter: " + "x" * 500, "sacks: 4", "The wheel is entirely shattered."]


def test_over_the_limit(make_pack):
    rows = mandatory_budgets(load_world(make_pack({})), {}, lambda snapshot: len(snapshot.canonical_facts), limit=2)
    assert [(row.npc, row.mandatory, row.fits, row.share) for row in rows] == [
        ("ada", 4, False, 2.0),
        ("bo", 2, True, 1.0),
    ]


def test_an_unknown_npc(make_pack):
    with pytest.raises(UnknownId):
        mandatory_budget(load_world(make_pack({})), "eve", {}, lambda _: 0, limit=1)
