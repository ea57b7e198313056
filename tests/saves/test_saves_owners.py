"""A file knows its owners by a keyed hash: their ids are in none of its bytes."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from make_save import live, plain, readings
from test_saves_load import agrees

from npc_memory.errors import StoreDamaged, StoreError
from npc_memory.store import MIGRATIONS, Migration, Store
from npc_memory.store.database import Database
from npc_memory.store.migrations import migrate

OWNER = "zanzibarine@example.org"
SAVED = sorted(Path(__file__).parent.glob("v[123]/town.db"))
OWNED = ("timelines", "heads", "branches", "saves", "slots", "records", "erasures")


def in_the_bytes(folder: Path) -> list[str]:
    """The files that hold the owner's id, in any of the encodings SQLite has."""
    forms = [OWNER.encode(form) for form in ("utf-8", "utf-16-le", "utf-16-be")]
    return [
        path.name
        for path in sorted(folder.iterdir())
        if any(form.lower() in path.read_bytes().lower() for form in forms)
    ]


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute(sql).fetchall()
    connection.close()
    return found


def renamed(saved: Path, folder: Path) -> Path:
    """A saved file of an older format whose second owner is called ``OWNER``."""
    path = Path(shutil.copy(saved, folder / "w.db"))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA secure_delete=OFF")
    connection.execute("BEGIN")
    connection.execute("PRAGMA defer_foreign_keys=ON")
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for table in OWNED:
        if table in there:
            connection.execute(f"UPDATE {table} SET owner = ? WHERE owner = 'ann'", (OWNER,))
    for _, sql in triggers:
        connection.execute(sql)
    connection.execute("CREATE TABLE scrap (text TEXT)")  # what is deleted is still in the bytes
    connection.execute("INSERT INTO scrap VALUES (?)", (OWNER * 4000,))
    connection.execute("DROP TABLE scrap")
    connection.execute("COMMIT")
    connection.close()
    return path


def named(value: object) -> object:
    """What the saved file reads as, with that owner."""
    text = json.dumps(value, ensure_ascii=False).replace('"owner": "ann"', f'"owner": "{OWNER}"')
    return json.loads(text)


def test_no_byte_of_any_file_holds_an_owners_id(tmp_path: Path) -> None:
    with Store.open(tmp_path / "w.db", world="w", owner=OWNER) as store:
        live(store, 1)
        store.save("one")
        live(store, 2)
        store.load("one")
        store.compact()
        assert store.owner == OWNER == store.turns("marta")[0].owner == store.audits()[0].owner
        assert in_the_bytes(tmp_path) == [], "also while the log is there"
        store.export(tmp_path / "archive.jsonl")
        store.forget("p1")
        assert in_the_bytes(tmp_path) == []
    assert in_the_bytes(tmp_path) == []
    (keys,) = rows(tmp_path / "w.db", "SELECT COUNT(DISTINCT owner), MAX(LENGTH(owner)) FROM records")
    assert keys == (1, 32)


def test_two_files_call_one_owner_differently_and_the_local_one_not_at_all(tmp_path: Path) -> None:
    called = []
    for name in ("a.db", "b.db"):
        with Store.open(tmp_path / name, world="w", owner=OWNER) as store:
            called.append(store.owner_key)
            assert store.for_owner("").owner_key == ""
    assert len(set(called)) == 2


def test_an_archive_is_its_importers(tmp_path: Path) -> None:
    archive = tmp_path / "archive.jsonl"
    with Store.open(tmp_path / "a.db", world="w", owner=OWNER) as store:
        live(store, 1)
        store.save("one")
        store.export(archive)
        told = [one.text for one in store.turns("marta")]
    for owner in ("", "somebody else"):
        with Store.open(tmp_path / f"{owner or 'local'}.db", world="w", owner=owner) as store:
            assert store.import_archive(archive).added["turn"]
            assert [(one.text, one.owner) for one in store.turns("marta")] == [(text, owner) for text in told]
            assert store.find_save("one").slot == "one"
            assert store.check() == []
            assert store.for_owner(OWNER).turns("marta") == ()


@pytest.mark.parametrize("saved", SAVED, ids=lambda path: path.parent.name)
def test_an_older_file_reads_the_same_and_forgets_the_id(saved: Path, tmp_path: Path) -> None:
    path = renamed(saved, tmp_path)
    assert in_the_bytes(tmp_path) == ["w.db"]
    kept = json.loads(saved.with_suffix(".json").read_text(encoding="utf-8"))
    with Store.open(path, world="town", world_version="1.0", owner=OWNER) as store:
        assert in_the_bytes(tmp_path) == []
        assert store.check() == []
        for timeline, read in kept["ann"]["timelines"].items():
            store.switch(int(timeline))
            agrees(readings(store), named(read))
        agrees({one.save_id: plain(one) for one in store.saves()}, kept["ann"].get("saves", {}))
    with Store.open(path, world="town", world_version="1.0", owner="ann") as store:
        assert store.turns("marta") == (), "somebody else"
    assert in_the_bytes(tmp_path) == []


def test_an_older_file_of_the_local_owner_alone_is_not_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    Database.open(path, lambda database: migrate(database, MIGRATIONS[:3]))[0].close()
    Database.open(path, migrate)[0].close()
    assert rows(path, "SELECT COUNT(*) FROM erasures") == [(0,)]


def test_a_kill_between_migration_and_cleaning_is_made_up_for(tmp_path: Path) -> None:
    path = renamed(SAVED[-1], tmp_path)
    Database.open(path, migrate)[0].close()
    assert in_the_bytes(tmp_path) == ["w.db"], "nothing to be tested if not"
    assert rows(path, "SELECT COUNT(*) FROM records WHERE length(owner) NOT IN (0, 32)") == [(0,)]
    with Store.open(path, world="town", world_version="1.0"):
        assert in_the_bytes(tmp_path) == []


@pytest.mark.parametrize("saved", SAVED, ids=lambda path: path.parent.name)
def test_a_migration_that_fails_leaves_an_older_file_as_it_was(saved: Path, tmp_path: Path) -> None:
    """Whichever of its steps fails; a step before it that went well stays."""
    path = Path(shutil.copy(saved, tmp_path / "w.db"))
    first = int(saved.parent.name[1:])
    for migration in MIGRATIONS[first:]:
        good = MIGRATIONS[: migration.version - 1]
        bad = Migration(migration.version, migration.name, (*migration.statements, "INSERT INTO nowhere VALUES (1)"))
        Database.open(path, lambda database, good=good: migrate(database, good))[0].close()
        before = path.read_bytes()
        for _ in range(2):
            with pytest.raises(StoreError, match="nowhere"):
                Database.open(path, lambda database, all=(*good, bad): migrate(database, all))
            assert path.read_bytes() == before
    Database.open(path, migrate)[0].close()


def test_a_record_that_is_nobodys_means_damage(tmp_path: Path) -> None:
    with Store.open(tmp_path / "w.db", world="w", owner=OWNER) as store:
        live(store, 1)
    connection = sqlite3.connect(tmp_path / "w.db", isolation_level=None)
    connection.execute("DROP TRIGGER records_stay")
    connection.execute("UPDATE records SET owner = ? WHERE kind = 'turn'", ("f" * 32,))
    connection.close()
    with Store.open(tmp_path / "w.db", world="w", owner=OWNER) as store, pytest.raises(StoreDamaged):
        store.turns("marta")
