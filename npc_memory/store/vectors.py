"""Vectors of meaning beside the memories they are made from. Derived: dropped and made again at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from npc_memory.store import rows
from npc_memory.store.database import Database

__all__ = ["Vectors"]

_UNKNOWN = """SELECT r.seq, COALESCE(e.text, b.text) AS text FROM records r
LEFT JOIN episodes e ON e.seq = r.seq LEFT JOIN beliefs b ON b.seq = r.seq LEFT JOIN vectors v ON v.seq = r.seq
WHERE r.seq > :after AND r.kind IN ('episode', 'belief') AND v.seq IS NULL ORDER BY r.seq LIMIT :most"""


class Vectors:
    """The part of a store that keeps them, for all owners and timelines of the file: a memory's words are the same
    wherever it is seen from.
    """

    _database: Database

    @property
    def embedding(self) -> object | None:
        """What tells meanings apart, for whoever uses this file to agree on; the store does not look at it."""
        return self._database.embedding

    @embedding.setter
    def embedding(self, embedding: object | None) -> None:
        with self._database.lock:
            self._database.embedding = embedding
            for seen in self._database.seen.values():
                seen.forget()

    def vector_models(self) -> tuple[str, ...]:
        """The names of the embeddings that made the vectors here, sorted."""
        return tuple(str(row[0]) for row in self._database.query("SELECT DISTINCT model FROM vectors ORDER BY model"))

    def vectors_at(self, seqs: Sequence[int], model: str) -> dict[int, bytes]:
        """The vectors that ``model`` made of the memories of these numbers, by number, as far as they are kept."""
        sql = """SELECT seq, vector FROM vectors
            WHERE model = :model AND seq IN (SELECT value FROM json_each(:seqs)) ORDER BY seq"""
        found = self._database.query(sql, {"model": model, "seqs": rows.canonical(list(seqs))})
        return {int(row["seq"]): bytes(row["vector"]) for row in found}

    def keep_vectors(self, model: str, vectors: Mapping[int, bytes]) -> None:
        """Keep what ``model`` made of the memories of these numbers. Raises any ``StoreError``."""
        with self._database.lock, self._database.transaction():
            for seq, vector in sorted(vectors.items()):
                self._database.execute(
                    "INSERT OR REPLACE INTO vectors (seq, model, size, vector) VALUES (?, ?, ?, ?)",
                    (seq, model, len(vector), vector),
                )

    def drop_vectors(self) -> None:
        """Drop all of them."""
        with self._database.lock, self._database.transaction():
            self._database.execute("DELETE FROM vectors")

    def without_vector(self, after: int, most: int) -> list[tuple[int, str]]:
        """Numbers and texts of the next memories after number ``after`` that have none, whoever's; at most ``most``."""
        found = self._database.query(_UNKNOWN, {"after": after, "most": most})
        return [(int(row["seq"]), str(row["text"])) for row in found]

    def count_without_vector(self) -> int:
        """How many memories have none."""
        sql = """SELECT COUNT(*) FROM records r LEFT JOIN vectors v ON v.seq = r.seq
            WHERE r.kind IN ('episode', 'belief') AND v.seq IS NULL"""
        return self._database.number(sql)
