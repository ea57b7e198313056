"""What an NPC believes: how she came by it, how long it holds, what speaks for it."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

# Beside ``beliefs``, which stays as it was: a belief without a row here is one of an older file, and says none of this.
STATEMENTS: tuple[str, ...] = (
    """CREATE TABLE belief_details (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        slot TEXT NOT NULL,
        value TEXT NOT NULL,
        sentiment REAL NOT NULL,
        valid_from INTEGER NOT NULL,
        distance INTEGER NOT NULL CHECK (distance >= 0),
        scope TEXT NOT NULL,
        hand_written INTEGER NOT NULL CHECK (hand_written IN (0, 1))
    ) STRICT""",
    "CREATE TRIGGER belief_details_stay BEFORE UPDATE OF seq, slot, value, sentiment, valid_from, distance, scope,"
    " hand_written ON belief_details BEGIN SELECT RAISE(ABORT, 'belief_details are append-only'); END",
)

ERASURE: dict[str, Erasure] = {
    "belief_details": Erasure(
        "subject",
        "a belief that only one may be told names him; what it says may name others",
        mentions=("scope",),
        texts=("slot", "value"),
    ),
}
