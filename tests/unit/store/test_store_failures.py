"""A full disk, a damaged file, a second process: typed, then read-only; what was acknowledged stays."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from contextlib import closing
from pathlib import Path

import pytest
from store_scene import GAME, ask, exchange, texts

from npc_memory.errors import InvalidInput, StoreDamaged, StoreError, StoreFull, StoreLocked, StoreReadOnly
from npc_memory.store import Store, fold_queries


def run(script, *args, **options):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, args)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def fill(store, limit=10_000):
    """Write until the disk refuses; return how many exchanges were acknowledged."""
    for number in range(limit):
        try:
            exchange(store, f"line {number} " + "x" * 5000, "aye")
        except StoreFull:
            return number
    raise AssertionError("the disk never filled")


def test_when_the_disk_is_full_what_was_acknowledged_stays_and_reads_go_on(tmp_path):
    store = Store.open(tmp_path / "w.db", world="w")
    store._database.query("PRAGMA max_page_count=120")
    done = fill(store)
    assert done > 3
    assert store.read_only
    assert len(store.dialogue("marta", "p1")) == 2 * done
    assert store.exchange_count("marta") == done
    for attempt in (lambda: exchange(store, "more", "no"), store.fork, lambda: store.switch(store.timeline)):
        with pytest.raises(StoreReadOnly):
            attempt()
    assert len(store.episodes("marta")) == done
    store.close()
    with Store.open(tmp_path / "w.db", world="w") as again:
        assert (len(again.dialogue("marta", "p1")), again.check()) == (2 * done, [])
        exchange(again, "space again", "good")


def test_a_failure_that_is_swallowed_still_undoes_the_transaction(tmp_path):
    with Store.open(tmp_path / "w.db", world="w") as store:
        exchange(store, "a", "b")
        store._database.query("PRAGMA max_page_count=60")

        def too_much(write):
            for _ in range(100):
                ask(write, "x" * 9000)

        def swallow():
            with store.transaction() as write:
                ask(write, "half a reply")
                with pytest.raises(StoreFull):
                    too_much(write)
                with pytest.raises(StoreError):
                    ask(write, "and on as if nothing had happened")

        with pytest.raises(StoreFull):
            swallow()
        assert texts(store) == ["a", "b"]
    with Store.open(tmp_path / "w.db", world="w") as store:
        assert (texts(store), store.check()) == (["a", "b"], [])


FILL = """
    import sys
    from npc_memory.errors import StoreFull, StoreReadOnly
    from npc_memory.memory import Authority
    from npc_memory.store import Store

    def add(number):
        with store.transaction() as write:
            write.state(authority=Authority.GAME, key="n", value=number)
            write.turn(authority=Authority.GAME, npc="m", player="p", speaker="p", addressee="m", text="x" * 9000)

    store = Store.open(sys.argv[1], world="w")
    number = 0
    while True:
        try:
            add(number + 1)
        except StoreFull:
            break
        number += 1
    assert number > 2, number
    assert store.state()[("", "n")] == number
    assert len(store.turns("m")) == number
    try:
        add(number + 1)
    except StoreReadOnly:
        print(number)
    store.close()
"""


def reopened(path, number):
    with Store.open(path, world="w") as store:
        assert store.check() == []
        assert (store.state()[("", "n")], len(store.turns("m"))) == (number, number)


@pytest.mark.skipif(sys.platform == "win32", reason="no RLIMIT_FSIZE")
def test_a_file_that_may_not_grow_is_a_full_disk(tmp_path):
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))\n"
    done = run(limit + textwrap.dedent(FILL), tmp_path / "w.db")
    assert done.returncode == 0, done.stderr
    reopened(tmp_path / "w.db", int(done.stdout))


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare to mount a small disk with")
def test_a_disk_that_is_really_full(tmp_path):
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    kept.mkdir()
    mount = f'mount -t tmpfs -o size=512k none "{disk}" && "$0" -c "$1" "{disk}/w.db" && cp "{disk}"/w.db* "{kept}"'
    probe = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs none "{disk}"'], capture_output=True, check=False
    )
    if probe.returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mount, sys.executable, textwrap.dedent(FILL)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    reopened(kept / "w.db", int(done.stdout))


READ_ONLY = """
    import os, sys
    from npc_memory.errors import StoreReadOnly
    from npc_memory.store import Store
    if os.geteuid() == 0:  # nothing is forbidden to root
        os.setgid(65534)
        os.setuid(65534)
    try:
        Store.open(sys.argv[1], world="w").close()
    except StoreReadOnly as error:
        print(error.hint)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions")
