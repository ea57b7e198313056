"""From an event to what those feel and know who perceived it (promise P6). Written in the event's own transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from npc_memory.bonds import data
from npc_memory.bonds.rules import RULES, TOLD, Step, debt_step
from npc_memory.errors import UnknownId
from npc_memory.memory import Authority, BeliefRecord
from npc_memory.people import Cast
from npc_memory.store import Store, Writer
from npc_memory.store.ids import looks_like_record, seq_of
from npc_memory.working_memory.shorten import shortened
from npc_memory.world import World

__all__ = ["MAX_REASON", "Happened", "moved_by", "moved_by_rumour"]

MAX_REASON = 240
"""Longest reason that is made from an event's text, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """An event as it moves NPCs. ``id``: of the record it is; ``witnesses``: the NPCs who perceived it, ``audience``:
    all who did. ``told``: they were not there, they heard of it, and believe it with this ``confidence``; it is the
    number of the record whose ``data`` it is, 0 for who was there.
    """

    id: str
    kind: str
    text: str
    actor: str = ""
    target: str = ""
    place: str = ""
    witnesses: Sequence[str] = ()
    audience: Sequence[str] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    told: int = 0
    confidence: float = 1.0


def moved_by_rumour(world: World, store: Store, writer: Writer, belief: BeliefRecord, origin: str) -> None:
    """An NPC has a new ``belief`` because she was told what goes back to the record ``origin``. If that is an event she
    did not perceive, it moves her as it moves who is told, and she knows its triples as surely as she believes it. What
    she is told of herself moves her not.
    """
    if not looks_like_record(origin) or seq_of(origin)[0] != "event":
        return
    try:
        event = store.event(origin)
    except UnknownId:  # taken back, while somebody still tells of it
        return
    cast = Cast(world, store)
    actor, target = (cast.still(id, event.seq) for id in (event.actor, event.target))
    if belief.npc in cast.ids_of(event.audience):
        return
    happened = Happened(
        id=belief.id,
        kind=event.kind,
        text=belief.text,
        actor=actor,
        target=target,
        witnesses=(belief.npc,),
        data=event.data,
        told=event.seq,
        confidence=belief.confidence,
    )
    moved_by(world, writer, cast, happened, Authority.INFERENCE)


def moved_by(world: World, writer: Writer, cast: Cast, event: Happened, authority: Authority = Authority.GAME) -> None:
    """Write what ``event`` changes: what its ``data`` says, and for all other pairs what the rules say.

    Raises ``InvalidInput`` and ``UnknownId`` for ``data`` that cannot be used; nothing is to be stored then.
    """
    said = [] if event.told else _said(world, cast, event)
    for one, of, to in said:
        why = one.reason if one.reason is not None else event.text if of in event.witnesses else ""
        _write(writer, event, of, to, one.steps, why, authority)
    named = {(of, to) for _, of, to in said}
    for npc, other, steps in _ruled(event):
        if (npc, other) not in named:
            _write(writer, event, npc, other, steps, event.text, authority)
    for fact in data.triples_in(event.data):
        subject, object = (_end(cast, id, event) for id in (fact.subject, fact.object))
        if not (subject and object):
            continue
        for npc in ("",) if fact.public and not event.told else event.witnesses:
            writer.triple(
                npc=npc,
                subject=subject,
                relation=fact.relation,
                object=object,
                valid_from=fact.valid_from,
                valid_to=fact.valid_to,
                confidence=min(fact.confidence, event.confidence),
                functional=world.relation(fact.relation).functional,
                authority=authority,
                **_scene(event, npc),
            )


def _end(cast: Cast, id: str, event: Happened) -> str:
    """The id in use of the one that ``event`` means by ``id``; "" when somebody else has it by now."""
    return cast.still(id, event.told) if event.told else cast.id_of(id)


def _said(world: World, cast: Cast, event: Happened) -> list[tuple[data.Said, str, str]]:
    found = [(one, cast.id_of(one.of), cast.id_of(one.to)) for one in data.relations_in(event.data)]
    for _, of, _ in found:
        if of not in world.npcs:
            raise UnknownId("NPC", of, list(world.npcs))
    return found


def _ruled(event: Happened) -> Iterator[tuple[str, str, list[Step]]]:
    """Whom the rules move towards whom, and how."""
    kind = event.kind.casefold()
    rule = RULES.get(kind)
    if rule is None or not event.actor:
        return
    amount = data.amount_in(event.data) if kind in ("loan", "payment") else 0
    for npc in event.witnesses:
        steps: list[Step] = []
        if npc != event.actor:
            moves = rule.target if npc == event.target and not event.told else rule.witness
            scale = TOLD if event.told else 1
            steps = [(one, "by", int(by * scale)) for one, by in moves.items() if int(by * scale)]
        if npc in (event.actor, event.target) and event.target not in ("", event.actor) and not event.told:
            debt = debt_step(kind, amount, acts=npc == event.actor)
            steps += [debt] if debt is not None else []
        if steps:
            yield npc, event.target if npc == event.actor else event.actor, steps


def _write(
    writer: Writer, event: Happened, npc: str, other: str, steps: Sequence[Step], why: str, authority: Authority
) -> None:
    for kind, how, amount in steps:
        writer.relationship(
            npc=npc,
            other=other,
            kind=kind,
            how=how,
            amount=amount,
            reason=shortened(why, MAX_REASON),
            authority=authority,
            **_scene(event, npc),
        )


def _scene(event: Happened, npc: str) -> dict[str, Any]:
    there = {"speaker": event.actor, "addressee": event.target, "place": event.place, "audience": event.audience}
    # Who was not there, and is told by the game itself, has a memory of her own and nobody else's presence in it.
    seen = npc in event.witnesses or not npc
    return {**(there if seen and not event.told else {}), "provenance": (event.id,)}
