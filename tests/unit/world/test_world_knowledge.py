"""Who knows which fact and sees which state: the loaded world against a plain re-statement of the rules."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.errors import UnknownId
from npc_memory.memory import Fact, StateEntry
from npc_memory.world import CanonFact, Condition, Npc, Scope, StateKey, World, load_world

PLACES, FACTIONS, NPCS, KEYS = ("inn", "mill"), ("guild", "watch"), ("ada", "bo", "cy"), ("a", "b", "c")
VALUES = ("x", "y", 1, 0, True, False)
SCOPES = ("", *(f"place:{p}" for p in PLACES), *(f"faction:{f}" for f in FACTIONS), *(f"npc:{n}" for n in NPCS))

values = st.sampled_from(VALUES)
subset = {
    name: st.sets(st.sampled_from(all_)).map(lambda s: tuple(sorted(s)))
    for name, all_ in {"places": PLACES, "factions": FACTIONS, "npcs": NPCS}.items()
}
scopes = st.just(Scope()) | st.builds(Scope, st.just(False), subset["places"], subset["factions"], subset["npcs"])
conditions = st.builds(
    Condition, st.sampled_from(KEYS), st.lists(values, min_size=1, max_size=3).map(tuple), st.booleans()
)
facts = st.builds(
    lambda scope, when, secret: CanonFact("", "", "", scope, secret and not scope.everyone, tuple(when)),
    scopes,
    st.lists(conditions, max_size=2, unique_by=lambda c: c.key),
    st.booleans(),
)
keys = st.builds(lambda d, s, v: StateKey("", d, s, v), values, st.sampled_from(SCOPES), st.booleans())
overlays = st.dictionaries(
    st.tuples(st.sampled_from(SCOPES), st.sampled_from((*KEYS, "unknown"))), values | st.none(), max_size=6
)
people = st.builds(
    lambda place, factions: Npc(
        id="", name="", pronoun="", persona="", place=place, factions=factions, greeting="", moods=(), fallback=()
    ),
    st.sampled_from(PLACES),
    subset["factions"],
)


def renamed(item, **changes):
    """A copy with other fields; not ``dataclasses.replace``, to keep the slots' defaults out of it."""
    return type(item)(**{name: changes.get(name, getattr(item, name)) for name in item.__dataclass_fields__})


@st.composite
def worlds(draw):
    canon = [renamed(draw(facts), id=f"f{i}", text=f"Fact {i}.", spoken="s") for i in range(draw(st.integers(0, 5)))]
    return World(
        id="w",
        name="W",
        version="1",
        seed=0,
        description="",
        start_time=0,
        fingerprint="",
        rules=(),
        moods=(),
        places=MappingProxyType({}),
        factions=MappingProxyType({}),
        npcs=MappingProxyType({id: renamed(draw(people), id=id) for id in NPCS}),
        canon=MappingProxyType({fact.id: fact for fact in canon}),
        state_keys=MappingProxyType({key: renamed(draw(keys), key=key) for key in KEYS}),
    )


def plain_state(world, npc, place, factions, overlay):
    """Narrowest scope first; in each, what the game set, else the default; a None there shows the wider one."""
    order = [f"npc:{npc}", *[f"faction:{f}" for f in sorted(factions)], f"place:{place}", ""]
    found = {}
    for key in (*KEYS, "unknown"):
        for scope in order:
            declared = world.state_keys.get(key)
            default = declared.default if declared and declared.scope == scope else None
            value = overlay.get((scope, key), default)
            if value is not None:
                found[key] = value
                break
    return found


def plain_holds(condition, state):
    has = any(type(v) is type(state.get(condition.key)) and v == state.get(condition.key) for v in condition.values)
    return not has if condition.negated else has


def plain_knows(fact, npc, home, place, factions):
    lists = fact.scope
    return (
        lists.everyone
        or npc in lists.npcs
        or bool({home, place} & set(lists.places))
        or bool(set(factions) & set(lists.factions))
    )


@given(worlds(), overlays, st.none() | st.sampled_from(PLACES), st.none() | subset["factions"])
def test_facts_and_state_are_those_of_the_rules(world, overlay, place, factions):
    for npc in world.npcs.values():
        here, belongs = place or npc.place, npc.factions if factions is None else factions
        state = plain_state(world, npc.id, here, belongs, overlay)
        entries = world.state_for(npc.id, overlay, place=place, factions=factions)
        assert [(e.key, e.value, type(e.value)) for e in entries] == [(k, v, type(v)) for k, v in sorted(state.items())]
        known = world.facts_for(npc.id, overlay, place=place, factions=factions)
        assert [fact.id for fact in known] == [
            fact.id
            for fact in world.canon.values()
            if plain_knows(fact, npc.id, npc.place, here, belongs) and all(plain_holds(c, state) for c in fact.when)
        ]


