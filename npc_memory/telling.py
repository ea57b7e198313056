"""One NPC tells another: who may be told what, and the belief that comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from npc_memory.bonds import moved_by_rumour
from npc_memory.convictions import Conviction, hold
from npc_memory.errors import InvalidInput
from npc_memory.memory import BeliefRecord, EpisodeRecord, EventRecord, check_id
from npc_memory.memory.confidence import WITNESS, told
from npc_memory.people import factions_of, place_of
from npc_memory.recall import gives_away
from npc_memory.rumours import Rumour, marks, rumour_of, visible
from npc_memory.sayings import beliefs_saying, episodes_saying
from npc_memory.store import Store, View, Writer
from npc_memory.world import World

__all__ = ["in_circle", "is_news", "may_be_told", "memory_told", "pass_on", "tell"]


def tell(
    world: World,
    store: Store,
    writer: Writer,
    event: EventRecord,
    memory: BeliefRecord | EpisodeRecord | None,
    hearers: Sequence[str],
) -> tuple[str, ...]:
    """What follows when the game says that ``event.actor`` told ``hearers`` so: a belief of each who did not know it
    so surely. Returns their ids. ``memory``: which of hers that is (``memory_told``). What it is about and whence may
    be said in the event's ``data`` (docs/beliefs.md).
    """
    rumour = _told_by(store, event, memory)
    made = (
        pass_on(
            world, store, writer, rumour, event.actor, one, place=event.place, audience=event.audience, via=(event.id,)
        )
        for one in hearers
    )
    return tuple(id for id in made if id)


def pass_on(
    world: World,
    store: Store,
    writer: Writer,
    rumour: Rumour,
    teller: str,
    hearer: str,
    *,
    place: str,
    audience: Sequence[str] = (),
    via: Sequence[str] = (),
) -> str:
    """``hearer`` believes it by now, because ``teller`` told her. Returns the belief's id, "" when she knew it, no less
    surely, or there is nothing left to be sure of. ``via``: the records that say that it was told.
    """
    sure = told(rumour.confidence)
    before = _before(store, rumour, hearer)
    if not _adds(before, sure):
        return ""
    made = hold(
        world,
        store,
        writer,
        Conviction(
            npc=hearer,
            text=rumour.text,
            subject=rumour.subject,
            slot=rumour.slot,
            value=rumour.value,
            confidence=sure,
            sentiment=rumour.sentiment,
            valid_from=rumour.valid_from,
            distance=rumour.distance + 1,
            scope=rumour.scope,
            speaker=teller,
            place=place,
            audience=tuple(sorted({teller, hearer, *audience})),
            provenance=visible(store, (rumour.source, *via, *rumour.chain)),
        ),
    )
    if not isinstance(before, BeliefRecord):
        moved_by_rumour(world, store, writer, made, rumour.origin)
    else:
        held = {one.id for one in beliefs_saying(store, hearer, rumour.text)}
        if {before.id, made.id} <= held:
            writer.deprecate(target=before.id, by=made.id, authority=max(made.authority, before.authority))
    return made.id


def may_be_told(world: World, view: View, rumour: Rumour, hearer: str) -> bool:
    """Whether it is no secret to ``hearer``: she is in its scope, and it does not give away a fact that she must not
    know. The game may have her told all the same.
    """
    npc = world.npc(hearer)
    place, factions = place_of(view, npc), factions_of(view, npc)
    standing = world.standing(hearer, place, factions)
    if rumour.scope and rumour.scope not in standing.state_scopes():
        return False
    kept = (fact for fact in world.canon.values() if not fact.scope.covers(standing))
    return not any(gives_away(rumour.text, text) for fact in kept for text in (fact.text, fact.spoken))


def in_circle(world: World, view: View, scopes: Collection[str], hearer: str) -> bool:
    """Whether ``hearer`` is in all of ``scopes``."""
    if not scopes:
        return True
    npc = world.npc(hearer)
    hers = world.standing(hearer, place_of(view, npc), factions_of(view, npc)).state_scopes()
    return all(one in hers for one in scopes)


def is_news(store: Store, rumour: Rumour, hearer: str) -> bool:
    """Whether ``pass_on`` would make a belief of it."""
    return _adds(_before(store, rumour, hearer), told(rumour.confidence))


def _adds(before: object, sure: float) -> bool:
    if isinstance(before, BeliefRecord):
        return not before.hand_written and before.confidence < sure
    return sure > 0 and before is not _WITNESSED


_WITNESSED = object()


def _before(store: Store, rumour: Rumour, hearer: str) -> object:
    """How ``hearer`` knows it already: a belief of hers, ``_WITNESSED`` when she saw or heard it herself or has long
    thought better of it, None if she does not.
    """
    held = beliefs_saying(store, hearer, rumour.text)
    if held:
        return max(held, key=lambda one: (one.confidence, one.seq))
    ids = store.identities().ids(hearer)
    if episodes_saying(store, hearer, rumour.text) or store.knowers(rumour.origin).intersection(ids):
        return _WITNESSED
    return None


def _told_by(store: Store, event: EventRecord, memory: BeliefRecord | EpisodeRecord | None) -> Rumour:
    """What ``event.actor`` tells, as she has it: from the record that is named, or one of hers that says the same."""
    known, sure = marks(event.data), _confidence(event.data)
    if memory is None:
        return Rumour(
            text=event.text,
            source=event.id,
            chain=(),
            origin=event.id,
            confidence=WITNESS if sure is None else sure,
            valid_from=event.game_time,
            subject=known.subject,
            slot=known.slot,
            value=known.value,
            scope=known.scope,
        )
    hers = rumour_of(store, memory)
    return Rumour(
        text=event.text,
        source=hers.source,
        chain=hers.chain,
        origin=hers.origin,
        confidence=hers.confidence if sure is None else min(sure, hers.confidence),
        valid_from=hers.valid_from,
        distance=hers.distance,
        subject=known.subject or hers.subject,
        slot=known.slot or hers.slot,
        value=known.value or ("" if known.slot else hers.value),
        sentiment=hers.sentiment,
        scope=known.scope or hers.scope,
    )


def memory_told(store: Store, teller: str, text: str, data: Mapping[str, Any]) -> BeliefRecord | EpisodeRecord | None:
    """The memory of ``teller`` that is told: the one ``data`` names, else one that says the same; None for none."""
    return _named(store, teller, data.get("source", "")) or _saying(store, teller, text)


def _named(store: Store, teller: str, source: object) -> BeliefRecord | EpisodeRecord | None:
    if not source:
        return None
    found = store.ever(check_id(source, "source"))
    if not isinstance(found, BeliefRecord | EpisodeRecord) or found.npc not in store.identities().ids(teller):
        raise InvalidInput(
            f"{teller!r} has no memory {source!r} to tell of", hint="name one of her episodes or beliefs"
        )
    return found


def _saying(store: Store, teller: str, text: str) -> BeliefRecord | EpisodeRecord | None:
    saw = episodes_saying(store, teller, text)
    if saw:
        return saw[0]
    return next(iter(beliefs_saying(store, teller, text)), None)


def _confidence(data: Mapping[str, Any]) -> float | None:
    value = data.get("confidence")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"'confidence' in an event's data must be from 0 to 1, not {value!r}", hint="1 is certain")
    return float(value)
