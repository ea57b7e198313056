"""What is worked out from records and kept for speed: it may be dropped at any time."""

from __future__ import annotations

from npc_memory.store.erasure_rule import Erasure

__all__ = ["ERASURE", "STATEMENTS"]

STATEMENTS: tuple[str, ...] = (
    # ``fits``: for which world pack, words and model all that must be told at a save is known to fit a prompt.
    """CREATE TABLE verdicts (
        save INTEGER PRIMARY KEY REFERENCES saves ON DELETE CASCADE,
        fits TEXT NOT NULL
    ) STRICT""",
    "CREATE TRIGGER verdicts_stay BEFORE UPDATE OF save, fits ON verdicts"
    " BEGIN SELECT RAISE(ABORT, 'verdicts are append-only'); END",
    "CREATE INDEX saves_automatic ON saves (owner, id) WHERE automatic = 1",
)

ERASURE: dict[str, Erasure] = {
    "verdicts": Erasure("drop", "a hash; but what was judged has other words once a name is struck out"),
}
