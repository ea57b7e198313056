"""Choosing candidates for a working memory. First version: full text with a little importance and recency."""

from npc_memory.recall.candidates import recall_beliefs, recall_episodes
from npc_memory.recall.reminders import fact_asked_for, recall_reminders

__all__ = ["fact_asked_for", "recall_beliefs", "recall_episodes", "recall_reminders"]
