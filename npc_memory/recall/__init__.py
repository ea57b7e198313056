"""Choosing candidates for a working memory. First version: full text with a little importance and recency."""

from npc_memory.recall.candidates import recall_beliefs, recall_episodes

__all__ = ["recall_beliefs", "recall_episodes"]
