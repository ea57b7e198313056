"""What saving and loading cost in a long game: `python benchmarks/saves.py [--records N] [--loads N] [--json]`.

A town's past is written straight into the tables. Then medians in milliseconds, of the clock and of CPU: a save, a load
with the first snapshot after it (what is heard before a prompt is built), a snapshot without a load; the first of each
in a process; and snapshots after so many quick-loads that are each played on, as a ratio to those of a game that was
played as long without a load. On a busy machine only CPU tells something.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from npc_memory.hearing import Line
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world

WORDS = (
    "barley silver mill fox rings chapel sister road bridge toll king well stew winter ferry guard song debt".split()
)

FILL = """WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :records)
INSERT INTO records (seq, kind, timeline, owner, npc, npc_seq, player, session, game_time, speaker, addressee, place,
    audience, provenance, authority)
SELECT :first + i, CASE i % 5 WHEN 1 THEN 'turn' WHEN 2 THEN 'turn' WHEN 3 THEN 'episode' WHEN 4 THEN 'turn'
        ELSE 'state' END,
    :timeline, '', CASE WHEN i % 5 = 0 THEN '' WHEN i / 5 % 40 = 0 THEN 'marta' ELSE 'npc' || (i / 5 % 40) END, i,
    CASE WHEN i % 5 = 0 THEN '' ELSE 'p' || (i / 200 % 25) END, CASE WHEN i % 5 = 0 THEN 0 ELSE 1 + i / 60000 END,
    :time + i / 100, 'p1', 'marta', '', '["marta","p1"]', '[]', 2 FROM n"""


SAVE_HALFWAY = """INSERT INTO saves
    (save_id, owner, timeline, after_seq, game_time, real_time, world_version, automatic, note)
