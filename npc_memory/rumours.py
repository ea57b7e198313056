"""What an NPC could pass on: a memory as others would be told it, and back to what it is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory import BeliefRecord, EpisodeRecord, EventRecord, check_id
from npc_memory.memory.confidence import WITNESS
from npc_memory.store import View
from npc_memory.store.ids import looks_like_record, seq_of

__all__ = ["Marks", "Rumour", "all_visible", "marks", "origin_of", "rumour_of", "visible"]

NOBODY = "nobody"
"""A scope that nobody is in."""


class Marks(NamedTuple):
    """What the ``data`` of an event may say of the belief that is made of it: texts."""

    subject: str = ""
    slot: str = ""
    value: str = ""
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rumour:
    """``source``: the record the teller has it from; ``chain``: what that was made from, nearest first; ``origin``: the
    first record that says it. ``confidence`` and ``distance`` are the teller's. ``weight``: how much there is to tell.
    """

    text: str
    source: str
    chain: tuple[str, ...]
    origin: str
    confidence: float
    valid_from: int
    distance: int = 0
    subject: str = ""
    slot: str = ""
    value: str = ""
    sentiment: float = 0.0
    scope: str = ""
    weight: float = 0.0


def rumour_of(view: View, record: BeliefRecord | EpisodeRecord) -> Rumour:
    """``record`` as it would be passed on. What it was made from and cannot be seen any more is left out, and so is its
    subject if somebody else has that id by now.
    """
    chain = tuple(one for one in record.provenance if looks_like_record(one))
    event = _event(view, chain)
    if isinstance(record, EpisodeRecord):
        known = marks(event.data) if event is not None else Marks()
        return Rumour(
            text=record.text,
            source=record.id,
            chain=chain,
            origin=origin_of(view, record),
            confidence=WITNESS,
            valid_from=record.game_time,
            weight=record.importance * WITNESS,
            subject=_still(view, known.subject, event),
            slot=known.slot,
            value=known.value,
            scope=known.scope,
        )
    importance = event.importance if event is not None else _UNRATED
    return Rumour(
        text=record.text,
        source=record.id,
        chain=chain,
        origin=origin_of(view, record),
        confidence=record.confidence,
        valid_from=record.valid_from,
        distance=record.distance,
        subject=_still(view, record.subject, record),
        slot=record.slot,
        value=record.value,
        sentiment=record.sentiment,
        scope=record.scope,
        weight=importance * record.confidence,
    )


def _still(view: View, subject: str, record: BeliefRecord | EventRecord | None) -> str:
    return view.identities().still(subject, record.seq) if subject and record is not None else ""


_UNRATED = 0.3


def marks(data: Mapping[str, Any]) -> Marks:
    """What an event's ``data`` says of the belief that is made of it. Games keep in it what they like, so what cannot
    be such a mark is none; but a scope that cannot be one is that of nobody.
    """
    value = data.get("value", "")
    return Marks(
        _id_in(data.get("subject")),
        _id_in(data.get("slot")),
        value if isinstance(value, str) else "",
        _id_in(data.get("scope")) or (NOBODY if data.get("scope") else ""),
    )


def _id_in(value: object) -> str:
    try:
        return check_id(value, "a mark")
    except InvalidInput:
        return ""


def origin_of(view: View, record: BeliefRecord | EpisodeRecord) -> str:
    """The id of the first record that says what ``record`` says: who has anything made from it knows it already."""
    seen: BeliefRecord | EpisodeRecord = record
    while isinstance(seen, BeliefRecord) and seen.distance > 0:
        before = next((one for one in seen.provenance if looks_like_record(one)), "")
        if not before:
            return seen.id
        try:
            source = view.ever(before)
        except UnknownId:
            return before
        if not isinstance(source, BeliefRecord | EpisodeRecord):
            return before
        seen = source
    if isinstance(seen, EpisodeRecord):
        return next((one for one in seen.provenance if _is(one, "event")), seen.id)
    return seen.id


def visible(view: View, ids: Iterable[str]) -> tuple[str, ...]:
    """Those of ``ids`` that a new memory can name, each once: what is no record, or one that counts and is not barred
    (a turn that was rolled again and became an authored line).
    """
    found = []
    for one in dict.fromkeys(ids):
        if looks_like_record(one):
            try:
                _, mark = view.sources((one,))[one]
            except UnknownId:
                continue
            if mark:
                continue
        found.append(one)
    return tuple(found)


def all_visible(view: View, ids: Sequence[str]) -> bool:
    """Whether a new record can name all of ``ids``."""
    return len(visible(view, ids)) == len(set(ids))


def _event(view: View, chain: tuple[str, ...]) -> EventRecord | None:
    """The event at the source, if that is visible."""
    for one in reversed(chain):
        if _is(one, "event"):
            try:
                return view.event(one)
            except UnknownId:
                return None
    return None


def _is(id: str, kind: str) -> bool:
    return looks_like_record(id) and seq_of(id)[0] == kind
