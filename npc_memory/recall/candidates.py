"""From stored records to ranked candidates for a working memory."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.memory import Belief, BeliefRecord, Episode, EpisodeRecord
from npc_memory.recall.scoring import blend, relevance

__all__ = ["OFFERED", "recall_beliefs", "recall_episodes"]

OFFERED = 32
"""How many of the best are offered; a working memory has room for a handful."""


def recall_episodes(
    query: str, records: Sequence[EpisodeRecord], game_time: int, offered: int = OFFERED
) -> tuple[Episode, ...]:
    """The best of ``records`` for ``query`` at ``game_time`` (minutes), best first, ties by id."""
    scores = relevance(query, [record.text for record in records])
    found = [
        Episode(
            id=record.id,
            text=record.text,
            score=blend(score, record.importance, game_time - record.game_time),
            game_time=record.game_time,
            turns=record.turns,
        )
        for record, score in zip(records, scores, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.id))[:offered])


def recall_beliefs(
    query: str, records: Sequence[BeliefRecord], game_time: int, offered: int = OFFERED
) -> tuple[Belief, ...]:
    """The best of ``records`` for ``query`` at ``game_time`` (minutes), best first, ties by id."""
    scores = relevance(query, [record.text for record in records])
    found = [
        Belief(
            id=record.id,
            text=record.text,
            confidence=record.confidence,
            score=blend(score, record.confidence, game_time - record.game_time),
            game_time=record.game_time,
        )
        for record, score in zip(records, scores, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.id))[:offered])
