"""The canonical facts a line is about, to stand once more right before it.

Every fact is in the prompt anyway (promise P1), far up where all NPCs share it. A small model overlooks what is far
from the question, so the one or two that the line touches are pinned near it. They are copies: leaving one out loses
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.memory import AgendaItem, Fact, StateEntry
from npc_memory.recall.scoring import relevance

__all__ = ["recall_reminders"]

MOST = 2
NEAR = 0.3
"""Relevance, as a fraction of the best match, below which a fact is not what the line is about."""


def recall_reminders(
    query: str, facts: Sequence[Fact], state: Sequence[StateEntry], most: int = MOST
) -> tuple[AgendaItem, ...]:
    """At most ``most`` of what holds, nearest to ``query`` first; ids are "fact:…" and "state:…"."""
    holds = [(f"fact:{fact.id}", fact.text) for fact in facts]
    holds += [(f"state:{entry.key}", entry.words()) for entry in state]
    scores = relevance(query, [text for _, text in holds])
    found = [
        AgendaItem(id=id, text=text, score=round(score, 6))
        for (id, text), score in zip(holds, scores, strict=True)
        if score >= NEAR
    ]
    return tuple(sorted(found, key=lambda item: (-item.score, item.id))[:most])
