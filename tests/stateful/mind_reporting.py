"""What the game reports: the rules of the mind's machine for events, state, time and who is who."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule
from mind_comparing import Comparing, audiences, npcs, players, texts, words
from mind_life import Memory
from mind_pack import NPCS, PLAYERS

from npc_memory.errors import AliasRefused

__all__ = ["Reporting"]

mentions = st.sampled_from(("", "ann ", "rolf "))
places = st.sampled_from(("mill", "yard"))
NAMES = {"rolf": "Tarkin", "ann": "Wilhelma", "勇者": "Kenji", "guest-7": "Odo"}


class Reporting(Comparing):
    """Events and the rest."""

    @rule(
        text=texts,
        actor=st.sampled_from(("", *PLAYERS[:2], "ada")),
        whom=st.sampled_from(("", "勇者", "bo")),
        place=st.sampled_from(("", "mill", "yard")),
        audience=audiences,
        key=st.sampled_from(("", "", "k1", "k3")),
    )
    def observe(self, text, actor, whom, place, audience, key):
        given = {"actor": actor, "target": whom, "place": place, "audience": audience}
        if key in self.life.answers:
            self.answered(key, lambda: self.mind.observe("deed", text, key=key, **given), by_talk=False)
            return
        before = self.store.newest_seq()
        if not place and actor:  # where a player is, the model does not keep
            place = given["place"] = "yard"
        event = self.mind.observe("deed", text, key=key, **given)
        found = self.store.event(event)
        people = tuple(one for one in (found.actor, found.target) if one)
        assert (found.actor in self.who(actor)) if actor else not found.actor
        self.life.events[event] = (text, people)
        witnesses = {one for one in NPCS if place and self.place_of(one) == place} if audience is None else {*audience}
        witnesses |= {one for one in (actor, whom) if one in NPCS}
        for npc in NPCS:
            new = [one for one in self.store.episodes(npc) if one.seq > before]
            new += [one for one in self.store.heard_episodes(npc) if one.seq > before]
            assert [one.text for one in new] == ([text] if npc in witnesses else [])
            for one in new:
                if one.npc == npc:
                    self.life.memories.append(
                        Memory(one.id, one.seq, npc, text, (event,), self.store.hearers(one.id), people)
                    )
        if key:
            self.life.answers[key] = (event, (event,))
        self.life.history.append(("observe", text, given))

    @rule(
        word=words, mention=st.sampled_from(("", "ann ", "rolf ")), scope=st.sampled_from(("", "npc:bo", "place:yard"))
    )
    def rumour(self, word, mention, scope):
        self.set_state("rumour", f"{mention}{word}", scope)

    @rule(key=st.sampled_from(("wheel", "rumour")), scope=st.sampled_from(("", "npc:bo")))
    def unset(self, key, scope):
        self.set_state(key, None, scope)

    @rule(value=st.sampled_from(("broken", "whole")))
    def wheel(self, value):
        self.set_state("wheel", value, "")

    def set_state(self, key, value, scope):
        self.mind.set_state({key: value}, scope)
        self.life.state[(scope, key)] = value
        self.life.history.append(("state", key, value, scope))

    @rule(minutes=st.sampled_from((1, 30, 400, 3000)))
    def clock(self, minutes):
        self.life.clock += minutes
        self.mind.clock(self.life.clock)
        self.life.history.append(("clock", self.life.clock))

    @rule(npc=npcs, place=places)
    def walk(self, npc, place):
        self.mind.actor(npc, place=place)
        self.life.places[npc] = place
        self.life.history.append(("actor", npc, {"place": place}))

    @rule(player=players)
    def name(self, player):
        self.mind.actor(player, name=NAMES[player])
        self.life.history.append(("actor", player, {"name": NAMES[player]}))

    @rule(actor=st.sampled_from(("guest-7", "rolf")), alias_of=st.sampled_from(("ann", "rolf")))
    def alias(self, actor, alias_of):
        before = self.store.newest_seq()
        known = self.life.alias.get(actor) == alias_of
        try:
            self.mind.actor(actor, alias_of=alias_of)
        except AliasRefused:
            assert self.store.newest_seq() == before
            return
        assert actor != alias_of
        if not known:
            self.life.alias[actor] = alias_of
            self.game.tied.add((actor, alias_of))
        self.life.history.append(("actor", actor, {"alias_of": alias_of}))

    @rule(actor=st.sampled_from(("guest-7", "勇者", "cid")))
    def reborn(self, actor):
        if not self.life.plain(actor):
            self.life.murky |= {actor, *self.life.alias.values(), *self.life.alias}
            self.life.alias.pop(actor, None)
        self.mind.actor(actor, reborn=True)
        self.life.born[actor] = self.store.newest_seq()
        self.life.places.pop(actor, None)
        for npc in NPCS:
            self.follow(npc, actor)
        self.life.history.append(("actor", actor, {"reborn": True}))

    @rule(player=players, npc=st.none() | npcs)
    def end(self, player, npc):
        self.mind.end(player, npc)
        for one in NPCS if npc is None else (npc,):
            for id in PLAYERS:
                self.follow(one, id, sure=id == player)
        self.life.history.append(("end", player, npc))
