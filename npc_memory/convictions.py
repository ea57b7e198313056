"""Making a belief: the one way that all take who do, so that what contradicts it is seen at once.

A newer belief takes an older one's place when both say something of the same slot of the same being, with different
values; nothing else is taken for a contradiction between beliefs. It does not when it is a mere doubt against something
surer, when a higher rank or the game's writers made the older one, or when canon denies it. What was known at the
source earlier never replaces what was known there later, however late it arrives.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from npc_memory.belief_slots import STATE, read_slot, same_value
from npc_memory.errors import InvalidInput
from npc_memory.judging import judge_of
from npc_memory.memory import Authority, BeliefRecord
from npc_memory.memory.confidence import THINKS
from npc_memory.people import Cast, names
from npc_memory.sayings import beliefs_of
from npc_memory.store import Store, Writer
from npc_memory.store.checks import without_surrogates
from npc_memory.world import World

__all__ = ["Conviction", "hold", "hold_again", "reconcile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conviction:
    """A belief that is to be: see ``BeliefRecord``. ``valid_from`` None: from now on. With a ``slot`` but no ``value``
    the text is what counts.
    """

    npc: str
    text: str
    subject: str = ""
    slot: str = ""
    value: str = ""
    confidence: float = 0.6
    sentiment: float = 0.0
    valid_from: int | None = None
    distance: int = 0
    scope: str = ""
    hand_written: bool = False
    speaker: str = ""
    place: str = ""
    audience: tuple[str, ...] = field(default=())
    provenance: tuple[str, ...] = field(default=())


def hold(world: World, store: Store, writer: Writer, conviction: Conviction) -> BeliefRecord:
    """From now on the NPC holds it; older beliefs whose place it takes are deprecated. Returns it as stored."""
    if not without_surrogates(conviction.text, "a belief's text").strip():
        raise InvalidInput("a belief says nothing", hint="give it a text")
    slotted = _slotted(world, store, conviction)
    made = writer.belief(
        npc=slotted.npc,
        text=slotted.text,
        subject=slotted.subject,
        slot=slotted.slot,
        value=slotted.value,
        confidence=slotted.confidence,
        sentiment=slotted.sentiment,
        valid_from=slotted.valid_from,
        distance=slotted.distance,
        scope=slotted.scope,
        hand_written=slotted.hand_written,
        speaker=slotted.speaker,
        addressee=slotted.npc if slotted.speaker else "",
        place=slotted.place,
        audience=slotted.audience,
        provenance=slotted.provenance,
        authority=Authority.GAME if slotted.hand_written else Authority.INFERENCE,
    )
    if made.slot and (made.subject or made.slot.startswith(STATE)):
        _settle(world, store, writer, made)
    return made


def hold_again(store: Store, writer: Writer, older: BeliefRecord) -> None:
    """What had taken the place of ``older`` is no more, so it is held as it was, but of nobody if another has
    the id of its subject by now.
    """
    writer.belief(
        npc=older.npc,
        text=older.text,
        game_time=older.game_time,
        subject=store.identities().still(older.subject, older.seq) if older.subject else "",
        slot=older.slot,
        value=older.value,
        confidence=older.confidence,
        sentiment=older.sentiment,
        valid_from=older.valid_from,
        distance=older.distance,
        scope=older.scope,
        hand_written=older.hand_written,
        speaker=older.speaker,
        addressee=older.addressee,
        place=older.place,
        audience=older.audience,
        provenance=older.provenance,
        authority=older.authority,
    )


def reconcile(world: World, store: Store, writer: Writer, actor: str) -> None:
    """``actor`` and others have turned out to be one: what anybody believes of that one is judged as if it had always
    been known, oldest first.
    """
    known = store.identities()
    ids = sorted({one.id for one in known.same(actor)})
    for one in store.slotted(ids):
        if known.at(one.subject, one.seq) == known.now(actor):
            _settle(world, store, writer, one)


def _slotted(world: World, store: Store, given: Conviction) -> Conviction:
    """With the slot that its caller names, else the one that its words tell."""
    if given.slot:
        return given if given.value else replace(given, value=given.text)
    found = read_slot(given.text, given.subject, names(world, store))
    if found is None:
        return given
    return replace(given, subject=found.subject, slot=found.slot, value=found.value)


def _settle(world: World, store: Store, writer: Writer, made: BeliefRecord) -> None:
    """Either ``made`` takes the place of what was believed there before, or, if it is older news, gives way to it."""
    cast = Cast(world, store)
    about = cast.then(made.subject, made.seq) if made.subject else ""
    known = store.identities()
    ids = known.ever_known_as(known.at(made.subject, made.seq)) if made.subject else ("",)
    others = [
        one
        for one in beliefs_of(store, made.npc, made.slot, ids)
        if one.seq < made.seq
        and (cast.then(one.subject, one.seq) if one.subject else "") == about
        and not same_value(one.value, made.value)
    ]
    if not others:
        return
    judge = judge_of(world, store, made.npc)
    if judge.against(made):
        return
    fresher = [one for one in others if one.valid_from > made.valid_from and _outweighs(one, made)]
    fresher = [one for one in fresher if not judge.against(one)]
    if fresher:
        writer.deprecate(target=made.id, by=fresher[-1].id, authority=fresher[-1].authority)
        return
    for one in others:
        if one.valid_from <= made.valid_from and _outweighs(made, one):
            writer.deprecate(target=one.id, by=made.id, authority=made.authority)


def _outweighs(newer: BeliefRecord, older: BeliefRecord) -> bool:
    if older.authority > newer.authority or (older.hand_written and not newer.hand_written):
        return False
    return newer.confidence >= min(older.confidence, THINKS)
