"""What the machine of a mind compares, and how it keeps its model: after every step, and once more at the end."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant
from mind_life import Game, Memory, Spoken
from mind_pack import NPCS, PLAYERS, write_pack
from mind_twin import QUERY, live_again, open_mind, shows

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.hearing import Line, hear
from npc_memory.recall.folding import fold_key
from npc_memory.recalling import OFFERED
from npc_memory.store import Store, compaction
from npc_memory.store.seen import Seen
from npc_memory.world import load_world

__all__ = ["STEPS", "Comparing", "audiences", "npcs", "players", "texts", "words"]

STEPS: Counter[str] = Counter()
"""How many "steps" were followed by a comparison, over all examples, and what was done that might have gone missing."""

npcs, players = st.sampled_from(NPCS), st.sampled_from(PLAYERS)
words = st.sampled_from(("silver", "flour", "rats", "the crown", "barley", "a fox"))
deeds = st.sampled_from(("rolf stole {} from the mill", "ann hid {}", "I saw {} on the road", "who has {} now"))
texts = st.builds(lambda deed, word: f"{deed.format(word)}.", deeds, words)
audiences = st.none() | st.lists(npcs, max_size=2, unique=True)


class Comparing(RuleBasedStateMachine):
    """A mind on a real file, and the model beside it."""

    @initialize()
    def begin(self):
        shm = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(dir=shm if shm.is_dir() else None))
        self.world = load_world(write_pack(self.folder / "pack"))
        self.files = 0
        self.file = self.folder / "0.sqlite3"
        self.game = Game()
        self.most, compaction.MOST_FOREBEARS = compaction.MOST_FOREBEARS, 1
        self.mind = open_mind(self.world, self.file)
        self.life.clock = self.world.start_time
        self.asked = 0

    def teardown(self):
        if not hasattr(self, "mind"):
            return
        compaction.MOST_FOREBEARS = self.most
        try:
            if sys.exc_info()[0] is None:  # what failed first is what matters
                self.twin()
        finally:
            self.mind.close()
            shutil.rmtree(self.folder)

    @property
    def life(self):
        return self.game.life

    @property
    def store(self):
        return self.mind.store

    @invariant()
    def agrees(self):
        if not hasattr(self, "mind"):
            return
        self.agrees_with_the_model()
        self.asked += 1
        npc = NPCS[self.asked % len(NPCS)]
        self.present = npc, self.heard(self.store, npc)
        self.agrees_with_a_fresh_store()
        self.agrees_with_a_copy()
        STEPS["steps"] += 1

    def agrees_with_the_model(self):
        store, life = self.store, self.life
        assert store.game_time() == life.clock
        assert dict(store.state()) == {slot: one for slot, one in life.state.items() if one is not None}
        assert store.audit_ids() == tuple(life.audits)
        assert {one.id: one.text for one in store.events()} == {id: text for id, (text, _) in life.events.items()}
        assert {one.slot: one.save_id for one in store.saves()} == self.game.slots
        for key in ("k1", "k2", "k3"):
            assert (store.answer(key) is not None) == (key in life.answers)
        for npc in NPCS:
            assert told(store.turns(npc)) == told(life.turns(npc))
            assert [one.mark for one in store.turns(npc)] == [one.mark for one in life.turns(npc)]
            assert told(store.episodes(npc)) == told(life.episodes(npc))
            assert told(store.heard_episodes(npc)) == told(life.overheard(npc))
            assert told(store.beliefs(npc)) == told(life.beliefs(npc))
            assert store.exchange_count(npc) == life.exchanges(npc)
            actor = store.actor(npc)
            assert (actor.place if actor else "") == life.places.get(npc, "")
            for player in filter(life.plain, PLAYERS):
                assert store.session(npc, player) == life.session(npc, player)
                assert told(store.dialogue(npc, player)) == told(life.dialogue(npc, player))

    def agrees_with_a_fresh_store(self):
        """Nothing that was worked out earlier makes a difference; and she recalls what the model says she can."""
        npc, found = self.present
        hers = {one.id: one for one in (*self.life.episodes(npc), *self.life.overheard(npc))}
        recalled = [hers[one.id] for one in found[0].episodes]
        left_out = [one for one in hers.values() if one not in recalled] if len(hers) <= OFFERED else []
        for one in left_out:  # of those that tell the same she recalls the newest
            assert any(other.seq > one.seq and same(other.text, one.text) for other in recalled), one
        assert {one.id for one in found[0].beliefs} == {one.id for one in self.life.beliefs(npc)}
        assert found == self.heard(Store(self.store._database, Seen(self.store._seen.lineage), lambda: 0), npc)

    def agrees_with_a_copy(self):
        """Nor does another process, which opens what lies on the disk now, as after a crash, find anything else."""
        copy = self.folder / "copy.sqlite3"
        shutil.copyfile(self.file, copy)
        Path(f"{copy}-wal").write_bytes(self.log())
        npc, found = self.present
        with Store.open(copy, world=self.world.id, world_version=self.world.version) as store:
            assert found == self.heard(store, npc)

    def heard(self, store, npc):
        player = PLAYERS[self.asked // len(NPCS) % len(PLAYERS)]
        line = Line(npc=npc, player=player, text=QUERY)
        with store.reading():
            found = hear(self.world, store, line, self.mind.prompt, self.mind.policy.max_exchanges)
        return found.snapshot, found.session, found.fresh, found.exchange, found.own_lines, found.overheard

    def twin(self):
        """One that never saw the futures that were left."""
        with live_again(self.world, self.life.history) as other:
            found, expected = shows(self.mind), shows(other)
            for what in expected:
                assert found[what] == expected[what], what

    def log(self):
        path = Path(f"{self.file}-wal")
        return path.read_bytes() if path.exists() else b""

    def is_so(self):
        try:
            self.agrees_with_the_model()
        except (AssertionError, UnknownId):
            return False
        return True

    # -- the model's hands -------------------------------------------------------------------------------------------

    def answered(self, key, again, by_talk):
        """A key that is known answers what it answered before, or belongs to another verb; nothing else happens."""
        before, known = self.store.newest_seq(), self.life.answers[key][0]
        if isinstance(known, str) == by_talk:
            with pytest.raises(InvalidInput):
                again()
        else:
            assert again() == known
        assert self.store.newest_seq() == before

    def who(self, id):
        return {id, self.life.alias.get(id, id)} if id not in self.life.murky else {*PLAYERS}

    def place_of(self, npc):
        return self.life.places.get(npc, "mill")

    def hearers(self, npc, audience):
        there = {one for one in NPCS if self.life.places.get(one) == self.place_of(npc)}
        return tuple(sorted((there if audience is None else {*audience}) - {npc}))

    def some_turn(self, data, newest=0):
        """A turn and its place in the memory of one who has it; there is none in a game that says nothing."""
        npc = data.draw(npcs)
        if not self.life.turns(npc):
            self.talk(npc, "rolf", "ann hid barley.", None, "")
        turns = self.life.turns(npc)
        turn = data.draw(st.sampled_from(turns[-newest:]))
        return npc, turns.index(turn), turn

    def spoken(self, one):
        pair = (one.npc, one.player)
        if one.session == self.life.session(*pair) + 1:
            self.life.ended[pair] = one.session - 1
        assert one.session == self.life.session(*pair)
        number = self.store.exchange_number(one.id)
        made = Spoken(
            one.id,
            one.seq,
            one.npc,
            one.player,
            one.speaker,
            one.text,
            one.mark,
            one.session,
            number,
            self.store.hearers(one.id),
            next((id for id in one.provenance if seq_of_turn(id)), one.id),
        )
        assert number == self.life.exchanges(one.npc) + (one.speaker == one.npc)
        self.life.spoken.append(made)
        return made

    def remember(self, one):
        people = tuple(id for id in (one.speaker, one.addressee) if id)
        made = Memory(one.id, one.seq, one.npc, one.text, one.turns, self.store.hearers(one.id), people)
        self.life.memories.append(made)
        return made

    def episode(self, npc, before):
        (new,) = [one for one in self.store.episodes(npc) if one.seq > before]
        return self.remember(new)

    def told_anew(self, npc, before, count):
        new = [one for one in self.store.episodes(npc) if one.seq > before]
        assert len(new) == count or count < 0
        for one in new:
            made = self.remember(one)
            left = [turn for turn in self.life.turns(npc) if turn.id in one.turns]
            assert [turn.id for turn in left] == list(one.turns)
            assert all(f'"{turn.text}"' in made.text for turn in left)

    def follow(self, npc, player, sure=False):
        """Their conversation may be over."""
        now, was = self.store.session(npc, player), self.life.session(npc, player)
        assert now - was in ((1,) if sure else (0, 1))
        self.life.ended[npc, player] = now - 1


def same(text: str, other: str) -> bool:
    """Whether two memories tell the same."""
    return fold_key("", (), text) == fold_key("", (), other)


def seq_of_turn(id: str) -> bool:
    """Whether ``id`` is that of a turn."""
    return id[0] == "t" and id[1:].isdigit()


def told(records: Any) -> list[tuple[str, str]]:
    return [(one.id, one.text) for one in records]
