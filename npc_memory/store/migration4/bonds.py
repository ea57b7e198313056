"""Relationships of one to another, and triples."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

STATEMENTS: tuple[str, ...] = (
    # Whose feeling it is, and for whom, stand in the header as npc and player: its index finds them, erasure too.
    """CREATE TABLE relationships (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        kind TEXT NOT NULL,
        how TEXT NOT NULL,
        amount INTEGER NOT NULL,
        reason TEXT NOT NULL
    ) STRICT""",
    # Timeline and NPC of the header once more: the graph is walked by seeks from one entity to the next.
    """CREATE TABLE triples (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        timeline INTEGER NOT NULL,
        npc TEXT NOT NULL,
        subject TEXT NOT NULL,
        relation TEXT NOT NULL,
        object TEXT NOT NULL,
        valid_from INTEGER NOT NULL,
        valid_to INTEGER,
        confidence REAL NOT NULL,
        functional INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX triples_by_subject ON triples (timeline, npc, subject, seq)",
    "CREATE INDEX triples_by_object ON triples (timeline, npc, object, seq)",
    "CREATE INDEX triples_by_relation ON triples (timeline, npc, subject, relation, valid_from, seq)",
    "CREATE TRIGGER relationships_stay BEFORE UPDATE OF seq, kind, how, amount, reason ON relationships"
    " BEGIN SELECT RAISE(ABORT, 'relationships are append-only'); END",
    "CREATE TRIGGER triples_stay BEFORE UPDATE OF"
    " seq, npc, subject, relation, object, valid_from, valid_to, confidence, functional ON triples"
    " BEGIN SELECT RAISE(ABORT, 'triples are append-only'); END",
)

ERASURE: dict[str, Erasure] = {
    "relationships": Erasure(
        "cascade", "what is felt for the person goes by the header; a reason may name him", texts=("reason",)
    ),
    "triples": Erasure(
        "subject",
        "what is known of the person goes although others told it",
        columns=("subject", "object"),
        mentions=("subject", "relation", "object"),
    ),
}
