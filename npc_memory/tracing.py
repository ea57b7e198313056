"""A rumour back to its source: from who holds it, teller by teller, to what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from npc_memory.errors import UnknownId
from npc_memory.memory import BeliefRecord, EventRecord
from npc_memory.store import Source, View
from npc_memory.store.ids import looks_like_record, seq_of

__all__ = ["Step", "trace"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way: a record, in whose memory it lies ("" for what the game reported), and what it says.

    ``teller``: who told it, or who did it or said it; ``distance``: through how many mouths it had come; ``game_time``
    in minutes; ``confidence``: of a belief, else 1.
    """

    id: str
    kind: Literal["belief", "episode", "event", "turn"]
    npc: str
    teller: str
    place: str
    game_time: int
    text: str
    distance: int = 0
    confidence: float = 1.0


def trace(view: View, belief: str) -> tuple[Step, ...]:
    """The way of ``belief``, itself first, its source last. Raises ``UnknownId``."""
    seen: list[Source] = [view.ever(belief)]
    if not isinstance(seen[0], BeliefRecord):
        raise UnknownId("belief", belief)
    while before := _before(view, seen[-1]):
        seen.append(before)
    return tuple(_step(one) for one in seen)


def _before(view: View, record: Source) -> Source | None:
    """What ``record`` was made from: the first that it names and that can still be seen. Records name only older ones,
    so this ends.
    """
    if isinstance(record, EventRecord):
        return None
    for one in record.provenance:
        if looks_like_record(one) and seq_of(one)[0] in ("belief", "episode", "event", "turn"):
            try:
                return view.ever(one)
            except UnknownId:
                continue
    return None


def _step(record: Source) -> Step:
    kind, _ = seq_of(record.id)
    told = isinstance(record, BeliefRecord)
    return Step(
        id=record.id,
        kind=kind,  # type: ignore[arg-type]
        npc="" if isinstance(record, EventRecord) else record.npc,
        teller=record.actor if isinstance(record, EventRecord) else record.speaker,
        place=record.place,
        game_time=record.game_time,
        text=record.text,
        distance=record.distance if isinstance(record, BeliefRecord) else 0,
        confidence=record.confidence if told and isinstance(record, BeliefRecord) else 1.0,
    )
