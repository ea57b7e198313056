"""The tables, as numbered migrations, and beside them how each table forgets a person.

``records`` holds what all kinds share; a kind's own columns lie in a table keyed by the record's ``seq``. Nothing is
updated (triggers refuse it): a retired record is another record. Deleting is for erasure alone; ``AUTOINCREMENT``
keeps an erased number from being used again, so an id never comes to mean something else.

A landed migration is never edited; a change is a new one.
"""

from __future__ import annotations

from dataclasses import dataclass

from npc_memory.store.erasure_rule import Erasure
from npc_memory.store.migration4 import V4, V4_ERASURE
from npc_memory.store.schema_v3 import V3

__all__ = ["APPLICATION_ID", "ERASURE", "MIGRATIONS", "Erasure", "Migration"]

APPLICATION_ID = 0x4E50434D
"""SQLite's application id of our files: "NPCM"."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from schema ``version - 1`` to ``version``, run in one transaction with its ledger row."""

    version: int
    name: str
    statements: tuple[str, ...]


_V1_TABLES = (
    "CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
    "CREATE TABLE world (one INTEGER PRIMARY KEY CHECK (one = 1), world TEXT NOT NULL) STRICT",
    "CREATE TABLE packs (id INTEGER PRIMARY KEY, version TEXT NOT NULL, after_seq INTEGER NOT NULL) STRICT",
    """CREATE TABLE timelines (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        parent INTEGER CHECK (parent < id),
        fork_seq INTEGER CHECK ((fork_seq IS NULL) = (parent IS NULL)),
        UNIQUE (id, owner),
        FOREIGN KEY (parent, owner) REFERENCES timelines (id, owner)
    ) STRICT""",
    """CREATE TABLE heads (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        timeline INTEGER NOT NULL,
        FOREIGN KEY (timeline, owner) REFERENCES timelines (id, owner)
    ) STRICT""",
    """CREATE TABLE records (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        timeline INTEGER NOT NULL,
        owner TEXT NOT NULL,
        npc TEXT NOT NULL,
        npc_seq INTEGER NOT NULL,
        player TEXT NOT NULL,
        session INTEGER NOT NULL,
        game_time INTEGER NOT NULL,
        speaker TEXT NOT NULL,
        addressee TEXT NOT NULL,
        place TEXT NOT NULL,
        audience TEXT NOT NULL,
        provenance TEXT NOT NULL,
        authority INTEGER NOT NULL,
        FOREIGN KEY (timeline, owner) REFERENCES timelines (id, owner)
    ) STRICT""",
    """CREATE TABLE turns (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        exchange INTEGER NOT NULL,
        text TEXT NOT NULL,
        mark TEXT NOT NULL,
        mood TEXT NOT NULL,
        action TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE episodes (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        kind TEXT NOT NULL,
        importance REAL NOT NULL,
        turns TEXT NOT NULL,
        text TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE beliefs (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        subject TEXT NOT NULL,
        confidence REAL NOT NULL,
        text TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE state_changes (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        timeline INTEGER NOT NULL,
        scope TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE actors (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        name TEXT NOT NULL,
        faction TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE audits (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        turn INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
        payload BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE retirements (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        target INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
        reason TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE keys (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        key TEXT NOT NULL,
        answer TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE derivations (
        source INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
        seq INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
        PRIMARY KEY (source, seq)
    ) STRICT, WITHOUT ROWID""",
)

# Every index begins with the timeline, so that a read touches what its lineage can see and no abandoned future.
_V1_INDEXES = (
    "CREATE INDEX records_by_npc ON records (timeline, npc, seq, npc_seq)",
    "CREATE INDEX records_by_kind ON records (timeline, npc, kind, seq)",
    "CREATE INDEX records_by_player ON records (timeline, player, npc, kind, session, seq)",
    "CREATE INDEX state_by_key ON state_changes (timeline, scope, key, seq)",
    "CREATE INDEX audits_by_turn ON audits (turn)",
    "CREATE INDEX retirements_by_target ON retirements (target)",
    "CREATE INDEX derivations_by_record ON derivations (seq)",
    "CREATE INDEX keys_by_key ON keys (key)",
)

# Where a record hangs in the tree is left open to change: compacting a long lineage relabels, and changes no record.
_V1_FIXED = {
    "migrations": "version, name",
    "world": "one, world",
    "packs": "id, version, after_seq",
    "timelines": "id, owner",
    "heads": "id, owner",
    "records": (
        "seq, kind, owner, npc, npc_seq, player, session, game_time, speaker, addressee, place, audience, provenance,"
        " authority"
    ),
    "turns": "seq, exchange, text, mark, mood, action",
    "episodes": "seq, kind, importance, turns, text",
    "beliefs": "seq, subject, confidence, text",
    "state_changes": "seq, scope, key, value",
    "actors": "seq, name, faction",
    "audits": "seq, turn, payload",
    "retirements": "seq, target, reason",
    "keys": "seq, key, answer",
    "derivations": "source, seq",
}

