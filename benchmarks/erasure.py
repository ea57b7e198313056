"""What forgetting a player costs: `python benchmarks/erasure.py [RECORDS]`.

A town's past: 40 NPCs, 25 players, replies with black boxes of the size that real ones have (about 14 KB), which hold
other players' memories too. Seconds by the clock, and of CPU, which tell more on a busy machine.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

from npc_memory.memory import Authority
from npc_memory.store import Store, Writer

T = TypeVar("T")

WORDS = [f"word{number}" for number in range(4000)]


def reply(write: Writer, draw: random.Random, npc: str, player: str, known: dict[str, list[str]]) -> None:
    """What one reply stores: two turns, an episode, an audit record that was shown eight older episodes."""
    line, said = (" ".join(draw.choices(WORDS, k=12)) for _ in range(2))
    asked = write.turn(authority=Authority.GAME, npc=npc, player=player, speaker=player, addressee=npc, text=line)
    answer = write.turn(authority=Authority.REPLY, npc=npc, player=player, speaker=npc, addressee=player, text=said)
    told = f'Name{player[1:]} said: "{line}" {npc} answered: "{said}"'
    episode = write.episode(
        authority=Authority.REPLY,
        npc=npc,
        text=told,
        turns=(asked.id, answer.id),
        speaker=player,
        addressee=npc,
        audience=(npc, player),
    )
    mine = known.setdefault(npc, [])
    shown = draw.sample(mine, min(8, len(mine)))
    payload = {"format": 2, "player": player, "kept": shown, "prompt": " ".join(draw.choices(WORDS, k=1800))}
    write.audit(authority=Authority.REPLY, npc=npc, player=player, turn=answer.id, payload=json.dumps(payload))
    mine.append(episode.id)


def fill(store: Store, records: int) -> None:
    """Write a town's past."""
    draw, known, written = random.Random(7), {}, 0  # type: ignore[var-annotated]
    with store.transaction() as write:
        for number in range(25):
            write.actor(authority=Authority.GAME, actor=f"p{number}", name=f"Name{number}")
    while written < records:
        with store.transaction() as write:
            for _ in range(100):
                npc, player = f"npc{draw.randrange(40)}", f"p{draw.randrange(25)}"
                reply(write, draw, npc, player, known)
                written += 4


def main() -> None:
    """Fill, count, forget, in a temporary folder."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.db"
        with Store.open(path, world="bench") as store:
            fill(store, records)
            size = path.stat().st_size / 1e6
            print(f"{store.newest_seq()} records, {size:.0f} MB")
            timed("dry run", lambda: store.forget("p7", dry_run=True))
            steps: list[tuple[str, float, float]] = []
            counts = timed("forget", lambda: store.forget("p7", progress=lambda step: steps.append((step, *now()))))
            for (step, clock, cpu), (_, later, more) in pairwise([*steps, ("end", *now())]):
                print(f"  {step}: {later - clock:.2f} s, CPU {more - cpu:.2f} s")
            print(f"{counts}; now {path.stat().st_size / 1e6:.0f} MB")
            timed("erase one turn", lambda: store.erase([store.turns("npc1")[-1].id]))


def now() -> tuple[float, float]:
    """The clock and the CPU."""
    return perf_counter(), process_time()


def timed(what: str, call: Callable[[], T]) -> T:
    """Print what ``call`` costs."""
    clock, cpu = now()
    found = call()
    later, more = now()
    print(f"{what}: {later - clock:.2f} s, CPU {more - cpu:.2f} s")
    return found


if __name__ == "__main__":
    main()
