"""Records to columns and back. JSON is canonical: no spaces, no escapes, keys and audiences sorted."""

from __future__ import annotations

import json
import sqlite3
import zlib
from functools import lru_cache
from typing import Any, NamedTuple, TypedDict, cast

from npc_memory.memory import (
    ActorRecord,
    AuditRecord,
    Authority,
    BeliefRecord,
    ClockChange,
    EpisodeRecord,
    EventRecord,
    IdentityRecord,
    KeyRecord,
    RelationshipChange,
    Retirement,
    Revision,
    SessionEnd,
    StateChange,
    StateValue,
    TripleRecord,
    TurnMark,
    TurnRecord,
)
from npc_memory.memory.relationships import BOUNDS, How, RelationKind
from npc_memory.store.checks import HOWS, MARKS
from npc_memory.store.ids import record_id
from npc_memory.store.owners import owner_id

__all__ = [
    "HEADER",
    "Line",
    "actor",
    "audit",
    "belief",
    "canonical",
    "clock",
    "episode",
    "event",
    "identity",
    "key",
    "line",
    "pack",
    "relationship",
    "retirement",
    "revision",
    "session_end",
    "state_change",
    "triple",
    "turn",
    "unpack",
    "value_of",
]

HEADER = (
    "r.seq, r.npc, r.npc_seq, r.player, r.session, r.game_time, r.speaker, r.addressee, r.place, r.audience,"
    " r.provenance, r.authority, r.owner"
)
"""The columns of ``records`` that every record is made from. They come first, and are read by their place: a row is
searched for a name column by column, and a snapshot makes dozens of records.
"""


def canonical(value: object) -> str:
    """``value`` as canonical JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


@lru_cache(maxsize=4096)
def ids(text: str) -> tuple[str, ...]:
    """The ids in a JSON list. Few lists occur often, so they are remembered."""
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("not a list of ids")
    return tuple(found)


@lru_cache(maxsize=4096)
def value_of(text: str) -> StateValue | None:
    """The state value behind its JSON text; None: removed."""
    value = json.loads(text)
    if value is not None and not isinstance(value, str | int):
        raise ValueError("not a state value")
    return value


def pack(payload: str) -> bytes:
    """An audit payload as it is stored: zlib. It can be large and is rarely read."""
    return zlib.compress(payload.encode("utf-8"), 6)


def unpack(payload: bytes) -> str:
    """The audit payload that ``pack`` stored."""
    return zlib.decompress(payload).decode("utf-8")


class Line(NamedTuple):
    """A turn in brief. ``npc``: in whose memory it lies; ``heard``: it was overheard."""

    seq: int
    speaker: str
    game_time: int
    npc: str
    heard: bool


_RANKS: dict[Any, Authority] = {rank.value: rank for rank in Authority}
"""Ranks by number: quicker than asking the enumeration, which knows what is none."""


class _Common(TypedDict):
    game_time: int
    authority: Authority
    provenance: tuple[str, ...]
    owner: str
    seq: int
    npc_seq: int


class _Scene(TypedDict):
    npc: str
    speaker: str
    addressee: str
    place: str
    audience: tuple[str, ...]


def _common(row: sqlite3.Row) -> _Common:
    seq, _, npc_seq, _, _, game_time, _, _, _, _, provenance, authority, owner = row[:13]
    return {
        "game_time": game_time,
        "authority": _RANKS.get(authority) or Authority(authority),
        "provenance": ids(provenance),
        "owner": owner_id(owner),
        "seq": seq,
        "npc_seq": npc_seq,
    }


def _scene(row: sqlite3.Row) -> _Scene:
    _, npc, _, _, _, _, speaker, addressee, place, audience = row[:10]
    return {"npc": npc, "speaker": speaker, "addressee": addressee, "place": place, "audience": ids(audience)}


def _mark(text: Any) -> TurnMark:
    if text not in MARKS:
        raise ValueError("not a mark")
    return cast(TurnMark, text)


def turn(row: sqlite3.Row) -> TurnRecord:
    """From header, text, mark, mood, action, roll."""
    seq, npc, npc_seq, player, session, time, speaker, addressee, place, audience, sources, rank, owner = row[:13]
    return TurnRecord(
        id=record_id("turn", seq),
        npc=npc,
        player=player,
        session=session,
        speaker=speaker,
        addressee=addressee,
        text=row["text"],
        game_time=time,
        place=place,
        audience=ids(audience),
        mark=_mark(row["mark"]),
        mood=row["mood"],
        action=row["action"],
        roll=row["roll"],
        authority=_RANKS.get(rank) or Authority(rank),
        provenance=ids(sources),
        owner=owner_id(owner),
        seq=seq,
        npc_seq=npc_seq,
    )


def line(row: sqlite3.Row) -> Line:
    """From seq, speaker, game_time, npc, heard."""
    return Line(int(row["seq"]), str(row["speaker"]), int(row["game_time"]), str(row["npc"]), bool(row["heard"]))


def episode(row: sqlite3.Row) -> EpisodeRecord:
    """From header, text, kind, importance, turns."""
    seq, npc, npc_seq, _, _, time, speaker, addressee, place, audience, sources, rank, owner = row[:13]
    return EpisodeRecord(
        id=record_id("episode", seq),
        npc=npc,
        text=row["text"],
        game_time=time,
        kind=row["kind"],
        importance=row["importance"],
        turns=ids(row["turns"]),
        speaker=speaker,
        addressee=addressee,
        place=place,
        audience=ids(audience),
        authority=_RANKS.get(rank) or Authority(rank),
        provenance=ids(sources),
        owner=owner_id(owner),
        seq=seq,
        npc_seq=npc_seq,
    )


def event(row: sqlite3.Row) -> EventRecord:
    """From header, kind, importance, text, data. Who did it, and to whom, are speaker and addressee in the header."""
    data = json.loads(row["data"])
    if not isinstance(data, dict):
        raise ValueError("not a map")
    return EventRecord(
        id=record_id("event", row["seq"]),
        kind=row["kind"],
        text=row["text"],
        importance=row["importance"],
        actor=row["speaker"],
        target=row["addressee"],
        place=row["place"],
        audience=ids(row["audience"]),
        data=data,
        **_common(row),
    )


def belief(row: sqlite3.Row) -> BeliefRecord:
    """From header, text, subject, confidence, and what schema 4 added."""
    return BeliefRecord(
        id=record_id("belief", row["seq"]),
        text=row["text"],
        subject=row["subject"],
        slot=row["slot"],
        value=row["value"],
        confidence=row["confidence"],
        sentiment=row["sentiment"],
        valid_from=row["valid_from"],
        distance=row["distance"],
        scope=row["scope"],
        hand_written=bool(row["hand_written"]),
        **_scene(row),
        **_common(row),
    )


def state_change(row: sqlite3.Row) -> StateChange:
    """From header, scope, key, value."""
    return StateChange(key=row["key"], value=value_of(row["value"]), scope=row["scope"], **_common(row))


def clock(row: sqlite3.Row) -> ClockChange:
    """From the header alone."""
    return ClockChange(**_common(row))


def actor(row: sqlite3.Row) -> ActorRecord:
    """From header, name, faction. The actor's id stands in the header as player, for erasure."""
    return ActorRecord(
        actor=row["player"], name=row["name"], place=row["place"], faction=row["faction"], **_common(row)
    )


