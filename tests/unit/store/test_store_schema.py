"""Migrations are all or nothing; a file that is not ours or too new is left alone; every table knows how to forget."""

from __future__ import annotations

import re
import sqlite3

import pytest
from store_scene import GAME, exchange, texts

from npc_memory.errors import StoreDamaged, StoreError, StoreTooNew, StoreWrongWorld
from npc_memory.store import ERASURE, MIGRATIONS, Migration, Store, bond_queries, fold_queries, queries
from npc_memory.store.database import Database
from npc_memory.store.migrations import migrate
from npc_memory.store.schema import APPLICATION_ID


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "saves" / "w.db"
    with Store.open(made, world="w") as store:
        exchange(store, "hello", "welcome")
    return made


def plain(path):
    return sqlite3.connect(path, isolation_level=None)


NEXT = len(MIGRATIONS) + 1
GOOD = Migration(NEXT, "more", ("CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT",))
BAD = Migration(NEXT, "broken", ("CREATE TABLE more (id INTEGER) STRICT", "INSERT INTO nowhere VALUES (1)"))


def test_a_failing_migration_leaves_the_file_as_it_was(path):
    before = path.read_bytes()
    with pytest.raises(StoreError, match="nowhere"):
        Database.open(path, lambda database: migrate(database, (*MIGRATIONS, BAD)))
    assert path.read_bytes() == before
    with Store.open(path, world="w") as store:
        assert (texts(store), store.check()) == (["hello", "welcome"], [])


def test_a_failing_first_migration_leaves_an_empty_file(tmp_path):
    bad = Migration(1, "broken", (*MIGRATIONS[0].statements, "nonsense"))
    with pytest.raises(StoreError):
        Database.open(tmp_path / "new.db", lambda database: migrate(database, (bad,)))
    connection = plain(tmp_path / "new.db")
    assert connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone() == (0,)
    connection.close()
    Store.open(tmp_path / "new.db", world="w").close()


def test_steps_before_the_failing_one_stay(path):
    broken = Migration(NEXT + 1, "broken", ("CREATE TABLE x (id INTEGER) STRICT", "nonsense"))
    with pytest.raises(StoreError):
        Database.open(path, lambda database: migrate(database, (*MIGRATIONS, GOOD, broken)))
    connection = plain(path)
    assert connection.execute("SELECT MAX(version) FROM migrations").fetchone() == (NEXT,)
    assert connection.execute("PRAGMA user_version").fetchone() == (NEXT,)
    assert connection.execute("SELECT name FROM sqlite_schema WHERE name = 'x'").fetchone() is None
    connection.close()


def test_a_newer_file_is_refused_by_name_and_left_alone(path):
    database, _ = Database.open(path, lambda database: migrate(database, (*MIGRATIONS, GOOD)))
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew) as caught:
        Store.open(path, world="w")
    assert caught.value.details == {"found": NEXT, "known": NEXT - 1}
    assert path.read_bytes() == before


def test_migrations_are_numbered_without_a_gap_and_ledgered(path):
    assert [one.version for one in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))
    connection = plain(path)
    assert connection.execute("SELECT version, name FROM migrations ORDER BY version").fetchall() == [
        (one.version, one.name) for one in MIGRATIONS
    ]
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    connection.close()


def test_another_worlds_file_is_refused(path):
    before = path.read_bytes()
    with pytest.raises(StoreWrongWorld) as caught:
        Store.open(path, world="v")
    assert (caught.value.wanted, caught.value.found) == ("v", "w")
    assert path.read_bytes() == before


def test_another_programs_file_is_refused_and_left_alone(tmp_path):
    for name, content in [("text.db", b"not a database at all, just words" * 99), ("short.db", b"x")]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(StoreDamaged):
            Store.open(tmp_path / name, world="w")
        assert (tmp_path / name).read_bytes() == content
    connection = plain(tmp_path / "other.db")
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = (tmp_path / "other.db").read_bytes()
    with pytest.raises(StoreDamaged, match="not an npc-memory store"):
        Store.open(tmp_path / "other.db", world="w")
    assert (tmp_path / "other.db").read_bytes() == before


