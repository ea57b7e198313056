"""What is said, and taken back: the rules of the mind's machine for words."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule
from mind_comparing import STEPS, Comparing, audiences, npcs, players, texts, words
from mind_life import Memory
from mind_pack import NPCS

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory import Authority

__all__ = ["Telling"]


class Telling(Comparing):
    """Lines, answers, and what is made of them."""

    @rule(npc=npcs, player=players, text=texts, audience=audiences, key=st.sampled_from(("", "", "k1", "k2")))
    def talk(self, npc, player, text, audience, key):
        if key in self.life.answers:
            self.answered(key, lambda: self.mind.talk(npc, player, text, key=key), by_talk=True)
            return
        before, audits = self.store.newest_seq(), len(self.life.audits)
        there = self.hearers(npc, audience)
        answer = self.mind.talk(npc, player, text, audience=audience, key=key)
        turns = [one for one in self.store.turns(npc) if one.seq > before]
        assert [(one.text, one.addressee) for one in turns] == [(text, npc), (answer.say, turns[0].speaker)]
        assert turns[1].id == answer.turn
        assert turns[0].speaker in self.who(player)
        for one in turns:
            self.spoken(one)
            assert self.store.hearers(one.id) == there
        memory = self.episode(npc, before)
        assert f'"{text}"' in memory.text
        assert (f'"{answer.say}"' in memory.text) == (not answer.fallback)
        assert memory.hearers == there
        self.life.audits.append(answer.audit)
        assert len(self.store.audit_ids()) == audits + 1
        if key:
            self.life.answers[key] = (answer, (player, answer.turn))
        self.life.history.append(("talk", npc, player, text, audience, answer.say))

    @rule(data=st.data(), text=st.none() | texts)
    def retry(self, data, text):
        npc, at, turn = self.some_turn(data, newest=2)
        before = self.store.newest_seq()
        if turn.player in NPCS:
            with pytest.raises(InvalidInput, match="to each other"):
                self.mind.retry(turn.id, text)
            return
        if not self.life.plain(turn.player):
            return
        talk = self.life.dialogue(npc, turn.player)
        asked = [one for one in talk if one.speaker == turn.player]
        if not asked or turn.seq < asked[-1].seq:
            with pytest.raises(InvalidInput):
                self.mind.retry(turn.id, text)
            assert self.store.newest_seq() == before
            return
        answer = self.mind.retry(turn.id, text)
        line = asked[-1]
        if text is not None:
            line.text, line.mark = text, ""
        said = next((one for one in talk if one.id == answer.turn), None)
        if said is None:  # her answer had been deleted
            said = self.spoken(self.store.turn(answer.turn))
        self.life.drop(self.life.made_from({line.id, said.id}))
        said.text, said.mark = answer.say, "fallback" if answer.fallback else ""
        memory = self.episode(npc, before)
        assert f'"{line.text}"' in memory.text
        self.life.audits.append(answer.audit)
        STEPS["rolled again"] += 1
        self.life.history.append(("retry", npc, at, text, answer.say))

    @rule(data=st.data(), text=texts)
    def edit(self, data, text):
        npc, at, turn = self.some_turn(data)
        before, stale, told = self.to_be_told_anew(turn)
        self.mind.edit(turn.id, text)
        for one in self.life.copies(turn):
            one.text, one.mark = text, ""
        self.life.drop(stale)
        for one in self.life.copies(turn):
            self.told_anew(one.npc, before, told[one.npc])
        STEPS["worded anew"] += max(0, told[npc])
        self.life.history.append(("edit", npc, at, text))

    @rule(data=st.data())
    def delete(self, data):
        npc, at, turn = self.some_turn(data)
        before, stale, told = self.to_be_told_anew(turn)
        firsts = {one.made_from[0] for one in self.life.memories if one.made_from}
        self.mind.delete(turn.id)
        self.life.drop(stale)
        for one in self.life.copies(turn):
            one.taken_back = True
            self.told_anew(one.npc, before, 0 if one.id in firsts else told[one.npc])
            with pytest.raises(UnknownId):
                self.store.turn(one.id)
        self.life.history.append(("delete", npc, at))

    def to_be_told_anew(self, turn):
        """The newest record, what was made of a line, and how many episodes tell it, by NPC."""
        stale = self.life.made_from({one.id for one in self.life.copies(turn)})
        talks = [one for one in self.life.memories if one.id in stale and not one.belief]
        told: Counter[str] = Counter()
        for one in talks:
            if {*one.people} & self.life.murky:
                told[one.npc] = -1  # who that is now the model does not know
            elif all(self.life.born.get(id, 0) < one.seq for id in one.people) and told[one.npc] >= 0:
                told[one.npc] += 1
        return self.store.newest_seq(), stale, told

    @rule(pair=st.lists(npcs, min_size=2, max_size=2, unique=True), turns=st.integers(1, 3))
    def converse(self, pair, turns):
        before = self.store.newest_seq()
        found = self.mind.converse(pair, turns=turns)
        says = [one.say for one in found.replies]
        for npc in pair:
            new = [one for one in self.store.turns(npc) if one.seq > before]
            assert [one.text for one in new] == says
            for one in new:
                self.spoken(one)
            made = [one for one in self.store.episodes(npc) if one.seq > before]
            for one in made:
                self.remember(one)
            told = {id for one in made for id in one.turns}
            assert told == {one.id for one in new if not one.mark}
        self.life.audits += [one.audit for one in found.replies]
        self.life.history.append(("converse", pair, turns, says))

    @rule(data=st.data(), npc=npcs, word=words)
    def believe(self, data, npc, word):
        if not self.life.episodes(npc):
            self.talk(npc, "ann", "rolf has a fox.", None, "")
        episodes = self.life.episodes(npc)
        at = data.draw(st.integers(0, len(episodes) - 1))
        source, text = episodes[at], f"They speak of {word}."
        with self.store.transaction() as writer:
            made = writer.belief(npc=npc, text=text, provenance=(source.id,), authority=Authority.INFERENCE)
        self.life.memories.append(Memory(made.id, made.seq, npc, text, (source.id,), belief=True))
        self.life.history.append(("believe", npc, at, text))
