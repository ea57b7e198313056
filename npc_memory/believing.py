"""What NPCs believe: given by the game or its writers, looked at by the inspector, passed on, traced back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from npc_memory.convictions import Conviction, hold
from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.evidence import check_evidence
from npc_memory.gossiping import Round, companies
from npc_memory.idempotence import answered, answers
from npc_memory.judging import judge_of
from npc_memory.memory import BeliefRecord, check_id
from npc_memory.memory.confidence import Feeling, Sureness, feeling, lowered, sureness
from npc_memory.people import Cast, ids
from npc_memory.store import Store, View, checks
from npc_memory.tracing import Step, trace
from npc_memory.world import Gossip, Npc, World

__all__ = ["Believing", "HeldBelief", "Status"]

Status = Literal["held", "deprecated", "contradicted"]
"""``deprecated``: a newer belief has its place. ``contradicted``: canon says otherwise, so it is never offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBelief:
    """A belief as the inspector shows it. ``confidence`` is what is left of it: one that canon denies is lowered.

    ``by``: the belief that took its place, or the fact or state ("fact:king-dead") that denies it. ``valid_from`` and
    ``valid_to`` in game minutes, None as long as it holds. ``evidence``: ids of the records it was made from.
    """

    id: str
    npc: str
    text: str
    status: Status
    by: str
    confidence: float
    word: Sureness
    sentiment: float
    feeling: Feeling
    subject: str
    slot: str
    value: str
    evidence: tuple[str, ...]
    teller: str
    place: str
    game_time: int
    distance: int
    valid_from: int
    valid_to: int | None
    scope: str
    hand_written: bool


