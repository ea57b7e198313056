"""What the store costs, beside bare SQLite in the same run: `python benchmarks/store.py [RECORDS]`.

Medians. Commits in milliseconds by the clock (they wait for the disk) and of CPU; reads in milliseconds of CPU.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from npc_memory.memory import Authority
from npc_memory.store import Store, Writer


def timed(call: Callable[[], object], times: int, clock: Callable[[], float] = process_time) -> float:
    """Median milliseconds of ``times`` calls by ``clock``."""
    taken = []
    for _ in range(times):
        start = clock()
        call()
        taken.append((clock() - start) * 1000)
    return median(taken)


def reply(write: Writer, npc: str, player: str) -> None:
    """What one reply stores: two turns, an episode, an audit record."""
    asked = write.turn(
        authority=Authority.GAME, npc=npc, player=player, speaker=player, addressee=npc, text="Is the king well?"
    )
    said = write.turn(
        authority=Authority.REPLY, npc=npc, player=player, speaker=npc, addressee=player, text="The king is dead."
    )
    write.episode(authority=Authority.REPLY, npc=npc, text="They spoke of the king.", turns=(asked.id, said.id))
    payload = '{"prompt":"' + "x" * 6000 + '"}'
    write.audit(authority=Authority.REPLY, npc=npc, player=player, turn=said.id, payload=payload)


def commits(folder: Path) -> None:
    """One reply's transaction (11 rows) against a bare insert and commit, of one row and of 11."""
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode=WAL")
    bare.execute("PRAGMA synchronous=FULL")
    bare.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")

    def insert(rows: int) -> None:
        bare.execute("BEGIN IMMEDIATE")
        for _ in range(rows):
            bare.execute("INSERT INTO t (text) VALUES (?)", ("The king is dead." * 20,))
        bare.execute("COMMIT")

    with Store.open(folder / "reply.db", world="bench") as store:

        def one_reply() -> None:
            with store.transaction() as write:
                reply(write, "marta", "p1")

        one_reply()
        for clock, name in ((perf_counter, "clock"), (process_time, "CPU")):
            one, rows = timed(lambda: insert(1), 300, clock), timed(lambda: insert(11), 300, clock)
            ours = timed(one_reply, 300, clock)
            print(f"commit, {name}: a bare row {one:.2f} ms, 11 bare rows {rows:.2f} ms, one reply {ours:.2f} ms")
            print(f"  ratio to one row {ours / one:.1f}, to 11 rows {ours / rows:.1f}")
    bare.close()


def fill(store: Store, records: int) -> None:
    """Write a town's past: 40 NPCs, 25 players, sessions of ten turns, 500 state keys."""
    draw = random.Random(7)
    written = 0
    while written < records:
        with store.transaction() as write:
            for _ in range(100):
                npc, player = f"npc{draw.randrange(40)}", f"p{draw.randrange(25)}"
                for _ in range(4):
                    reply(write, npc, player)
                write.state(authority=Authority.GAME, key=f"key{draw.randrange(500)}", value=draw.randrange(10**6))
                write.end_session(authority=Authority.GAME, npc=npc, player=player)
                written += 18
    with store.transaction() as write:
        for _ in range(5):
            reply(write, "npc1", "p1")


def reads(folder: Path, records: int) -> None:
    """Reading from a large store: first time in a fresh process's eyes, and again; then after forks."""
    path = folder / "reads.db"
    with Store.open(path, world="bench") as store:
        start = perf_counter()
        fill(store, records)
        took = perf_counter() - start
        print(f"fill: {store.newest_seq()} records in {took:.1f} s, {path.stat().st_size / 1e6:.0f} MB")
    print(f"open and close: {timed(lambda: Store.open(path, world='bench').close(), 20):.2f} ms")
    with Store.open(path, world="bench") as store:
        show(store, "now")
        half = store.newest_seq() // 2
        print(f"fork to first dialogue and state: {timed(lambda: back(store, half), 20):.2f} ms")
        for _ in range(1000):
            with store.transaction() as write:
                reply(write, "npc1", "p1")
            store.fork()
        show(store, "1,000 forks deep")


def back(store: Store, seq: int) -> None:
    """What a load will do: fork in the past, then read for the first snapshot."""
    store.fork(seq=seq)
    store.dialogue("npc1", "p1")
    store.state()
    store.exchange_count("npc1")
    store.game_time()


def show(store: Store, when: str) -> None:
    """Print the reads of one snapshot."""
    cold = timed(lambda: store.at(store.newest_seq()).state(), 20)
    print(
        f"{when}: dialogue {timed(lambda: store.dialogue('npc1', 'p1'), 50):.3f} ms,"
        f" state ({len(store.state())} keys) first {cold:.2f} ms, again {timed(store.state, 50):.3f} ms,"
        f" exchange_count {timed(lambda: store.exchange_count('npc1'), 50):.3f} ms,"
        f" episodes ({len(store.episodes('npc1'))}) {timed(lambda: store.episodes('npc1'), 10):.2f} ms"
    )


def main() -> None:
    """Run all of it in a temporary folder."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}, {records} records")
    with tempfile.TemporaryDirectory() as folder:
        commits(Path(folder))
        reads(Path(folder), records)


if __name__ == "__main__":
    main()