_V1_APPEND_ONLY = tuple(
    f"CREATE TRIGGER {table}_stay BEFORE UPDATE OF {columns} ON {table}"
    f" BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
    for table, columns in _V1_FIXED.items()
)

_V2_EVENTS = (
    """CREATE TABLE events (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        kind TEXT NOT NULL,
        importance REAL NOT NULL,
        text TEXT NOT NULL,
        data TEXT NOT NULL
    ) STRICT""",
    "CREATE TRIGGER events_stay BEFORE UPDATE OF seq, kind, importance, text, data ON events"
    " BEGIN SELECT RAISE(ABORT, 'events are append-only'); END",
)

# ``shown``: which records an audit's payload holds, so that erasing one need not read every payload there is.
_V3_ERASURES = (
    """CREATE TABLE shown (
        seq INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
        records TEXT NOT NULL
    ) STRICT""",
    "CREATE TRIGGER shown_stay BEFORE UPDATE OF seq, records ON shown"
    " BEGIN SELECT RAISE(ABORT, 'shown are append-only'); END",
    """CREATE TABLE erasures (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        salt BLOB NOT NULL,
        subject BLOB NOT NULL,
        spared TEXT NOT NULL
    ) STRICT""",
    "CREATE TRIGGER erasures_stay BEFORE UPDATE OF id, owner, salt, subject, spared ON erasures"
    " BEGIN SELECT RAISE(ABORT, 'erasures are append-only'); END",
)

MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "records on timelines", _V1_TABLES + _V1_INDEXES + _V1_APPEND_ONLY),
    Migration(2, "events the game reports", _V2_EVENTS),
    Migration(3, "save slots, who overheard what, who is who, erasure", V3 + _V3_ERASURES),
    Migration(4, "what she believes and of whom, owners by key, what is kept for speed", V4),
)
"""All migrations, in order, numbered from 1 without a gap."""

ERASURE: dict[str, Erasure] = {
    "records": Erasure(
        "subject",
        "whose talk it is, who spoke, who was spoken to; an actor's record names it as player. Who was merely there"
        " goes out of the audience: the record is somebody else's",
        columns=("player", "speaker", "addressee"),
        lists=("audience",),
        sources=("provenance",),
        ids=("place",),
    ),
    "turns": Erasure("cascade", "the words of a turn", texts=("text", "mood"), plain=("action",)),
    "revisions": Erasure("cascade", "what a turn says instead", texts=("text", "mood"), plain=("action",)),
    "episodes": Erasure("cascade", "the words of an episode, and which turns it came from", texts=("text", "kind")),
    "events": Erasure(
        "cascade",
        "what was done by or to someone, and what the game kept with it",
        texts=("text", "kind"),
        data=("data",),
    ),
    "beliefs": Erasure(
        "subject", "a belief about the person goes although others told it", columns=("subject",), texts=("text",)
    ),
    "state_changes": Erasure(
        "subject", "a scope or key may be a person's id", mentions=("scope", "key"), plain=("value",)
    ),
    "actors": Erasure("cascade", "the display name of an actor", texts=("name",), ids=("faction",)),
    "hearings": Erasure("cascade", "who overheard a record goes with it"),
    "identities": Erasure("subject", "an alias names a person twice", columns=("alias_of",)),
    "audits": Erasure("redact", "the black box of a reply holds all that was in its prompt; that there was one stays"),
    "shown": Erasure("cascade", "numbers of the records that an audit's payload holds"),
    "retirements": Erasure("cascade", "goes with its record and with what it retired", texts=("reason",)),
    "keys": Erasure("subject", "an answer repeats what was said, a key may be made of ids", mentions=("key", "answer")),
    "derivations": Erasure("cascade", "goes with either end"),
    "timelines": Erasure("keep", "numbers, and the owner's key"),
    "branches": Erasure("keep", "numbers, and the owner's key"),
    "heads": Erasure("keep", "numbers, and the owner's key"),
    "saves": Erasure("strike", "numbers, times and a version; a note is the game's own", texts=("note",), key="id"),
    "slots": Erasure("strike", "names the game gave to its saves; a save_id stays", texts=("slot",), key="slot"),
    "world": Erasure("keep", "the id of the world"),
    "packs": Erasure("keep", "versions of the world pack, and after which record each came into force"),
    "erasures": Erasure("keep", "what has begun and is not over: a salted hash, gone when it is over"),
    "migrations": Erasure("keep", "versions of the schema"),
    **V4_ERASURE,
    "sqlite_sequence": Erasure("keep", "SQLite's own: the highest number of each table"),
}
"""The erasure rule of every table; a test fails for a table without one."""