def test_a_path_that_cannot_be_a_file_is_a_typed_error(tmp_path):
    (tmp_path / "file").write_text("x")
    for wrong in (tmp_path, tmp_path / "file" / "w.db"):
        with pytest.raises(StoreError):
            Store.open(wrong, world="w")


def test_versions_of_the_world_pack_are_noted_when_they_change(tmp_path):
    for version in ("1", "1", "2", "1"):
        Store.open(tmp_path / "w.db", world="w", world_version=version).close()
    connection = plain(tmp_path / "w.db")
    assert [row[0] for row in connection.execute("SELECT version FROM packs ORDER BY id")] == ["1", "2", "1"]
    connection.close()


def tables(connection):
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    return [row[0] for row in found]


def test_every_table_declares_how_it_forgets(path):
    connection = plain(path)
    assert tables(connection) == sorted(ERASURE)
    for table, erasure in ERASURE.items():
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        keys = connection.execute(f"PRAGMA foreign_key_list({table})").fetchall()
        cascades = {row[3] for row in keys if row[2] == "records" and row[6] == "CASCADE"}
        assert erasure.why
        named = {
            *erasure.columns,
            *erasure.mentions,
            *erasure.lists,
            *erasure.ids,
            *erasure.texts,
            *erasure.plain,
            *erasure.sources,
            *erasure.data,
        }
        assert named <= columns
        assert bool(erasure.columns or erasure.mentions) == (erasure.rule == "subject")
        if erasure.rule == "strike":
            assert {erasure.key, "owner"} <= columns
        elif erasure.rule not in ("keep", "drop") and table != "records":
            assert cascades, f"{table} says it goes with its record, but no foreign key makes it go"
    connection.close()


HARMLESS = {
    "records": {"kind", "npc", "owner"},
    "turns": {"mark"},
    "revisions": {"mark"},
    "episodes": {"turns"},
    "shown": {"records"},
    "hearings": {"kind", "npc", "player"},  # the player is that of the record, with which the row goes
    "saves": {"owner", "save_id", "world_version"},
    "slots": {"owner"},
    "relationships": {"kind", "how"},
    "triples": {"npc"},
    "vectors": {"model"},
}
"""Texts that hold no person: words of ours and of the game, ids of NPCs, numbers of records."""


def test_every_text_of_a_table_about_persons_declares_how_it_forgets(path):
    connection = plain(path)
    for table, erasure in ERASURE.items():
        if erasure.rule in ("keep", "drop"):
            continue
        texts = {row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[2] == "TEXT"}
        named = {
            *erasure.columns,
            *erasure.mentions,
            *erasure.lists,
            *erasure.ids,
            *erasure.texts,
            *erasure.plain,
            *erasure.sources,
            *erasure.data,
        }
        assert texts == named | HARMLESS.get(table, set()), f"{table}: which of its texts may name a person?"
    connection.close()


def test_a_deleted_record_takes_along_all_that_hangs_on_it(path):
    with Store.open(path, world="w") as store:
        asked, said, _ = exchange(store, "a", "b")
        with store.transaction() as write:
            write.audit(authority=GAME, npc="marta", player="p1", turn=said.id, payload="{}")
            write.retire(authority=GAME, target=said.id)
        newest = store.newest_seq()
    connection = plain(path)
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("DELETE FROM records WHERE seq >= ?", (asked.seq,))
    for table in ("turns", "episodes", "audits", "retirements", "derivations"):
        assert connection.execute(f"SELECT COUNT(*) FROM {table} WHERE seq >= ?", (asked.seq,)).fetchone() == (0,)
    connection.close()
    with Store.open(path, world="w") as store:
        assert store.check() == []
        assert exchange(store, "c", "d")[0].seq == newest + 1, "an erased number must not be used again"


