"""Vectors of meaning, kept beside the records they are made from."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

# Made from a record's words by the embedding ``model``, int8: they may be dropped and made again at any time.
STATEMENTS: tuple[str, ...] = (
    """CREATE TABLE vectors (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        model TEXT NOT NULL,
        size INTEGER NOT NULL CHECK (size = length(vector)),
        vector BLOB NOT NULL
    ) STRICT""",
    "CREATE TRIGGER vectors_stay BEFORE UPDATE OF seq, model, size, vector ON vectors"
    " BEGIN SELECT RAISE(ABORT, 'vectors are append-only'); END",
)

ERASURE: dict[str, Erasure] = {
    "vectors": Erasure(
        "cascade", "made from the words of a memory: it goes with it, and when a name is struck out of it"
    ),
}
