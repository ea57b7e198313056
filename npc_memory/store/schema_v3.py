"""Schema 3: save slots, lineages that may be compacted, lines that are worded anew, who overheard what, who is who."""

from __future__ import annotations

__all__ = ["V3"]

# Where a timeline hangs, which ``timelines`` said until schema 2. There a parent has to be older than its child, and a
# long lineage cannot be shortened without hanging old timelines on new ones. The columns over there rest.
_BRANCHES = (
    """CREATE TABLE branches (
        timeline INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        parent INTEGER,
        fork_seq INTEGER CHECK ((fork_seq IS NULL) = (parent IS NULL)),
        FOREIGN KEY (timeline, owner) REFERENCES timelines (id, owner),
        FOREIGN KEY (parent, owner) REFERENCES timelines (id, owner)
    ) STRICT""",
    "INSERT INTO branches (timeline, owner, parent, fork_seq) SELECT id, owner, parent, fork_seq FROM timelines",
    "CREATE INDEX branches_by_parent ON branches (parent, fork_seq)",
    "CREATE INDEX records_by_timeline ON records (timeline, seq)",
)

_SAVES = (
    """CREATE TABLE saves (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        save_id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        timeline INTEGER NOT NULL,
        after_seq INTEGER NOT NULL,
        game_time INTEGER NOT NULL,
        real_time INTEGER NOT NULL,
        world_version TEXT NOT NULL,
        automatic INTEGER NOT NULL,
        note TEXT NOT NULL,
        FOREIGN KEY (timeline, owner) REFERENCES timelines (id, owner)
    ) STRICT""",
    "CREATE INDEX saves_by_place ON saves (timeline, after_seq)",
    "CREATE INDEX saves_by_owner ON saves (owner, id)",
    """CREATE TABLE slots (
        owner TEXT NOT NULL,
        slot TEXT NOT NULL,
        save INTEGER NOT NULL REFERENCES saves ON DELETE CASCADE,
        PRIMARY KEY (owner, slot)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX slots_by_save ON slots (save)",
    "ALTER TABLE heads ADD COLUMN save INTEGER REFERENCES saves ON DELETE SET NULL",
    "CREATE INDEX heads_by_save ON heads (save)",
    "CREATE INDEX heads_by_owner ON heads (owner, id)",
)

# What a turn says instead, from this record on; ``roll``: how often an answer has been rolled again.
_REVISIONS = (
    """CREATE TABLE revisions (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        target INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
        roll INTEGER NOT NULL,
        text TEXT NOT NULL,
        mark TEXT NOT NULL,
        mood TEXT NOT NULL,
        action TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX revisions_by_target ON revisions (target)",
)

# A note is text, so erasing may blank it; where a save hangs moves when a lineage is compacted.
_FIXED = {
    "branches": ("branches", "timeline, owner"),
    "saves": ("saves", "id, save_id, owner, game_time, real_time, world_version, automatic"),
    "slots": ("slots", "owner, slot, save"),
    "revisions": ("revisions", "seq, target, roll, text, mark, mood, action"),
    "hearings": ("hearings", "npc, kind, seq, player"),
    "identities": ("identities", "seq, alias_of"),
}

_APPEND_ONLY = tuple(
    f"CREATE TRIGGER {name}_stay BEFORE UPDATE OF {columns} ON {table}"
    f" BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
    for name, (table, columns) in _FIXED.items()
)

# One small row for each who overheard a record, instead of a copy of it.
_PEOPLE = (
    """CREATE TABLE hearings (
        timeline INTEGER NOT NULL,
        npc TEXT NOT NULL,
        kind TEXT NOT NULL,
        seq INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
        player TEXT NOT NULL,
        PRIMARY KEY (timeline, npc, kind, seq)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX hearings_by_record ON hearings (seq)",
    """CREATE TABLE identities (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        alias_of TEXT NOT NULL
    ) STRICT""",
)

V3 = (*_BRANCHES, *_SAVES, *_REVISIONS, *_PEOPLE, *_APPEND_ONLY)
"""The statements of migration 3."""