VALUES ('save-00000000000000000000', '', :timeline, :after, :time, 0, '', 0, '')"""


def fill(path: Path, records: int) -> None:
    """Write the past: 40 NPCs, 25 players, 500 state keys; a fortieth of the episodes are Marta's."""
    world = load_world("emberfall")
    with Store.open(path, world=world.id, world_version=world.version) as store:
        timeline = store.timeline
    file = sqlite3.connect(path, isolation_level=None)
    file.execute("PRAGMA synchronous=OFF")
    file.create_function(
        "words", 1, lambda i: " ".join(WORDS[i * step % len(WORDS)] for step in (1, 3, 5, 7, 11)) + f" {i}"
    )
    file.execute("BEGIN")
    file.execute(FILL, {"records": records, "first": 0, "timeline": timeline, "time": world.start_time})
    for kind, sql in (
        ("turn", "INSERT INTO turns SELECT seq, npc_seq, words(seq), '', '', '' FROM records WHERE kind = ?"),
        ("episode", "INSERT INTO episodes SELECT seq, 'talk', 0.3, '[]', words(seq) FROM records WHERE kind = ?"),
        (
            "state",
            "INSERT INTO state_changes"
            " SELECT seq, timeline, 'npc:npc' || (seq / 5 % 500 % 40), 'k' || (seq / 5 % 500), '1'"
            " FROM records WHERE kind = ?",
        ),
    ):
        file.execute(sql, (kind,))
    file.execute(SAVE_HALFWAY, {"timeline": timeline, "after": records // 2, "time": world.start_time + records // 200})
    file.execute("INSERT INTO slots (owner, slot, save) VALUES ('', 'half', last_insert_rowid())")
    file.execute("COMMIT")
    file.close()


class Clocks:
    """Median milliseconds of a call: of the clock and of CPU."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, float]] = {}

    def time(self, name: str, call: Callable[[], object], times: int = 30) -> None:
        """Measure ``call`` so many times."""
        taken = []
        for _ in range(times):
            start, cpu = perf_counter(), process_time()
            call()
            taken.append((perf_counter() - start, process_time() - cpu))
        self.found[name] = {
            "ms": round(median(one for one, _ in taken) * 1000, 2),
            "cpu_ms": round(median(one for _, one in taken) * 1000, 2),
        }

    def compare(self, name: str, call: Callable[[], object], other: str, control: Callable[[], object]) -> None:
        """Measure both in turn, so that both meet the same machine; and the middle of the ratios of CPU."""
        pairs: list[tuple[float, float]] = []
        for _ in range(60):
            start = process_time()
            call()
            between = process_time()
            control()
            pairs.append((between - start, process_time() - between))
        self.found[name] = {"cpu_ms": round(median(one for one, _ in pairs) * 1000, 2)}
        self.found[f"{name}, {other}"] = {"cpu_ms": round(median(one for _, one in pairs) * 1000, 2)}
        self.found[f"{name} / {other}"] = {"ratio": round(median(one / two for one, two in pairs), 2)}


LINE = Line(npc="marta", player="p1", text="Who sells barley and silver?")


def opened(path: Path) -> Mind:
    """A mind on the file."""
    world = load_world("emberfall")
    store = Store.open(path, world=world.id, world_version=world.version)
    return Mind(world, store, ScriptedEngine(format=lambda text, request: f"{text}\n"), load_prompt("transcript"))


def snapshot(mind: Mind) -> None:
    """What is heard before a prompt is built."""
    with mind.store.reading():
        mind._hear(LINE)


def back(mind: Mind, slot: str) -> None:
    """A load and the first snapshot."""
    mind.load(slot)
    snapshot(mind)


def measure(path: Path, loads: int) -> dict[str, dict[str, float]]:
    """All of it, on the file at ``path`` and a copy."""
    clocks, other = Clocks(), path.with_name("other.sqlite3")
    with opened(path) as mind:
        clocks.time("first snapshot of a process", lambda: snapshot(mind), 1)
        for _ in range(12):  # a conversation as long as is offered
            mind.talk("marta", "p1", "What news?")
        clocks.time("snapshot", lambda: snapshot(mind))
        mind.save("old")
        mind.talk("marta", "p1", "What news?")
        mind.save("new")
        clocks.time("save", lambda: mind.save("quick"))
        back(mind, "old")
        clocks.time("load and snapshot, the same save", lambda: back(mind, "old"))
        mind.store.judge("half", mind._fits)  # as it would have been when it was made
        slots = ["old", "new"] * 15
        clocks.time("load and snapshot, old and new in turn", lambda: back(mind, slots.pop()))
        clocks.time("load and snapshot, half the past back, first time", lambda: back(mind, "half"), 1)
        slots = ["half", "new"] * 15
        clocks.time("load and snapshot, half the past back in turn", lambda: back(mind, slots.pop()))
    with opened(path) as mind:
        clocks.time("load and snapshot, the first of a process", lambda: back(mind, "old"), 1)
    shutil.copy(path, other)
    with opened(path) as mind, opened(other) as without:
        for _ in range(loads):
            mind.talk("marta", "p1", "And now?")
            mind.save("quick")
            mind.end("p1", "marta")
            mind.load("quick")
            without.talk("marta", "p1", "And now?")
        mind._compacting.settle()
        clocks.found["forebears"] = {"count": len(mind.store._seen.lineage.spans) - 1}
        for _ in range(3):
            snapshot(mind), snapshot(without)
        clocks.compare(
            f"snapshot after {loads} quick-loads", lambda: snapshot(mind), "without loads", lambda: snapshot(without)
        )
        clocks.time(f"load and snapshot after {loads} quick-loads", lambda: back(mind, "quick"))
    return clocks.found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it in a temporary folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--loads", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.sqlite3"
        fill(path, given.records)
        found = {"records": {"count": given.records}, **measure(path, given.loads)}
    if given.json:
        print(json.dumps(found))
        return
    for name, numbers in found.items():
        print(f"{name:58} " + "  ".join(f"{unit} {value}" for unit, value in numbers.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
