"""What is meant for few stays among them, and so does whatever anybody makes of it, at whatever remove: in gossip, in
conversations and before those who overhear them, in what is told and in what is recalled.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hearsay_kit import knows, saw, tells, together
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario_kit import line, open_mind
from searches import examples

from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.world import Gossip, load_world

WATCH, OTHERS = ("captain-hale", "guard-gate"), ("marta", "brann")
ALL = (*WATCH, *OTHERS)
WORD = "quicksilver"
SECRET = f"The {WORD} lies under the third barrel."
SCOPED = {"data": {"scope": "faction:watch"}}


@pytest.fixture(scope="module", params=[False, True], ids=["quiet", "gossiping"])
def town(request: pytest.FixtureRequest):
    """Two of the watch and two others; in the second town a conversation passes on what was said in it."""
    world = replace(load_world("emberfall"), gossip=Gossip(per_hour=8, distance=9) if request.param else None)
    with open_mind(world=world, engine=ScriptedEngine(format=line)) as one:
        together(one, *ALL)
        one.save("begin")
        yield one


def leaked(mind: Mind, told: set[str]) -> list[str]:
    """Those who have it and should not, from wherever."""
    found = []
    for npc in sorted({*OTHERS} - told):
        held = [one.text for one in mind.beliefs(npc, all=True)]
        known = [one.text for one in mind.recall(npc, SECRET, k=100)]
        found += [f"{npc}: {text}" for text in (*held, *known) if WORD in text]
    return found


def spoken_of(mind: Mind, npcs: tuple[str, str], place: str | None = None) -> bool:
    """Whether it stood in a prompt of a conversation."""
    engine = mind.engine
    assert isinstance(engine, ScriptedEngine)
    before = len(engine.requests)
    mind.converse(list(npcs), topic="the third barrel", turns=2, place=place)
    return any(WORD in "".join(map(str, one.segments)) for one in engine.requests[before:])


def newest(mind: Mind, npc: str) -> list[str]:
    return [one.id for one in mind.store.newest_memories(npc, 8)]


STEP = st.one_of(
    st.tuples(st.just("think"), st.sampled_from(ALL), st.integers(0, 7)),
    st.tuples(st.just("tell"), st.sampled_from(WATCH), st.integers(0, 7)),
    st.tuples(st.just("leak"), st.sampled_from(WATCH), st.integers(0, 7)),
    st.tuples(st.just("gossip"), st.sampled_from(ALL), st.sampled_from(ALL)),
    st.tuples(st.just("converse"), st.sampled_from(ALL), st.sampled_from(ALL)),
)


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEP, max_size=10), st.sampled_from([SCOPED, {"data": {"scope": "npc:captain-hale"}}, {"kind": None}]))
def test_whatever_is_made_of_a_secret_is_as_secret(mind, steps, how):
    mind.load("begin")
    told: set[str] = set()
    if "kind" in how:
        mind.observe("whisper", SECRET, actor="captain-hale", target="guard-gate", audience=[])
    else:
        saw(mind, SECRET, audience=WATCH, **how)
    for number, (step, npc, more) in enumerate(steps):
        mind.clock(mind.game_time + 60)
        ids = newest(mind, npc)
        if step == "think" and ids:
            source = ids[more % len(ids)]
            of = f" of {WORD}" if WORD in mind.store.ever(source).text else ""
            mind.believe(npc, f"So number {number}{of} it is.", evidence=[source])
        elif step in ("tell", "leak") and ids:
            hearer = next(one for one in WATCH if one != npc) if step == "tell" else "marta"
            memory = mind.store.ever(ids[more % len(ids)])
            tells(mind, npc, hearer, memory.text, data={"source": memory.id})
            told |= {hearer}
        elif step == "gossip" and npc != more:
            mind.gossip(npcs=[npc, more], per_hour=9, distance=9)
        elif step == "converse" and npc != more:
            mind.converse([npc, more], topic="the third barrel", turns=2)
        assert leaked(mind, told) == []


def test_a_belief_without_a_scope_from_a_scoped_event_is_in_its_circle(mind):
    event = saw(mind, SECRET, audience=("captain-hale",), **SCOPED)
    made = mind.believe("captain-hale", f"There is {WORD}.", evidence=[event])
    further = mind.believe("captain-hale", f"Somebody hides {WORD}.", evidence=[made])
    assert mind.gossip(npcs=["captain-hale", "marta"], per_hour=9) == ()
    assert len(mind.gossip(npcs=["captain-hale", "guard-gate"], per_hour=9)) == 3
    assert mind.gossip(npcs=["guard-gate", "marta"], per_hour=9) == ()
    tells(mind, "captain-hale", "marta", f"Somebody hides {WORD}.", data={"source": further})
    assert knows(mind, "marta") == [f"Somebody hides {WORD}."], "the game knows what it does"
    mind.clock(mind.game_time + 60)
    assert mind.gossip(npcs=["marta", "brann"], per_hour=9) == (), "and goes no further by itself"


def test_one_who_may_not_be_told_by_one_may_be_by_another(mind):
    event = saw(mind, "A barrel was moved.", audience=(*WATCH, "brann"))
    tells(mind, "captain-hale", "guard-gate", "A barrel was moved.", data={"scope": "faction:watch"})
    mind.gossip(npcs=["captain-hale", "brann", "marta"])
    assert knows(mind, "marta") == ["A barrel was moved."]
    assert mind.trace(mind.beliefs("marta")[0].id)[-1].id == event


def test_what_is_meant_for_few_does_not_come_up_while_others_hear(mind):
    saw(mind, SECRET, audience=WATCH, **SCOPED)
    assert not spoken_of(mind, WATCH), "marta and brann sit at the next table"
    assert spoken_of(mind, WATCH, place="barracks")
    assert not spoken_of(mind, ("captain-hale", "marta"), place="barracks")