@given(worlds(), overlays)
def test_public_facts_are_the_same_for_everyone(world, overlay):
    everyone = {tuple(fact for fact in world.facts_for(npc, overlay) if fact.public) for npc in world.npcs}
    assert len(everyone) == 1
    for fact in everyone.pop():
        assert world.canon[fact.id].scope.everyone
        assert not any(world.state_keys[condition.key].volatile for condition in world.canon[fact.id].when)


@given(worlds(), overlays)
def test_a_secret_is_known_or_listed_as_unknown(world, overlay):
    for npc in world.npcs:
        unknown = {fact.id for fact in world.secrets_not_known_by(npc)}
        assert not unknown & {fact.id for fact in world.facts_for(npc, overlay)}
        assert all(world.canon[id].secret for id in unknown)
        standing = world.standing(npc)
        assert unknown == {f.id for f in world.canon.values() if f.secret and not f.scope.covers(standing)}


@given(worlds(), overlays)
def test_the_order_of_the_overlay_is_irrelevant(world, overlay):
    backwards = dict(reversed(list(overlay.items())))
    for npc in world.npcs:
        assert world.facts_for(npc, overlay) == world.facts_for(npc, backwards)
        assert world.state_for(npc, overlay) == world.state_for(npc, backwards)


def test_a_fact_appears_the_moment_the_state_says_so(make_pack):
    world = load_world(make_pack({}))
    assert Fact("wheel-broken", "The wheel is broken.", public=True) in world.facts_for("bo")
    assert "wheel-broken" not in {f.id for f in world.facts_for("bo", {("", "wheel"): "whole"})}
    assert "wheel-broken" in {f.id for f in world.facts_for("bo", {("", "wheel"): "broken"})}


def test_what_only_some_see_decides_for_them_alone_and_is_not_public(make_pack):
    world = load_world(make_pack({}))
    overlay = {("place:yard", "wheel"): "whole"}
    assert "wheel-broken" not in {f.id for f in world.facts_for("bo", overlay)}
    assert Fact("wheel-broken", "The wheel is broken.", public=False) in world.facts_for("ada", overlay)


def test_a_fact_under_knows_reaches_her_and_whoever_names_it(edit):
    world = load_world(edit("npcs/bo.yaml", "greeting: Hm.", "greeting: Hm.\nknows: [ada-tired, flour-stolen]"))
    assert {"ada-tired", "flour-stolen"} <= {fact.id for fact in world.facts_for("bo")}
    assert world.canon["ada-tired"].scope == Scope(False, npcs=("ada", "bo"))
    assert world.npc("bo").knows == ("ada-tired", "flour-stolen")


def test_an_npc_who_moved_keeps_home_knowledge_and_gains_that_of_the_place(make_pack):
    world = load_world(
        make_pack(
            {
                "npcs/ada.yaml": None,
                "facts.yaml": "- {id: y, text: Y., scope: {places: [yard]}}\n"
                "- {id: m, text: M., scope: {places: [mill]}}\n",
            }
        )
    )
    assert [f.id for f in world.facts_for("bo")] == ["y"]
    assert [f.id for f in world.facts_for("bo", place="mill")] == ["m", "y"]


def test_a_faction_joined_or_left(make_pack):
    world = load_world(make_pack({"npcs/bo.yaml": None}))
    assert "millers-paid" in {f.id for f in world.facts_for("ada")}
    assert "millers-paid" not in {f.id for f in world.facts_for("ada", factions=())}


def test_state_is_worded_by_the_pack_and_unknown_keys_are_shown_as_they_are(make_pack):
    world = load_world(make_pack({}))
    assert world.state_for("bo", {("", "zebra"): True}) == (
        StateEntry("sacks", 4, volatile=True),
        StateEntry("wheel", "broken", text="The wheel is broken."),
        StateEntry("zebra", True),
    )
    assert world.state_for("bo", {("", "wheel"): "{value}"})[1].text == "The wheel is {value}."


def test_state_worded_value_by_value(edit):
    world = load_world(
        edit("state.yaml", "text: The wheel is {value}.", "text: {broken: It is stuck., whole: It turns.}")
    )
    words = lambda value: world.state_for("bo", {("", "wheel"): value})[1].words()  # noqa: E731
    assert [words(v) for v in ("broken", "whole", "lost")] == ["It is stuck.", "It turns.", "wheel: lost"]


def test_unknown_npcs_are_named_with_those_known(make_pack):
    world = load_world(make_pack({}))
    for ask in (world.npc, world.facts_for, world.state_for, world.secrets_not_known_by):
        with pytest.raises(UnknownId) as caught:
            ask("eve")
        assert "ada, bo" in caught.value.hint


def test_the_world_is_frozen(make_pack):
    world = load_world(make_pack({}))
    with pytest.raises(AttributeError):
        world.seed = 6  # type: ignore[misc]
    with pytest.raises(TypeError):
        world.npcs["eve"] = world.npc("bo")  # type: ignore[index]
    with pytest.raises(AttributeError):
        world.npc("bo").name = "Eve"  # type: ignore[misc]
