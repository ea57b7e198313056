"""What the game reports: time, state, actors, events, ends of conversations. Checked first, then written whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from npc_memory.bonds import Happened, moved_by
from npc_memory.convictions import reconcile
from npc_memory.discretion import TELL, is_kind
from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.gossiping import HOUR, Round, companies
from npc_memory.hearing import bare_snapshots
from npc_memory.memory import Authority, BeliefRecord, EpisodeRecord, StateEntry, StateValue, check_id
from npc_memory.memory.text import MAX_ID_CHARS
from npc_memory.people import Cast, names, place_of, refuse_two_npcs
from npc_memory.prompt import label_text
from npc_memory.recall.importance import importance_of
from npc_memory.remembering import told as said
from npc_memory.rumours import visible
from npc_memory.store import Store, View, Writer, checks
from npc_memory.telling import memory_told, tell
from npc_memory.working_memory import WorkingMemoryBuilder
from npc_memory.world import World

__all__ = ["Reports"]

SPARE = {"tokens": 8, "characters": 32}
"""What must be left beside the least room for a line: names and dates differ a little in length."""

NOWHERE = ""
"""Stands for every place that no fact and no state is about."""


class Reports:
    """Writes what the game says, with its rank. A write that some NPC could no longer be told whole is refused."""

    def __init__(self, world: World, store: Store, builder: WorkingMemoryBuilder) -> None:
        self._world, self._store, self._builder = world, store, builder

    def clock(self, game_time: int) -> None:
        """See ``Mind.clock``."""
        with self._store.transaction() as writer:
            before = self._store.game_time() // HOUR
            writer.clock(game_time=game_time, authority=Authority.GAME)
            if self._world.gossip is not None and game_time // HOUR != before:
                for place, npcs in companies(self._world, self._store).items():
                    Round(self._world, self._store, writer, self._world.gossip, npcs, place).run()

    def set_state(self, entries: Mapping[str, StateValue | None], scope: str) -> None:
        """See ``Mind.set_state``."""
        if not isinstance(entries, Mapping):
            raise InvalidInput("state must be a map of keys to values", hint='e.g. {"north_bridge": "burned"}')
        scope = self._check_scope(scope)
        for key, value in entries.items():
            self._check_value(key, value)
        with self._store.transaction() as writer:
            now = self._store.game_time()
            for key, value in sorted(entries.items()):
                writer.state(key=key, value=value, scope=scope, game_time=now, authority=Authority.GAME)
            self.check_all(scope)

    def actor(self, actor: str, name: str, place: str, faction: str, alias_of: str, reborn: bool) -> None:
        """See ``Mind.actor``."""
        checks.without_surrogates(name, "a name")
        checks.flag(reborn, "reborn")
        if len(name) > MAX_ID_CHARS:
            raise InvalidInput(f"a name may have {MAX_ID_CHARS} characters, not {len(name)}", hint="shorten it")
        if checks.optional_id(faction, "a faction") and faction not in self._world.factions:
            raise UnknownId("faction", faction, list(self._world.factions))
        if alias_of and reborn:
            raise InvalidInput(f"{actor!r} cannot be reborn and an alias", hint="send alias_of or reborn")
        check_id(actor, "an actor's id")
        with self._store.transaction() as writer:
            self._tie(writer, actor, alias_of, reborn)
            id = self._cast().id_of(actor)
            writer.actor(
                actor=id,
                name=name or None,
                place=place or None,
                faction=faction or None,
                game_time=self._store.game_time(),
                authority=Authority.GAME,
            )
            # Where she may be spoken to has all been judged before; what she is called and whose she is has not.
            if id in self._world.npcs and (name or faction or alias_of or reborn):
                self.check_all()

    def _tie(self, writer: Writer, actor: str, alias_of: str, reborn: bool) -> None:
        if reborn:
            for npc in self._store.open_sessions(actor):
                now = self._store.game_time()
                writer.end_session(npc=npc, player=actor, game_time=now, authority=Authority.GAME)
            writer.rebirth(actor=actor, authority=Authority.GAME)
        elif alias_of and self._store.identities().new_alias(actor, check_id(alias_of, "alias_of")):
            refuse_two_npcs(self._world, self._store, actor, alias_of)
            writer.alias(actor=actor, alias_of=alias_of, authority=Authority.GAME)
            reconcile(self._world, self._store, writer, alias_of)

    def _cast(self) -> Cast:
        return Cast(self._world, self._store)

    def end(self, player: str, npc: str | None) -> None:
        """See ``Mind.end``."""
        check_id(player, "player")
        with self._store.transaction() as writer:
            known = self._store.identities()
            one = None if npc is None else self._world.npc(self._cast().id_of(check_id(npc, "npc"))).id
            for npc_id in self._world.npcs if one is None else (one,):
                for id in known.ids(npc_id):
                    for other in known.ids(player):
                        writer.end_session(
                            npc=id, player=other, game_time=self._store.game_time(), authority=Authority.GAME
                        )

    def observe(
        self,
        writer: Writer,
        kind: str,
        text: str,
        *,
        place: str,
        actor: str,
        target: str,
        audience: Sequence[str] | None,
        importance: float | None,
        data: Mapping[str, Any] | None,
    ) -> str:
        """See ``Mind.observe``; the event, and an episode for each NPC who perceived it. What an NPC tells is an
        episode of hers alone, and a belief of each who hears it. Returns the event's id.
        """
        checks.without_surrogates(text, "an event's text")
        check_id(kind, "an event's kind")
        cast = self._cast()
        actor, target = (
            cast.id_of(checks.optional_id(id, what)) for id, what in ((actor, "an actor"), (target, "a target"))
        )
        audience = None if audience is None else cast.ids_of(audience)
        known = self._store.actor(actor)
        where = place or (known.place if known is not None else "")
        witnesses = self.witnesses(where, actor, target, audience)
        heard = sorted({one for one in (*witnesses, actor, target, *(audience or ())) if one})
        weight = importance_of(text, kind) if importance is None else importance
        told = is_kind(check_id(kind, "an event's kind"), TELL) and actor in self._world.npcs
        memory = self._retold(actor, text, data or {}) if told else None
        event = writer.event(
            kind=kind,
            text=text,
            place=where,
            actor=actor,
            target=target,
            audience=heard,
            importance=weight,
            data=data,
            # When that memory is erased, so is that it was told.
            provenance=visible(self._store, (memory.id,)) if memory is not None else (),
            authority=Authority.GAME,
        )
        happened = Happened(
            id=event.id,
            kind=event.kind,
            text=event.text,
            actor=actor,
            target=target,
            place=where,
            witnesses=witnesses,
            audience=event.audience,
            data=event.data,
        )
        moved_by(self._world, writer, cast, happened)
        for npc in (actor,) if told else witnesses:
            writer.episode(
                npc=npc,
                text=said(label_text(names(self._world, self._store)[actor]), text, "", "") if told else text,
                kind=kind,
                importance=weight,
                speaker=actor,
                addressee=target,
                place=where,
                audience=sorted({npc, *heard}),
                provenance=(event.id,),
                authority=Authority.GAME,
            )
        if told:
            tell(self._world, self._store, writer, event, memory, [one for one in witnesses if one != actor])
        return event.id

    def _retold(self, teller: str, text: str, data: Mapping[str, Any]) -> BeliefRecord | EpisodeRecord | None:
        """The memory that ``teller`` tells, if it is one."""
        said, known = checks.text(text, "an event's text"), checks.plain(data, "an event's data")
        return memory_told(self._store, teller, said, known)

    def witnesses(self, place: str, actor: str, target: str, audience: Sequence[str] | None) -> tuple[str, ...]:
        """The NPCs who perceive an event, sorted: those named; without an ``audience`` those at ``place``; always the
        one who acts and the one it is done to (promise P6).
        """
        npcs = self._world.npcs
        if audience is not None:
            there = {one for one in audience if one in npcs}
        else:
            there = {npc.id for npc in npcs.values() if place and place_of(self._store, npc) == place}
        return tuple(sorted(there | {one for one in (actor, target) if one in npcs}))

    def check_all(self, scope: str = "", view: View | None = None) -> None:
        """Raise ``MandatoryOverflow`` if any NPC, wherever she may be spoken to, could no longer be told all she knows.

        Called inside the transaction that writes, so that what is refused is not written. ``scope``: that of the state
        that is written, when nothing else changes. ``view``: what is judged, if it is not the present.
        """
        seen = view or self._store
        state = seen.state()
        telling = {place for fact in self._world.canon.values() for place in fact.scope.places}
        scopes = [one for one, _ in state] + [key.scope for key in self._world.state_keys.values()]
        telling |= {one.removeprefix("place:") for one in scopes if one.startswith("place:")}
        kind, _, id = scope.partition(":")
        places = {id} if kind == "place" else {*telling, NOWHERE}
        spare = SPARE[self._builder.policy.unit]
        for npc in self._world.npcs.values():
            if kind != "npc" or npc.id == id:
                for snapshot in bare_snapshots(self._world, seen, npc, state, sorted(places)):
                    self._builder.check(snapshot, spare)

    def _check_value(self, key: str, value: StateValue | None) -> None:
        StateEntry(key, "" if value is None else value)
        declared = self._world.state_keys.get(key)
        if value is None or declared is None or not declared.values:
            return
        if not any(type(one) is type(value) and one == value for one in declared.values):
            raise InvalidInput(
                f"{value!r} is no value of state {key!r}",
                hint=f"the world pack declares: {', '.join(map(str, declared.values))}",
            )

    def _check_scope(self, scope: str) -> str:
        """``scope``, an NPC's with the id the pack has for her."""
        checks.optional_id(scope, "a scope")
        kind, _, id = scope.partition(":")
        known = {"place": self._world.places, "faction": self._world.factions, "npc": self._world.npcs}
        if scope and (kind not in known or not id):
            raise InvalidInput(f"{scope!r} is no scope", hint='use "", "place:…", "faction:…" or "npc:…"')
        if kind == "npc":
            id = self._cast().id_of(id)
        if scope and id not in known[kind]:
            raise UnknownId(kind, id, list(known[kind]))
        return f"npc:{id}" if kind == "npc" else scope