def identity(row: sqlite3.Row) -> IdentityRecord:
    """From header, alias_of. The actor's id stands in the header as player, for erasure."""
    return IdentityRecord(actor=row["player"], alias_of=row["alias_of"], **_common(row))


def audit(row: sqlite3.Row) -> AuditRecord:
    """From header, turn (a seq; its own when the turn was erased), payload."""
    return AuditRecord(
        id=record_id("audit", row["seq"]),
        npc=row["npc"],
        player=row["player"],
        turn="" if row["turn"] == row["seq"] else record_id("turn", row["turn"]),
        game_time=row["game_time"],
        payload=unpack(row["payload"]),
        owner=owner_id(row["owner"]),
        seq=row["seq"],
        npc_seq=row["npc_seq"],
    )


def session_end(row: sqlite3.Row) -> SessionEnd:
    """From the header alone."""
    return SessionEnd(npc=row["npc"], player=row["player"], session=row["session"], **_common(row))


def retirement(row: sqlite3.Row) -> Retirement:
    """From header, target_kind, target (a seq), reason."""
    return Retirement(
        id=record_id("retirement", row["seq"]),
        target=record_id(row["target_kind"], row["target"]),
        npc=row["npc"],
        reason=row["reason"],
        **_common(row),
    )


def revision(row: sqlite3.Row) -> Revision:
    """From header, target (a turn's seq), roll, text, mark, mood, action."""
    return Revision(
        id=record_id("revision", row["seq"]),
        target=record_id("turn", row["target"]),
        npc=row["npc"],
        text=row["text"],
        roll=row["roll"],
        mark=_mark(row["mark"]),
        mood=row["mood"],
        action=row["action"],
        **_common(row),
    )


def key(row: sqlite3.Row) -> KeyRecord:
    """From header, key, answer."""
    return KeyRecord(key=row["key"], answer=row["answer"], npc=row["npc"], player=row["player"], **_common(row))


def relationship(row: sqlite3.Row) -> RelationshipChange:
    """From header, kind, how, amount, reason. For whom it is felt stands in the header as player."""
    if row["kind"] not in BOUNDS or row["how"] not in HOWS:
        raise ValueError("not a change of a relationship")
    return RelationshipChange(
        id=record_id("relationship", row["seq"]),
        other=row["player"],
        kind=cast(RelationKind, row["kind"]),
        how=cast(How, row["how"]),
        amount=row["amount"],
        reason=row["reason"],
        **_scene(row),
        **_common(row),
    )


def triple(row: sqlite3.Row) -> TripleRecord:
    """From header, subject, relation, object, valid_from, valid_to, confidence, functional."""
    return TripleRecord(
        id=record_id("triple", row["seq"]),
        subject=row["subject"],
        relation=row["relation"],
        object=row["object"],
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        confidence=row["confidence"],
        functional=bool(row["functional"]),
        **_scene(row),
        **_common(row),
    )
