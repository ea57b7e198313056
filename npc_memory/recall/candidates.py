"""From stored records to ranked candidates for a working memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from npc_memory.memory import Belief, BeliefRecord, Episode, EpisodeRecord
from npc_memory.recall.scoring import blend, relevance

__all__ = ["OFFERED", "recall_beliefs", "recall_episodes"]

RecordT = TypeVar("RecordT", EpisodeRecord, BeliefRecord)

OFFERED = 32
"""How many of the best are offered; a working memory has room for a handful."""


def recall_episodes(
    query: str, records: Sequence[EpisodeRecord], game_time: int, offered: int = OFFERED
) -> tuple[Episode, ...]:
    """The best of ``records`` for ``query`` at ``game_time`` (minutes), best first, ties by id."""
    return tuple(
        Episode(id=one.id, text=one.text, score=score, game_time=one.game_time, turns=one.turns)
        for score, one in _best(query, records, [one.importance for one in records], game_time, offered)
    )


def recall_beliefs(
    query: str, records: Sequence[BeliefRecord], game_time: int, offered: int = OFFERED
) -> tuple[Belief, ...]:
    """The best of ``records`` for ``query`` at ``game_time`` (minutes), best first, ties by id."""
    return tuple(
        Belief(id=one.id, text=one.text, confidence=one.confidence, score=score, game_time=one.game_time)
        for score, one in _best(query, records, [one.confidence for one in records], game_time, offered)
    )


def _best(
    query: str, records: Sequence[RecordT], weights: Sequence[float], game_time: int, offered: int
) -> list[tuple[float, RecordT]]:
    matches = relevance(query, [record.text for record in records])
    scored = [
        (blend(match, weight, game_time - record.game_time), record)
        for record, match, weight in zip(records, matches, weights, strict=True)
    ]
    return sorted(scored, key=lambda one: (-one[0], one[1].id))[:offered]
