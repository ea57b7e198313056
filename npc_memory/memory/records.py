"""Records as they are stored: what happened, who was there, where it came from.

A record is immutable. ``seq`` is its place in the world's one append-only order (0 until it is stored). ``npc`` is the
NPC whose memory it is. An event lies once in the memory of every NPC who perceived it; talk lies in the memory of the
one who was talked to, and who overheard it is pointed there. ``audience`` are the ids that could perceive it, speaker
and addressee included, sorted. ``provenance`` names what it was derived from (ids of
records) or the writer ("engine", "reply", "import"). ``owner`` keeps the records of different human owners apart;
"" is the single local owner. ``npc_seq`` numbers the records of one NPC's memory from 1 ("" is the world's own).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from npc_memory.memory.authority import Authority
from npc_memory.memory.items import StateValue

__all__ = [
    "DEPRECATED",
    "SILENCE",
    "ActorRecord",
    "AuditRecord",
    "BeliefRecord",
    "ClockChange",
    "EpisodeRecord",
    "EventRecord",
    "IdentityRecord",
    "KeyRecord",
    "Retirement",
    "Revision",
    "SessionEnd",
    "StateChange",
    "TurnMark",
    "TurnRecord",
]

DEPRECATED = "deprecated"
"""Reason of a retirement: a newer belief, the first of its provenance, says otherwise."""

SILENCE = "silence"
"""Provenance of the end of a conversation that nobody ended: too much time went by."""

TurnMark = Literal["", "fallback", "interrupted"]
"""``fallback``: an authored line stood in for a reply. ``interrupted``: the player left or cancelled in mid-stream.
Both are shown in dialogue and barred from episodes and beliefs (promise P11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What every record has besides its content and its rank (see above)."""

    provenance: tuple[str, ...] = field(default=())
    owner: str = ""
    seq: int = 0
    npc_seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord(Stored):
    """One line by one speaker, in the memory of ``npc``. ``session`` groups the turns of one conversation. ``roll``:
    how often it was rolled again; text, mark, mood and action are those of the last time, or as they were edited since.
    """

    id: str
    npc: str
    player: str
    session: int
    speaker: str
    addressee: str
    text: str
    game_time: int
    place: str = ""
    audience: tuple[str, ...] = field(default=())
    mark: TurnMark = ""
    mood: str = ""
    action: str = ""
    roll: int = 0
    authority: Authority = Authority.REPLY


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRecord(Stored):
    """Something ``npc`` lived through. ``turns``: the turns it was made from; ``importance`` from 0 to 1."""

    id: str
    npc: str
    text: str
    game_time: int
    kind: str = "talk"
    importance: float = 0.3
    turns: tuple[str, ...] = field(default=())
    speaker: str = ""
    addressee: str = ""
    place: str = ""
    audience: tuple[str, ...] = field(default=())
    authority: Authority = Authority.REPLY


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord(Stored):
    """Something the game reported: ``actor`` did it to ``target`` ("" nobody). It is the world's own record; each NPC
    who perceived it has an episode made from it. ``data`` is what the game wants kept with it, never shown to a model.
    """

    id: str
    kind: str
    text: str
    game_time: int
    importance: float = 0.3
    actor: str = ""
    target: str = ""
    place: str = ""
    audience: tuple[str, ...] = field(default=())
    data: Mapping[str, Any] = field(default_factory=dict)
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefRecord(Stored):
    """Something ``npc`` holds true, with ``confidence`` from 0 to 1; lowest rank, may be wrong.

    ``subject``: the id of whom or what it is about; ``slot``: what of it ("home"), of which it has one ``value`` at a
    time. ``sentiment``: how she feels about it, from -1 to 1. It holds from ``valid_from`` on (game minutes).
    ``distance``: how many tellers it came through, 0 for what she found herself; the last of them is the ``speaker``.
    ``scope``: who may be told of it ("" everyone, else as that of world state). ``hand_written``: by the game's
    writers, so no machine takes it back. The first of its ``provenance`` is what she has it from.
    """

    id: str
    npc: str
    text: str
    game_time: int
    subject: str = ""
    slot: str = ""
    value: str = ""
    confidence: float = 0.5
    sentiment: float = 0.0
    valid_from: int = 0
    distance: int = 0
    scope: str = ""
    hand_written: bool = False
    speaker: str = ""
    addressee: str = ""
    place: str = ""
    audience: tuple[str, ...] = field(default=())
    authority: Authority = Authority.INFERENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange(Stored):
    """World state ``key`` became ``value`` (None: removed) for ``scope`` ("" everyone, else "place:…", "faction:…",
    "npc:…").
    """

    key: str
    value: StateValue | None
    game_time: int
    scope: str = ""
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """The black box of one reply: ``payload`` is canonical JSON of its inputs and outputs (see ``audit``)."""

    id: str
    npc: str
    player: str
    turn: str
    game_time: int
    payload: str
    owner: str = ""
    seq: int = 0
    npc_seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChange(Stored):
    """The world's clock reached ``game_time``, in minutes."""

    game_time: int
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorRecord(Stored):
    """What is known of one actor (NPC or player) from now on: display ``name``, ``place`` and ``faction``, "" unknown.
    ``actor`` is the stable id; the name is never a key (promise P6).
    """

    actor: str
    game_time: int
    name: str = ""
    place: str = ""
    faction: str = ""
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityRecord(Stored):
    """``actor`` is another id of ``alias_of`` from now on; "": it is reborn, somebody else has it (``Identities``)."""

    actor: str
    alias_of: str
    game_time: int
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnd(Stored):
    """Conversation number ``session`` of ``npc`` with ``player`` is over; the next one has the next number."""

    npc: str
    player: str
    session: int
    game_time: int
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement(Stored):
    """The record ``target`` counts no more from here on; the past still shows it."""

    id: str
    target: str
    npc: str
    game_time: int
    reason: str = ""
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision(Stored):
    """The turn ``target`` says this from here on; the past still shows what it said before."""

    id: str
    target: str
    npc: str
    text: str
    game_time: int
    roll: int = 0
    mark: TurnMark = ""
    mood: str = ""
    action: str = ""
    authority: Authority = Authority.GAME


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRecord(Stored):
    """The request with idempotency ``key`` was answered with ``answer`` (text, as the caller encoded it)."""

    key: str
    answer: str
    npc: str
    player: str
    game_time: int
    authority: Authority = Authority.GAME
