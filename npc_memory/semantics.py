"""Going by meaning as well as by words: an embedding for a world's file, and a vector for each memory in it.

It is asked for, never taken because it happens to be installed: which memories come to mind, and so what is said, must
not depend on that.
"""

from __future__ import annotations

from collections.abc import Callable

from npc_memory.errors import EmbeddingChanged
from npc_memory.recall import Embedding
from npc_memory.store import Store

__all__ = ["use_embedding"]

BATCH = 64
"""Memories whose vectors are stored at once: what is done stays done when it is broken off."""


def use_embedding(
    store: Store,
    embedding: Embedding,
    *,
    reindex: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """From now on recall goes by ``embedding`` too; every memory in the file that has no vector gets one. ``progress``
    gets how many are done, and how many there are.

    Raises ``EmbeddingChanged`` when another embedding made the vectors that are here; ``reindex`` makes all of them
    anew. Raises what the embedding raises (``ModelMissing``, ``ModelDamaged``) and any ``StoreError``.
    """
    others = [one for one in store.vector_models() if one != embedding.name]
    if others and not reindex:
        raise EmbeddingChanged(embedding.name, "other vectors", f"those of {others[0]!r}")
    if reindex:
        store.drop_vectors()
    total, done, last = store.count_without_vector(), 0, 0
    while batch := store.without_vector(last, BATCH):
        store.keep_vectors(embedding.name, {seq: embedding.vector(text).tobytes() for seq, text in batch})
        done, last = done + len(batch), batch[-1][0]
        progress(done, total)
    store.embedding = embedding