@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)])
def test_a_file_or_folder_without_write_permission_is_read_only_and_not_damaged(file, folder):
    with tempfile.TemporaryDirectory() as name:  # pytest's folders are closed to other users
        place = Path(name) / "data"
        Path(name).chmod(0o755)
        path = place / "w.db"
        with Store.open(path, world="w") as store:
            exchange(store, "a", "b")
        before = path.read_bytes()
        path.chmod(file)
        place.chmod(folder)
        done = run(READ_ONLY, path)
        place.chmod(0o755)
        assert "write permission" in done.stdout, done.stderr
        assert path.read_bytes() == before


@pytest.fixture
def healthy(tmp_path):
    path = tmp_path / "healthy.db"
    with Store.open(path, world="w") as store:
        for number in range(60):
            exchange(store, f"line {number} " + "y" * 300, f"answer {number}")
            with store.transaction() as write:
                write.state(authority=GAME, key=f"key{number}", value=number)
    return path


def read_all(store):
    """Everything a reply would read."""
    store.state()
    store.actors()
    store.dialogue("marta", "p1")
    store.episodes("marta")
    store.beliefs("marta")
    store.exchange_count("marta")


def outcome(path):
    """What opening, reading and writing a damaged file comes to; anything untyped is raised."""
    try:
        with Store.open(path, world="w") as store:
            try:
                read_all(store)
            except StoreDamaged:
                assert store.read_only
                with pytest.raises(StoreReadOnly):
                    exchange(store, "more", "no")
                return "damaged when read"
            try:
                exchange(store, "more", "no")
            except StoreDamaged:
                assert store.read_only
                return "damaged when written"
            return "not touched" if store.check() else "sound"
    except StoreError:
        return "refused"


def test_flipped_bytes_are_typed_errors(healthy, tmp_path):
    draw = random.Random(11)
    whole = healthy.read_bytes()
    seen = []
    for _ in range(60):
        broken = bytearray(whole)
        start = draw.randrange(len(broken))
        for at in range(start, min(start + draw.choice((1, 16, 4096)), len(broken))):
            broken[at] ^= draw.randrange(1, 256)
        path = tmp_path / "broken.db"
        path.write_bytes(broken)
        seen.append(outcome(path))
    assert {"refused", "damaged when read"} <= set(seen)


def test_a_truncated_file_is_damaged_and_left_alone(healthy, tmp_path):
    whole = healthy.read_bytes()
    for size in (1, 50, 4096, len(whole) // 2, len(whole) - 4096, len(whole) - 1):
        path = tmp_path / "short.db"
        path.write_bytes(whole[:size])
        assert outcome(path) in ("refused", "damaged when read"), size
        assert path.read_bytes()[:size] == whole[:size]


def test_an_emptied_file_beside_its_log_is_damaged(tmp_path):
    path = tmp_path / "w.db"
    path.touch()
    (tmp_path / "w.db-wal").write_bytes(b"x" * 4152)
    with pytest.raises(StoreDamaged):
        Store.open(path, world="w")
    (tmp_path / "w.db-wal").unlink()
    Store.open(path, world="w").close()


def test_a_text_that_is_not_utf8_is_damage_and_not_quoted(healthy):
    at = healthy.read_bytes().index(b"line 7 ")
    broken = bytearray(healthy.read_bytes())
    broken[at : at + 4] = b"\xff\xfe\xff\xfe"
    healthy.write_bytes(broken)
    with Store.open(healthy, world="w") as store:
        with pytest.raises(StoreDamaged) as caught:
            store.turns("marta")
        assert "yyy" not in str(caught.value)
        assert store.state()[("", "key7")] == 7, "what is sound can still be read"
        with pytest.raises(StoreReadOnly) as refused:
            exchange(store, "more", "no")
        assert refused.value.__cause__ is caught.value


HOLD = """
    import sys
    from npc_memory.errors import StoreLocked
    from npc_memory.store import Store
    try:
        store = Store.open(sys.argv[1], world="w")
    except StoreLocked:
        print("locked", flush=True)
    else:
        print("open", flush=True)
        sys.stdin.read()
"""


def hold(path):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOLD), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(process):
    process.communicate(timeout=60)


