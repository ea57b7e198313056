"""Choosing candidates for a working memory: what fits the line, with a little importance and recency."""

from importlib import import_module
from typing import TYPE_CHECKING

from npc_memory.recall.conveyed import conveys, gives_away
from npc_memory.recall.names import mentions
from npc_memory.recall.vocabulary import Vocabulary

if TYPE_CHECKING:
    from npc_memory.recall.embedding import Embedding
    from npc_memory.recall.index import Index
    from npc_memory.recall.minilm import MiniLm
    from npc_memory.recall.reminders import fact_asked_for, recall_reminders

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

_WITH_NUMPY = {
    "Embedding": "embedding",
    "Index": "index",
    "MiniLm": "minilm",
    "fact_asked_for": "reminders",
    "recall_reminders": "reminders",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """What computes with numpy is imported when it is asked for: erasing and looking at saves do without."""
        if name not in _WITH_NUMPY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_WITH_NUMPY[name]}"), name)
