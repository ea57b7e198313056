"""Writing inside one transaction. Every record is checked, ranked (promise P5) and numbered here, and only here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from npc_memory.errors import AliasRefused, AuthorityViolation, InvalidInput, UnknownId
from npc_memory.memory import (
    ActorRecord,
    AuditRecord,
    Authority,
    ClockChange,
    EpisodeRecord,
    EventRecord,
    IdentityRecord,
    KeyRecord,
    Revision,
    SessionEnd,
    StateChange,
    StateValue,
    TurnMark,
    TurnRecord,
    check_id,
    require,
)
from npc_memory.store import checks, rows
from npc_memory.store.belief_writer import BeliefWriter
from npc_memory.store.bond_writer import BondWriter
from npc_memory.store.header import Header, scene
from npc_memory.store.ids import record_id, records_in, seq_of

__all__ = ["Writer"]

T = TypeVar("T")


class Writer(BeliefWriter, BondWriter):
    """Writes records onto the timeline of ``view``; each method returns the record as stored.

    ``authority`` is the rank of whoever writes; ``AuthorityViolation`` when it is too low. ``game_time`` defaults to
    the world's. Ids of other records (``turns``, ``provenance``, ``target``) must be visible here, else ``UnknownId``.
    ``InvalidInput`` for a value that cannot be used, ``TextTooLong`` for a text over 64 KiB. Nothing is stored unless
    the transaction ends well.
    """

    def turn(
        self,
        *,
        authority: Authority,
        npc: str,
        player: str,
        speaker: str,
        addressee: str,
        text: str,
        game_time: int | None = None,
        session: int | None = None,
        place: str = "",
        audience: Iterable[str] = (),
        overheard: Iterable[str] = (),
        mark: TurnMark = "",
        mood: str = "",
        action: str = "",
        provenance: Iterable[str] = (),
    ) -> TurnRecord:
        """One line by one speaker, in the memory of ``npc``, in a conversation with ``player`` (the current one).

        ``overheard``: other NPCs who remember that they heard it; they need no record of their own. A line that lies
        in the memory of one who only overheard it needs an ``audience`` that names ``npc``.
        """
        require(authority, "turn")
        body = checks.words_of_a_turn(text, mark, mood, action)
        header = scene("turn", npc, speaker, addressee, place, audience, overheard)
        header.player = check_id(player, "a turn's player")
        header.session = self._view.known_session(npc, player, session)
        exchange = self._view.exchange_count(npc) + (speaker == npc)
        seq = self._header(header, authority, game_time, provenance)
        self._detail("turns (seq, exchange, text, mark, mood, action)", seq, exchange, *body)
        return self._view.turn(record_id("turn", seq))

    def episode(
        self,
        *,
        authority: Authority,
        npc: str,
        text: str,
        game_time: int | None = None,
        kind: str = "talk",
        importance: float = 0.3,
        turns: Iterable[str] = (),
        speaker: str = "",
        addressee: str = "",
        place: str = "",
        audience: Iterable[str] = (),
        overheard: Iterable[str] = (),
        provenance: Iterable[str] = (),
    ) -> EpisodeRecord:
        """Something ``npc`` lived through, made from ``turns`` she remembers (none of them marked). ``overheard``:
        other NPCs who remember that they heard it; they need no record of their own.
        """
        require(authority, "episode")
        body = checks.text(text, "an episode's text")
        weight = checks.fraction(importance, "an episode's importance")
        made_from = checks.ids(turns, "an episode's turns")
        for one, (whose, _) in self._view.sources(made_from).items():
            if seq_of(one)[0] != "turn" or whose != npc:
                raise UnknownId("turn", one)
        header = scene("episode", npc, speaker, addressee, place, audience, overheard)
        seq = self._header(header, authority, game_time, provenance, sources=made_from, barred=True)
        self._detail(
            "episodes (seq, kind, importance, turns, text)",
            seq,
            check_id(kind, "an episode's kind"),
            weight,
            rows.canonical(made_from),
            body,
        )
        return self._view.episode(record_id("episode", seq))

    def event(
        self,
        *,
        authority: Authority,
        kind: str,
        text: str,
        game_time: int | None = None,
        place: str = "",
        actor: str = "",
        target: str = "",
        audience: Iterable[str] = (),
        importance: float = 0.3,
        data: Mapping[str, Any] | None = None,
        provenance: Iterable[str] = (),
    ) -> EventRecord:
        """Something happened: ``actor`` did it to ``target``. ``data``: a map of plain values, kept as canonical JSON
        of at most 64 KiB.
        """
        require(authority, "event")
        body = checks.text(text, "an event's text")
        named = check_id(kind, "an event's kind")
        weight = checks.fraction(importance, "an event's importance")
        kept = checks.text(rows.canonical(checks.plain(data or {}, "an event's data")), "an event's data")
        header = Header("event", place=checks.optional_id(place, "an event's place"))
        header.speaker = checks.optional_id(actor, "an event's actor")
        header.addressee = checks.optional_id(target, "an event's target")
        there = {*checks.ids(audience, "an event's audience"), *filter(None, (actor, target))}
        header.audience = tuple(sorted(there))
        seq = self._header(header, authority, game_time, provenance)
        self._detail("events (seq, kind, importance, text, data)", seq, named, weight, body, kept)
        return self._view.event(record_id("event", seq))

    def state(
        self,
        *,
        authority: Authority,
        key: str,
        value: StateValue | None,
        game_time: int | None = None,
        scope: str = "",
        provenance: Iterable[str] = (),
    ) -> StateChange:
        """World state ``key`` is ``value`` from now on (None: removed) for ``scope``."""
        require(authority, "state")
        check_id(key, "a state key")
        checks.optional_id(scope, "a state's scope")
        stored = rows.canonical(checks.state_value(value, f"state {key!r}"))
        seq = self._header(Header("state"), authority, game_time, provenance)
        self._detail("state_changes (seq, timeline, scope, key, value)", seq, self._view.timeline, scope, key, stored)
        return self._stored(rows.state_change, "state_changes", seq)

    def clock(self, *, authority: Authority, game_time: int, provenance: Iterable[str] = ()) -> ClockChange:
        """The world's time is ``game_time``; it never goes back (``InvalidInput``)."""
        require(authority, "clock")
        now = self._view.game_time()
        if checks.minutes(game_time, "the clock") < now:
            raise InvalidInput(
                f"the clock cannot go back from {now} to {game_time}", hint="only loading a save goes back in time"
            )
        return self._stored(rows.clock, "", self._header(Header("clock"), authority, game_time, provenance))

    def actor(
        self,
        *,
        authority: Authority,
        actor: str,
        game_time: int | None = None,
        name: str | None = None,
        place: str | None = None,
        faction: str | None = None,
        provenance: Iterable[str] = (),
    ) -> ActorRecord:
        """What is known of an actor from now on; what is not given stays as it was."""
        require(authority, "actor")
        check_id(actor, "an actor's id")
        known = self._view.actor(actor)
        shown = checks.text(name if name is not None else known.name if known else "", "an actor's name")
        where = checks.optional_id(place if place is not None else known.place if known else "", "an actor's place")
        group = faction if faction is not None else known.faction if known else ""
        header = Header("actor", player=actor, place=where)
        seq = self._header(header, authority, game_time, provenance)
        self._detail("actors (seq, name, faction)", seq, shown, checks.optional_id(group, "an actor's faction"))
        return self._stored(rows.actor, "actors", seq)

    def alias(
        self, *, authority: Authority, actor: str, alias_of: str, provenance: Iterable[str] = ()
    ) -> IdentityRecord:
        """``actor`` is another id of ``alias_of`` from now on; what either was said to be holds for both. Raises
        ``AliasRefused`` (see ``Identities.new_alias``), also when it is one already.
        """
        require(authority, "identity")
        check_id(actor, "an actor's id")
        if not self._view.identities().new_alias(actor, check_id(alias_of, "alias_of")):
            raise AliasRefused(actor, alias_of, "it is one already", "say it once")
        known = [one for one in (self._view.actor(actor), self._view.actor(alias_of)) if one is not None]
        known.sort(key=lambda one: one.seq, reverse=True)
        tied = self._identity(actor, alias_of, authority, provenance)
        if known:
            self.actor(
                authority=authority,
                actor=alias_of,
                name=next((one.name for one in known if one.name), ""),
                place=next((one.place for one in known if one.place), ""),
                faction=next((one.faction for one in known if one.faction), ""),
            )
        return tied

    def rebirth(self, *, authority: Authority, actor: str, provenance: Iterable[str] = ()) -> IdentityRecord:
        """Somebody else has the id ``actor`` from now on: it is no alias, and nothing is known of the one it means."""
        require(authority, "identity")
        check_id(actor, "an actor's id")
        tied = self._identity(actor, "", authority, provenance)
        self.actor(authority=authority, actor=actor)
        return tied

    def _identity(self, actor: str, alias_of: str, authority: Authority, provenance: Iterable[str]) -> IdentityRecord:
        seq = self._header(Header("identity", player=actor), authority, None, provenance)
        self._detail("identities (seq, alias_of)", seq, alias_of)
        return self._stored(rows.identity, "identities", seq)

    def audit(
        self,
        *,
        authority: Authority,
        npc: str,
        player: str,
        turn: str,
        payload: str,
        game_time: int | None = None,
        asked: str = "",
    ) -> AuditRecord:
        """The black box of the reply that became ``turn``; ``asked``: the turn it answers. ``payload`` may be of any
        length; it is compressed.
        """
        require(authority, "audit")
        about = self._view.turn(turn)
        if about.npc != npc:
            raise UnknownId("turn", turn)
        packed = rows.pack(checks.without_surrogates(payload, "an audit payload"))
        header = Header("audit", npc=npc, player=check_id(player, "an audit's player"), session=about.session)
        seq = self._header(header, authority, game_time, (), sources=(turn, *filter(None, (asked,))))
        self._detail("audits (seq, turn, payload)", seq, about.seq, packed)
        self._detail("shown (seq, records)", seq, rows.canonical(sorted(set(records_in(payload)))))
        return self._view.audit(record_id("audit", seq))

    def end_session(
        self,
        *,
        authority: Authority,
        npc: str,
        player: str,
        game_time: int | None = None,
        provenance: Iterable[str] = (),
    ) -> SessionEnd:
        """The current conversation of ``npc`` with ``player`` is over; the next turn begins a new one."""
        require(authority, "session")
        check_id(npc, "an NPC's id")
        check_id(player, "a player's id")
        header = Header("session", npc=npc, player=player, session=self._view.session(npc, player))
        return self._stored(rows.session_end, "", self._header(header, authority, game_time, provenance))

    def revise(
        self,
        *,
        authority: Authority,
        turn: str,
        text: str,
        game_time: int | None = None,
        again: bool = False,
        mark: TurnMark = "",
        mood: str = "",
        action: str = "",
        provenance: Iterable[str] = (),
    ) -> Revision:
        """The turn says ``text`` from now on, in the same place of the same conversation. ``again``: it is an answer
        that was rolled once more. Needs the rank the turn was written with.
        """
        require(authority, "revision")
        said = self._view.turn(turn)
        if authority < said.authority:
            raise AuthorityViolation(authority.name.lower(), said.authority.name.lower(), "revision of turn")
        body = checks.words_of_a_turn(text, mark, mood, action)
        header = Header("revision", npc=said.npc, player=said.player, session=said.session, place=said.place)
        header.speaker, header.addressee, header.audience = said.speaker, said.addressee, said.audience
        seq = self._header(header, authority, game_time, provenance, sources=(turn,))
        self._detail("revisions (seq, target, roll, text, mark, mood, action)", seq, said.seq, said.roll + again, *body)
        return self._stored(rows.revision, "revisions", seq)

    def key(
        self,
        *,
        authority: Authority,
        key: str,
        answer: str,
        npc: str = "",
        player: str = "",
        game_time: int | None = None,
    ) -> KeyRecord:
        """The request with idempotency ``key`` was answered with ``answer``. A key is stored once."""
        require(authority, "key")
        check_id(key, "a key")
        if self._view.answer(key) is not None:
            raise InvalidInput(f"the key {key!r} was answered before", hint="read that answer with Store.answer")
        header = Header("key", npc=checks.optional_id(npc, "a key's NPC"))
        header.player = checks.optional_id(player, "a key's player")
        seq = self._header(header, authority, game_time, ())
        self._detail("keys (seq, key, answer)", seq, key, checks.without_surrogates(answer, "an answer"))
        return self._stored(rows.key, "keys", seq)
