"""Choosing candidates for a working memory: what fits the line, with a little importance and recency."""

from npc_memory.recall.conveyed import conveys, gives_away
from npc_memory.recall.embedding import Embedding
from npc_memory.recall.index import Index
from npc_memory.recall.minilm import MiniLm
from npc_memory.recall.names import mentions
from npc_memory.recall.reminders import fact_asked_for, recall_reminders
from npc_memory.recall.vocabulary import Vocabulary

__all__ = [
    "Embedding",
    "Index",
    "MiniLm",
    "Vocabulary",
    "conveys",
    "fact_asked_for",
    "gives_away",
    "mentions",
    "recall_reminders",
]
