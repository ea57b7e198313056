"""What an NPC has in mind first after any sequence of writes, saves, loads and erasures is what a process would find
that opens the file then: nothing of what is kept for speed may show.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from npc_memory import conversation
from npc_memory.conversation import SESSION_GAP
from npc_memory.errors import AliasRefused, InvalidInput
from npc_memory.hearing import Line, gather
from npc_memory.inference import ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store, compaction
from npc_memory.store.seen import Seen
from npc_memory.world import load_world

NPCS = ("marta", "brann")
PLAYERS = ("p1", "p2")
ACTORS = (*PLAYERS, "stranger")
MOST_EXCHANGES = 2
PLACES = ("green_hart", "mill")
WORDS = ("barley and silver", "the mill burns", "a fox at the bridge", "silver for the song", "barley")

WORLD = load_world("emberfall")
npcs, players, words = st.sampled_from(NPCS), st.sampled_from(PLAYERS), st.sampled_from(WORDS)


def talk(self, draw):
    self.mind.talk(draw(npcs), draw(players), draw(words), audience=draw(st.none() | st.just(NPCS)))


def observe(self, draw):
    place, actor = draw(st.sampled_from(("", *PLACES))), draw(st.sampled_from(("", *ACTORS)))
    self.mind.observe("sight", draw(words), place=place, actor=actor, audience=(draw(npcs),))


def set_state(self, draw):
    value = draw(st.none() | st.integers(0, 3))
    self.mind.set_state({draw(st.sampled_from("ab")): value}, draw(st.sampled_from(("", "npc:marta"))))


def actor(self, draw):
    name, place = draw(st.sampled_from(("", "Rolf", "Traveller"))), draw(st.sampled_from(("", *PLACES)))
    self.mind.actor(draw(st.sampled_from((*NPCS, *ACTORS))), name=name, place=place)


def feel(self, draw):
    with self.mind.store.transaction() as write:
        amount, kind = draw(st.sampled_from((-40, 30))), draw(st.sampled_from(("trust", "fear")))
        write.relationship(authority=Authority.GAME, npc=draw(npcs), other=draw(players), kind=kind, amount=amount)


def know(self, draw):
    npc, object = draw(st.sampled_from(("", *NPCS))), draw(st.sampled_from(("barley", "silver", "fox")))
    with self.mind.store.transaction() as write:
        write.triple(authority=Authority.GAME, npc=npc, subject=draw(players), relation="sells", object=object)
        write.belief(authority=Authority.INFERENCE, npc=draw(npcs), text=draw(words), subject=draw(players))


def alias(self, draw):
    with contextlib.suppress(AliasRefused):
        self.mind.actor(draw(st.sampled_from(ACTORS)), alias_of=draw(st.sampled_from(ACTORS)))


def reborn(self, draw):
    self.mind.actor(draw(st.sampled_from(ACTORS)), reborn=True)


def end(self, draw):
    self.mind.end(draw(players), draw(st.none() | npcs))


def clock(self, draw):
    self.mind.clock(self.mind.game_time + draw(st.sampled_from((5, SESSION_GAP, SESSION_GAP + 1))))


def take_back(self, draw):
    how, turns = draw(st.sampled_from(("retry", "edit", "delete", "erase"))), self.mind.store.turns(draw(npcs))
    if turns:
        turn = draw(st.sampled_from(turns)).id
        given = {"edit": (turn, "a fox"), "erase": ([turn],)}.get(how, (turn,))
        try:
            getattr(self.mind, how)(*given)
        except InvalidInput:
            assert how == "retry"


WRITES = (*4 * (talk, set_state), *2 * (observe, actor, take_back), feel, know, alias, reborn, end, clock)


class SnapshotMachine(RuleBasedStateMachine):
    """Drives a mind on a real file."""

    @initialize()
    def begin(self):
        self.folder = Path(tempfile.mkdtemp())
        self.open()
        self.saved: list[str] = []
        self.marked, conversation.MARKED = conversation.MARKED, 3

    def open(self):
        world = WORLD
        store = Store.open(self.folder / "w.db", world=world.id, world_version=world.version)
        self.mind = Mind(world, store, ScriptedEngine(format=lambda text, _: f"{text}\n"), load_prompt("transcript"))

    def teardown(self):
        if hasattr(self, "folder"):
            self.look()
            self.mind.close()
            self.open()
            self.look()
            self.mind.close()
            conversation.MARKED = self.marked
            shutil.rmtree(self.folder)

    @rule(data=st.data())
    def write(self, data):
        data.draw(st.sampled_from(WRITES))(self, data.draw)

    @rule(player=st.sampled_from(ACTORS))
    def forget(self, player):
        self.mind.forget(player)

    @rule(slot=st.sampled_from("xyz"))
    def save(self, slot):
        self.saved.append(self.mind.save(slot).save_id)

    @precondition(lambda self: getattr(self, "saved", None))
    @rule(data=st.data(), looks=st.booleans())
    def load(self, data, looks):
        self.mind.load(data.draw(st.sampled_from(self.saved)))
        if looks:
            self.look()

    @rule(data=st.data(), back=st.sampled_from(("here", "auto")))
    def there_and_back(self, data, back):
        """All is known, something happens and is known, a save is loaded, something else happens, and back."""
        self.saved.append(self.mind.save("here").save_id)
        for way in ("here", *data.draw(st.lists(st.sampled_from(self.saved), max_size=2)), back):
            self.look()
            for write in data.draw(st.lists(st.sampled_from(WRITES), min_size=1, max_size=3)):
                write(self, data.draw)
            if data.draw(st.booleans()):
                self.look()
            self.mind.load(way)
        self.look()

    @rule()
    def compact(self):
        most, compaction.MOST_FOREBEARS = compaction.MOST_FOREBEARS, 1
        try:
            self.mind.store.compact_step()
        finally:
            compaction.MOST_FOREBEARS = most

    @rule()
    def fail(self):
        """What is written and seen within a transaction that fails leaves nothing."""
        with self.mind.store.rehearsal():
            self.mind.set_state({"a": 9})
            self.mind.actor("p1", name="Nobody")
            self.mind.observe("sight", "nothing", audience=NPCS)
            self.look()

    @rule()
    def look(self):
        """The same is heard with all that is kept and without anything."""
        store = self.mind.store
        with store.reading():  # a lineage outside of it may be compacted meanwhile, beside the game
            fresh = Store(store._database, Seen(store._seen.lineage), lambda: 0)
            assert store.state() == fresh.state()
            assert store.actors() == fresh.actors()
            for npc in NPCS:
                for player in PLAYERS:
                    assert self.heard(store, npc, player) == self.heard(fresh, npc, player)

    def heard(self, store, npc, player):
        line = Line(npc=npc, player=player, text="Who has barley, silver or a fox?")
        return replace(gather(self.mind.world, store, line, self.mind.prompt, MOST_EXCHANGES), epoch=0)


RELAXED = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "report_multiple_bugs": False,
    "phases": (Phase.explicit, Phase.reuse, Phase.generate),  # what fails is told by its steps; shrinking takes minutes
}


class TestSnapshotMachine(SnapshotMachine.TestCase):
    settings = settings(max_examples=3, stateful_step_count=20, derandomize=True, **RELAXED)


@pytest.mark.full
class TestSnapshotMachineLong(SnapshotMachine.TestCase):
    settings = settings(max_examples=30, stateful_step_count=50, **RELAXED)