class Believing:
    """The part of a mind that is about beliefs."""

    world: World
    store: Store
    npc: Callable[[str], Npc]

    def believe(
        self,
        npc: str,
        text: str,
        *,
        subject: str = "",
        slot: str = "",
        value: str = "",
        confidence: float = 0.6,
        sentiment: float = 0.0,
        evidence: Sequence[str] = (),
        valid_from: int | None = None,
        scope: str = "",
        hand_written: bool = False,
        key: str = "",
    ) -> str:
        """From now on ``npc`` believes ``text`` (at most 64 KiB); returns the belief's id.

        ``subject``: the id of whom or what it is about. ``slot``: what of it, an id of the game's own ("home", or
        "state:KEY" for world state), of which it has one ``value`` at a time (the text, if left out): a newer belief
        with another value takes the place of older ones. Left out, a few plain sentences are read for it.
        ``confidence`` 0 to 1, ``sentiment`` -1 to 1. ``evidence``: ids of records in her memory, or of what she
        perceived or overheard, what it was made from; it goes when they go. ``scope``: who may be told of it, as in
        ``set_state``. ``hand_written``: by the game's writers; nothing but another one of theirs takes its place, and
        no edit of its evidence. ``valid_from``: since when it is so (None: now), no later than now. A ``key`` that has
        been answered before returns the same id again.

        Raises ``UnknownId``, ``InvalidInput``, ``TextTooLong``; then nothing was stored.
        """
        with self.store.transaction() as writer:
            earlier = answered(self.store, key, "believe")
            if earlier is not None:
                return str(earlier["belief"])
            cast, one = Cast(self.world, self.store), self.npc(npc).id
            made_from = ids(evidence, "evidence")
            check_evidence(self.store, one, made_from)
            made = hold(
                self.world,
                self.store,
                writer,
                Conviction(
                    npc=one,
                    text=text,
                    subject=cast.id_of(check_id(subject, "subject")) if subject else "",
                    slot=slot,
                    value=value,
                    confidence=confidence,
                    sentiment=sentiment,
                    valid_from=self._begun(valid_from),
                    scope=self._scope(scope),
                    hand_written=checks.flag(hand_written, "hand_written"),
                    provenance=made_from,
                ),
            )
            answers(writer, key, "believe", {"belief": made.id}, npc=one)
        return made.id

    def beliefs(self, npc: str, *, all: bool = False, at: int | None = None) -> tuple[HeldBelief, ...]:
        """What ``npc`` believes, oldest first: what may come up in her prompts; with ``all`` also what newer beliefs or
        canon have put aside. ``at``: as it was when that record (a number) was the newest.

        Raises ``UnknownId``, ``InvalidInput``.
        """
        with self.store.reading():
            view = self.store if at is None else self.store.at(checks.count(at, "at"))
            found = self._looked_at(view, self.npc(npc).id)
            return tuple(one for one in sorted(found, key=lambda one: one.id) if all or one.status == "held")

    def trace(self, belief: str) -> tuple[Step, ...]:
        """A rumour back to its source: ``belief`` first, then from whom she has it, and so on down to what happened.

        Raises ``UnknownId``.
        """
        with self.store.reading():
            return trace(self.store, check_id(belief, "a belief's id"))

    def gossip(
        self,
        place: str = "",
        *,
        npcs: Sequence[str] = (),
        per_hour: int | None = None,
        distance: int | None = None,
        key: str = "",
    ) -> tuple[str, ...]:
        """Let the NPCs at ``place`` tell each other what they know, or these ``npcs``, wherever they are; returns the
        ids of the beliefs it made, those of hearers in order of their ids.

        Each hears at most ``per_hour`` things in one hour of the game, from at most ``distance`` tellers away; left
        out, as the world pack says (``gossip`` in world.yaml), else 2 and 3. Calling it again in the same hour adds
        nothing beyond that. Raises ``UnknownId``, ``InvalidInput``.
        """
        limits = self.world.gossip or Gossip()
        limits = Gossip(
            limits.per_hour if per_hour is None else per_hour, limits.distance if distance is None else distance
        )
        with self.store.transaction() as writer:
            earlier = answered(self.store, key, "gossip")
            if earlier is not None:
                return tuple(earlier["beliefs"])
            if bool(place) is bool(npcs):
                raise InvalidInput("gossip is at a place, or among NPCs", hint="give a place or at least two NPCs")
            there = [self.npc(one).id for one in ids(npcs, "npcs")] if npcs else self._at(place)
            made = Round(self.world, self.store, writer, limits, there, place).run()
            answers(writer, key, "gossip", {"beliefs": list(made)})
        return made

    def _at(self, place: str) -> list[str]:
        return companies(self.world, self.store).get(check_id(place, "place"), [])

    def _looked_at(self, view: View, npc: str) -> Iterator[HeldBelief]:
        judge = judge_of(self.world, view, npc, self.store if view is self.store else None)
        for one in view.beliefs(npc):
            by = judge.against(one)
            yield _shown(one, "contradicted" if by else "held", by, None)
        for one, retirement in view.deprecations(npc):
            by = retirement.provenance[0]
            yield _shown(one, "deprecated", by, _since(view, by, retirement.game_time))

    def _begun(self, valid_from: int | None) -> int | None:
        """``valid_from``, if that has come: a prompt would tell at once what is to be so one day."""
        if valid_from is not None and checks.minutes(valid_from, "valid_from") > self.store.game_time():
            raise InvalidInput(
                f"a belief cannot hold from {valid_from} on: it is {self.store.game_time()}",
                hint="tell it when that time has come",
            )
        return valid_from

    def _scope(self, scope: str) -> str:
        checks.optional_id(scope, "a scope")
        kind, _, id = scope.partition(":")
        known = {"place": self.world.places, "faction": self.world.factions, "npc": self.world.npcs}
        if not scope:
            return ""
        if kind not in known or not id:
            raise InvalidInput(f"{scope!r} is no scope", hint='use "", "place:…", "faction:…" or "npc:…"')
        if kind == "npc":
            return f"npc:{self.npc(id).id}"
        if id not in known[kind]:
            raise UnknownId(kind, id, list(known[kind]))
        return scope


def _since(view: View, belief: str, game_time: int) -> int:
    """Since when ``belief`` holds; ``game_time`` if it did not come along in an archive."""
    try:
        found = view.ever(belief)
    except UnknownId:
        return game_time
    return found.valid_from if isinstance(found, BeliefRecord) else game_time


def _shown(one: BeliefRecord, status: Status, by: str, until: int | None) -> HeldBelief:
    confidence = lowered(one.confidence) if status == "contradicted" else one.confidence
    return HeldBelief(
        id=one.id,
        npc=one.npc,
        text=one.text,
        status=status,
        by=by,
        confidence=confidence,
        word=sureness(confidence),
        sentiment=one.sentiment,
        feeling=feeling(one.sentiment),
        subject=one.subject,
        slot=one.slot,
        value=one.value,
        evidence=one.provenance,
        teller=one.speaker if one.distance else "",
        place=one.place,
        game_time=one.game_time,
        distance=one.distance,
        valid_from=one.valid_from,
        valid_to=until,
        scope=one.scope,
        hand_written=one.hand_written,
    )
