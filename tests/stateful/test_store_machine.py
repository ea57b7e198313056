"""The store against a model of plain lists: write, retire, revise, fork, save, load, compact, reopen, change owner,
fail; then compare, the ranking of memories too.

The model keeps, for each timeline, the list of all records visible from it. Everything a store can be asked is
worked out from that list, without an index, a fold or a lineage.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from searches import examples
from store_model import Model

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory import (
    AuditRecord,
    Authority,
    BeliefRecord,
    EpisodeRecord,
    EventRecord,
    KeyRecord,
    RelationshipChange,
    TripleRecord,
    TurnRecord,
)
from npc_memory.recalling import Recollections
from npc_memory.store import Store, compaction

NPCS = ("marta", "bram", "Élise")
PLAYERS = ("p1", "勇者")
OWNERS = ("", "ann")
MEMORIES = (TurnRecord, EpisodeRecord, BeliefRecord)
BONDS = (RelationshipChange, TripleRecord)

npcs, players = st.sampled_from(NPCS), st.sampled_from(PLAYERS)
words = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=20)
values = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | words
kept_data = st.dictionaries(words, values | st.lists(values, max_size=2), max_size=2)


class StoreMachine(RuleBasedStateMachine):
    """Drives the real store on a real file."""

    @initialize()
    def begin(self):
        self.folder = Path(tempfile.mkdtemp())
        self.owner = ""
        self.models = {owner: {} for owner in OWNERS}
        self.current = {}
        self.saved = {owner: {} for owner in OWNERS}
        self.slots = {owner: {} for owner in OWNERS}
        self.all = []
        self.open()

    def open(self):
        self.store = Store.open(self.folder / "w.db", world="w", owner=self.owner)
        if self.owner not in self.current:
            self.current[self.owner] = self.store.timeline
            self.models[self.owner][self.store.timeline] = Model([])

    def teardown(self):
        if hasattr(self, "folder"):
            self.store.close()
            shutil.rmtree(self.folder)

    @property
    def model(self):
        return self.models[self.owner][self.current[self.owner]]

    def keep(self, *records):
        for one in records:
            assert one.owner == self.owner
            assert one.seq > (self.all[-1].seq if self.all else 0)
            assert one.npc_seq == self.model.npc_seq(getattr(one, "npc", "")) + 1
            self.model.records.append(one)
            self.all.append(one)

    def pick(self, data, *kinds):
        known = self.model.alive(kinds)
        return data.draw(st.sampled_from(known)) if known else None

    @rule(npc=npcs, player=players, line=words, answer=words, overheard=st.booleans())
    def reply(self, npc, player, line, answer, overheard):
        count = self.store.exchange_count(npc)
        with self.store.transaction() as write:
            asked = write.turn(
                authority=Authority.GAME,
                npc=npc,
                player=player,
                speaker=player,
                addressee="someone" if overheard else npc,
                audience=(npc,),
                text=line,
            )
            if overheard:
                records = (asked,)
            else:
                said = write.turn(
                    authority=Authority.REPLY, npc=npc, player=player, speaker=npc, addressee=player, text=answer
                )
                episode = write.episode(authority=Authority.REPLY, npc=npc, text=line, turns=(asked.id, said.id))
                audit = write.audit(
                    authority=Authority.REPLY, npc=npc, player=player, turn=said.id, payload=line + answer
                )
                records = (asked, said, episode, audit)
        assert (asked.text, asked.session) == (line, self.model.session(npc, player))
        assert self.store.exchange_count(npc) == count + (not overheard)
        self.keep(*records)

    @rule(data=st.data(), npc=npcs, text=words, confidence=st.floats(0, 1))
    def believe(self, data, npc, text, confidence):
        source = self.pick(data, *MEMORIES, EventRecord)
        with self.store.transaction() as write:
            belief = write.belief(
                authority=Authority.INFERENCE,
                npc=npc,
                text=text,
                confidence=confidence,
                provenance=(source.id,) if source else (),
            )
        self.keep(belief)
        if source:
            assert belief.id in self.store.derived_from(source.id)

    @rule(npc=npcs, player=players, amount=st.integers(-100, 100), how=st.sampled_from(["by", "to", "off"]), why=words)
    def bond(self, npc, player, amount, how, why):
        """Somebody is moved, and learns where the other lives."""
        with self.store.transaction() as write:
            felt = write.relationship(
                authority=Authority.GAME, npc=npc, other=player, kind="trust", how=how, amount=amount, reason=why
            )
            known = write.triple(
                authority=Authority.GAME, npc=npc, subject=player, relation="lives_in", object=how, functional=True
            )
        self.keep(felt, known)

    @rule(text=words, actor=st.sampled_from(("", *PLAYERS)), npc=npcs, data=st.none() | kept_data)
    def observe(self, text, actor, npc, data):
        """Something happens; whoever sees it has an episode of it."""
        with self.store.transaction() as write:
            event = write.event(
                authority=Authority.GAME, kind="theft", text=text, actor=actor, audience=(npc,), data=data
            )
            seen = write.episode(authority=Authority.GAME, npc=npc, kind="event", text=text, provenance=(event.id,))
        assert (event.text, event.actor, event.data) == (text, actor, data or {})
        self.keep(event, seen)
        assert self.store.derived_from(event.id) == (seen.id,)

    @rule(key=st.sampled_from("abc"), scope=st.sampled_from(["", "npc:marta", "place:inn"]), value=values)
    def set_state(self, key, scope, value):
        with self.store.transaction() as write:
            change = write.state(authority=Authority.GAME, key=key, value=value, scope=scope)
        assert (change.value, type(change.value)) == (value, type(value))
        self.keep(change)

    @rule(minutes=st.integers(-5, 100))
    def clock(self, minutes):
        time = self.model.game_time() + minutes
        try:
            with self.store.transaction() as write:
                self.keep(write.clock(authority=Authority.GAME, game_time=time))
        except InvalidInput:
            assert time < self.model.game_time()

    @rule(actor=st.sampled_from(NPCS + PLAYERS), name=st.none() | words, place=st.sampled_from([None, "", "inn"]))
    def actor(self, actor, name, place):
        with self.store.transaction() as write:
            record = write.actor(authority=Authority.GAME, actor=actor, name=name, place=place)
        known = self.model.actors().get(actor)
        assert record.name == (name if name is not None else known.name if known else "")
        assert record.place == (place if place is not None else known.place if known else "")
        self.keep(record)

    @rule(npc=npcs, player=players)
    def end_session(self, npc, player):
        with self.store.transaction() as write:
            end = write.end_session(authority=Authority.GAME, npc=npc, player=player)
        assert end.session == self.model.session(npc, player)
        self.keep(end)

    @rule(data=st.data())
    def retire(self, data):
        target = self.pick(data, *MEMORIES, *BONDS)
        if target:
            with self.store.transaction() as write:
                self.keep(write.retire(authority=Authority.GAME, target=target.id))

    @rule(key=st.sampled_from("xyz"))
    def answer(self, key):
        if self.store.answer(key) is None:
            with self.store.transaction() as write:
                self.keep(write.key(authority=Authority.GAME, key=key, answer=f"answered {key}"))

    @rule(npc=npcs, player=players)
    def fail(self, npc, player):
        """A transaction that fails leaves nothing, in the file or in a fold."""

        def broken():
            with self.store.transaction() as write:
                write.state(authority=Authority.GAME, key="a", value="broken")
                write.actor(authority=Authority.GAME, actor=npc, name="broken")
                write.turn(
                    authority=Authority.GAME, npc=npc, player=player, speaker=player, addressee=npc, text="broken"
                )
                self.store.state(), self.store.actors()
                raise RuntimeError

        with pytest.raises(RuntimeError):
            broken()

    @rule(data=st.data())
    def fork(self, data):
        timeline = data.draw(st.sampled_from(sorted(self.models[self.owner])))
        seq = data.draw(st.integers(0, self.all[-1].seq if self.all else 0))
        child = self.store.fork(seq=seq, timeline=timeline)
        assert child not in self.models[self.owner]
        seen = self.models[self.owner][timeline].records
        self.models[self.owner][child] = Model([one for one in seen if one.seq <= seq])
        self.current[self.owner] = child

    @rule(data=st.data())
    def switch(self, data):
        timeline = data.draw(st.sampled_from(sorted(self.models[self.owner])))
        self.store.switch(timeline)
        self.current[self.owner] = timeline

    @rule(data=st.data(), text=words, again=st.booleans())
    def revise(self, data, text, again):
        turn = self.pick(data, TurnRecord)
        if turn:
            with self.store.transaction() as write:
                self.keep(write.revise(authority=Authority.GAME, turn=turn.id, text=text, again=again, mood="wry"))

    @rule(slot=st.sampled_from("xyz"))
    def save(self, slot):
        made = self.store.save(slot)
        assert made.save_id not in {one for saved in self.saved.values() for one in saved}
        self.saved[self.owner][made.save_id] = list(self.model.records)
        self.slots[self.owner][slot] = made.save_id

    @precondition(lambda self: hasattr(self, "owner") and self.saved[self.owner])
    @rule(data=st.data())
    def load(self, data):
        save_id = data.draw(st.sampled_from(list(self.saved[self.owner])))
        before = list(self.model.records)
        assert self.store.load(save_id).save_id == save_id
        auto = self.store.find_save("auto").save_id
        if auto not in self.saved[self.owner]:
            self.saved[self.owner][auto] = before
        self.slots[self.owner]["auto"] = auto
        self.current[self.owner] = self.store.timeline
        self.models[self.owner][self.store.timeline] = Model(self.saved[self.owner][save_id])

    @precondition(lambda self: hasattr(self, "owner") and self.slots[self.owner])
    @rule(data=st.data())
    def delete_save(self, data):
        slot = data.draw(st.sampled_from(sorted(self.slots[self.owner])))
        gone = self.store.delete_save(slot)
        assert gone.save_id == self.slots[self.owner].pop(slot)
        del self.saved[self.owner][gone.save_id]
        with pytest.raises(UnknownId):
            self.store.load(gone.save_id)

    @rule()
    def compact(self):
        """Shorter than ever needed. From then on numbers of other timelines mean nothing."""
        most, compaction.MOST_FOREBEARS = compaction.MOST_FOREBEARS, 1
        try:
            while self.store.compactable():
                self.store.compact_step()
        finally:
            compaction.MOST_FOREBEARS = most
        self.models[self.owner] = {self.store.timeline: self.model}

    @rule(owner=st.sampled_from(OWNERS))
    def reopen(self, owner):
        self.store.close()
        self.owner = owner
        self.open()

    @rule(owner=st.sampled_from(OWNERS), player=players, text=words)
    def beside(self, owner, player, text):
        """Somebody's game goes on in the same open file, this one's or another's; leaving it closes nothing."""
        home, view = self.owner, self.store.for_owner(owner)
        if owner not in self.current:
            self.current[owner] = view.timeline
            self.models[owner][view.timeline] = Model([])
        self.owner = owner
        assert view.timeline == self.current[owner]
        with view.transaction() as write:
            event = write.event(authority=Authority.GAME, kind="visit", text=text, actor=player)
            said = write.turn(
                authority=Authority.GAME, npc="marta", player=player, speaker=player, addressee="marta", text=text
            )
        self.keep(event, said)
        self.compare(view, self.model)
        view.close()
        self.owner = home

    @precondition(lambda self: self.all)
    @rule(data=st.data())
    def past(self, data):
        seq = data.draw(st.integers(0, self.all[-1].seq))
        self.compare(self.store.at(seq), Model([one for one in self.model.records if one.seq <= seq]))

    @rule(data=st.data())
    def strangers_are_unknown(self, data):
        """A record of another owner, or of a future that was left, cannot be had by its id."""
        seen = {one.seq for one in self.model.records}
        hidden = [one for one in self.all if isinstance(one, TurnRecord | EventRecord) and one.seq not in seen]
        if hidden:
            one = data.draw(st.sampled_from(hidden))
            with pytest.raises(UnknownId):
                self.store.turn(one.id) if isinstance(one, TurnRecord) else self.store.event(one.id)

    @invariant()
    def agrees(self):
        if hasattr(self, "store"):
            assert self.store.timeline == self.current[self.owner]
            self.compare(self.store, self.model)
            assert {one.slot: one.save_id for one in self.store.saves()} == self.slots[self.owner]
            for npc in NPCS:
                assert self.ranked(self.store, npc) == self.ranked(self.store.at(self.store.newest_seq()), npc)

    def ranked(self, store, npc):
        """What comes to mind first; a view of the past knows no index made before."""
        with self.store.reading():
            known = store.kept(Recollections).of("episode", store.identities().same(npc))
            if known.until_now < (newest := store.newest_seq()):
                newer = (*store.episodes(npc, since=known.seen), *store.heard_episodes(npc, since=known.seen))
                known.catch_up(store, npc, sorted(newer, key=lambda one: one.seq), newest)
            return known.index.best("a b 0 1", 50, 8)

    def compare(self, store, model):
        assert store.game_time() == model.game_time()
        assert list(store.state().items()) == list(model.state().items())
        assert dict(store.actors()) == model.actors()
        assert store.audits() == tuple(model.of(AuditRecord))
        assert store.audit_ids() == tuple(one.id for one in model.of(AuditRecord))
        assert store.events() == tuple(model.of(EventRecord))
        assert {key: store.answer(key) for key in "xyz" if store.answer(key)} == {
            one.key: one.answer for one in model.of(KeyRecord)
        }
        for npc in NPCS:
            assert store.turns(npc) == model.alive(TurnRecord, npc=npc)
            assert store.episodes(npc) == model.alive(EpisodeRecord, npc=npc)
            assert store.beliefs(npc) == model.alive(BeliefRecord, npc=npc)
            assert store.triples(npc) == model.alive(TripleRecord, npc=npc)
            assert store.exchange_count(npc) == len(model.of(TurnRecord, npc=npc, speaker=npc))
            assert store.last_npc_seq(npc) == model.npc_seq(npc)
            for player in PLAYERS:
                session = model.session(npc, player)
                felt = model.alive(RelationshipChange, npc=npc, other=player)
                assert store.relationship_changes(npc, player) == felt
                lives = model.alive(TripleRecord, npc=npc, subject=player)
                near = store.neighbours(npc, [(player, 0)], store.game_time(), hops=1)
                assert [one.number for one in near] == [one.seq for one in lives[-1:]]
                assert store.session(npc, player) == session
                turns = model.alive(TurnRecord, npc=npc, player=player)
                assert store.dialogue(npc, player) == tuple(one for one in turns if one.session == session)
                assert store.dialogue(npc, player, 1) == tuple(one for one in turns if one.session == 1)
        for one in model.alive(MEMORIES)[-3:]:
            assert getattr(store, type(one).__name__.removesuffix("Record").lower())(one.id) == one


RELAXED = {"deadline": None, "suppress_health_check": list(HealthCheck)}


class TestStoreMachine(StoreMachine.TestCase):
    settings = settings(max_examples=examples(15), stateful_step_count=30, derandomize=True, **RELAXED)


@pytest.mark.full
class TestStoreMachineLong(StoreMachine.TestCase):
    settings = settings(max_examples=300, stateful_step_count=60, **RELAXED)