def test_a_second_process_is_locked_out_until_the_first_is_killed(tmp_path):
    path = tmp_path / "w.db"
    with Store.open(path, world="w") as store:
        exchange(store, "a", "b")
        done = run(HOLD, path, stdin=subprocess.DEVNULL)
        assert done.stdout == "locked\n", done.stderr
        with pytest.raises(StoreLocked):
            Store.open(path, world="w")
        exchange(store, "c", "d")
    holder = hold(path)
    assert holder.stdout.readline() == "open\n"
    with pytest.raises(StoreLocked):
        Store.open(path, world="w")
    holder.kill()
    finish(holder)
    with Store.open(path, world="w") as store:
        assert texts(store) == ["a", "b", "c", "d"]


def test_of_several_that_start_together_one_wins(tmp_path):
    holders = [hold(tmp_path / "w.db") for _ in range(4)]
    said = [holder.stdout.readline().strip() for holder in holders]
    for holder in holders:
        finish(holder)
    assert sorted(said) == ["locked", "locked", "locked", "open"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_does_not_inherit_the_lock(tmp_path):
    script = """
        import os, signal, sys, time
        from npc_memory.store import Store
        store = Store.open(sys.argv[1], world="w")
        if os.fork() == 0:
            os.close(1)
            os.close(2)
            time.sleep(30)
        else:
            print(os.getpid(), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    run(script, tmp_path / "w.db", start_new_session=True)
    Store.open(tmp_path / "w.db", world="w").close()


def test_a_damaged_index_never_sends_a_read_in_circles(healthy, tmp_path):
    whole = healthy.read_bytes()
    with closing(sqlite3.connect(healthy)) as connection:
        found = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'state_by_key'").fetchone()
    draw = random.Random(1)
    path = tmp_path / "broken.db"
    codes = []
    for _ in range(150):
        broken = bytearray(whole)
        broken[(found[0] - 1) * 4096 + draw.randrange(4096)] ^= draw.randrange(1, 256)
        path.write_bytes(broken)
        with closing(sqlite3.connect(path)) as connection:
            ticks = iter(range(500))  # of 10,000 steps of SQLite each; a whole read takes less than one
            connection.set_progress_handler(lambda ticks=ticks: next(ticks, None) is None, 10_000)
            try:
                connection.execute(fold_queries.STATE, {"lineage": "[[1,1000]]"}).fetchall()
            except sqlite3.DatabaseError as error:
                codes.append(error.sqlite_errorcode & 0xFF)
    assert set(codes) == {sqlite3.SQLITE_CORRUPT}


@pytest.mark.parametrize("value", ["a\ud800b", 2**63, -(2**63) - 1], ids=ascii)
def test_a_value_that_sqlite_cannot_hold_is_the_callers_mistake_and_no_damage(tmp_path, value):
    with Store.open(tmp_path / "w.sqlite", world="w") as store:
        database = store._database
        for read in (database.query, database.number, lambda *asked: database.read(tuple, *asked)):
            with pytest.raises(InvalidInput):
                read("SELECT ?", (value,))
        with store.transaction(), pytest.raises(InvalidInput):
            database.execute("DELETE FROM slots WHERE slot = ?", (value,))
        with store.transaction() as write:
            ask(write, "still writable")