PLACE_IN_THE_TREE = {
    "timelines": {"parent", "fork_seq"},
    "branches": {"parent", "fork_seq"},
    "heads": {"timeline", "save"},
    "saves": {"timeline", "after_seq", "note"},  # a note is text: erasing may blank it
    "records": {"timeline"},
    "state_changes": {"timeline"},
    "hearings": {"timeline"},
    "triples": {"timeline"},
}


def test_no_row_can_be_changed(path):
    with Store.open(path, world="w") as store, store.transaction() as write:
        said = store.turns("marta")[-1]
        write.belief(authority=GAME, npc="marta", text="x")
        write.state(authority=GAME, key="k", value=1)
        write.actor(authority=GAME, actor="marta")
        write.alias(authority=GAME, actor="p0", alias_of="p1")
        write.turn(
            authority=GAME,
            npc="marta",
            player="p1",
            speaker="p1",
            addressee="marta",
            text="x",
            audience=("bram",),
            overheard=("bram",),
        )
        write.audit(authority=GAME, npc="marta", player="p1", turn=said.id, payload="{}")
        write.key(authority=GAME, key="k", answer="x")
        write.event(authority=GAME, kind="theft", text="x", data={"loot": [1, 0.5]})
        write.relationship(authority=GAME, npc="marta", other="p1", kind="trust", amount=1)
        write.triple(authority=GAME, subject="a", relation="b", object="c")
        write.revise(authority=GAME, turn=said.id, text="x")
        write.retire(authority=GAME, target=said.id)
    with Store.open(path, world="w") as store:
        store.save("one", fits="x")
        store.keep_vectors("model", {said.seq: b"abc"})
    connection = plain(path)
    connection.execute("INSERT INTO erasures (owner, salt, subject, spared) VALUES ('', x'01', x'02', '[]')")
    for table in sorted(set(ERASURE) - {"sqlite_sequence"}):
        connection.execute("PRAGMA foreign_keys=OFF")
        assert connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0], f"fill {table} to test it"
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        for column in sorted(columns - PLACE_IN_THE_TREE.get(table, set())):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(f"UPDATE {table} SET {column} = {column}")
    connection.close()


SQL = {
    **{name: getattr(queries, name) for name in queries.__all__ if name.isupper()},
    **{f"fold {name}": getattr(fold_queries, name) for name in fold_queries.__all__},
    **{name: getattr(bond_queries, name) for name in bond_queries.__all__ if name != "FAN"},
    **{f"select {table}": queries.select(table, "r.npc = :npc AND r.kind = :kind") for table in queries.DETAILS},
    **{f"select_one {table}": queries.select_one(table) for table in queries.DETAILS},
}


@pytest.mark.parametrize("name", sorted(SQL))
def test_no_query_reads_a_whole_table(name):
    """Spans and folds may be scanned; records only sought: in an index that begins with the timeline, or by number."""
    database, _ = Database.open(":memory:", migrate)
    given = {
        "lineage": "[[1,9]]",
        "seqs": "[1]",
        "since": 1,
        "through": 9,
        "timeline": 1,
        "npc": "n",
        "kind": "k",
        "player": "p",
        "seq": 1,
        "key": "k",
        "session": 1,
        "keys": '[["", "k"]]',
        "most": 9,
        "other": "p",
        "beings": '[["n",0,9]]',
        "same": "[]",
        "births": "[]",
        "seeds": '[["a",0]]',
        "given": '[["a","b","c",0]]',
        "ids": '["a"]',
        "hops": 2,
        "now": 1,
    }
    plan = [row["detail"] for row in database.query(f"EXPLAIN QUERY PLAN {SQL[name]}", given)]
    database.close()
    assert any(step.startswith("SEARCH") for step in plan)
    for step in plan:
        assert not re.match(r"SCAN (r|d|e|c|f|n_|s|x|y|k)\b", step), plan
        if "INDEX records_by" in step:
            assert re.search(r"\(timeline=\? AND ", step), plan
