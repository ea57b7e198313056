"""The canonical facts a line is about, to stand once more right before it.

Every fact is in the prompt anyway (promise P1), far up where all NPCs share it. A small model overlooks what is far
from the question, so the one or two that the line touches are pinned near it. They are copies: leaving one out loses
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.memory import AgendaItem, Fact, StateEntry
from npc_memory.recall.scoring import relevance
from npc_memory.recall.words import terms

__all__ = ["fact_asked_for", "recall_reminders"]

MOST = 2
NEAR = 0.3
"""Relevance, as a fraction of the best match, below which a fact is not what the line is about."""

ASKED = 0.5
"""The share of a question's words a fact must have to be an answer."""

QUESTION_MARKS = "?？؟"


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


def fact_asked_for(line: str, facts: Sequence[Fact], *, apart_from: str = "") -> str | None:
    """The id of the fact a question is about, None when ``line`` asks nothing or nothing fits well enough.

    For the answer of an NPC who has no model to speak with. ``apart_from``: her own name, which says nothing.
    """
    wanted = set(terms(line)) - set(terms(apart_from))
    if not wanted or not any(mark in line for mark in QUESTION_MARKS):
        return None
    scores = relevance(" ".join(sorted(wanted)), [fact.text for fact in facts])
    fitting = [
        (-round(score, 6), fact.id)
        for score, fact in zip(scores, facts, strict=True)
        if len(wanted & set(terms(fact.text))) >= ASKED * len(wanted)
    ]
    return min(fitting)[1] if fitting else None
