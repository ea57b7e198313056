"""Choosing candidates for a working memory. First version: full text with a little importance and recency."""

from npc_memory.recall.candidates import recall_beliefs, recall_episodes
from npc_memory.recall.reminders import recall_reminders

__all__ = ["recall_beliefs", "recall_episodes", "recall_reminders"]
