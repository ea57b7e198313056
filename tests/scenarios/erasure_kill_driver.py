"""Kills a forgetting at random moments and looks at what is left: `python erasure_kill_driver.py FOLDER KILLS`.

Once the note is on the disk ("begun" is told), the next opening must leave nothing; before it all must be there still.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from erasure_scan import found_in

from npc_memory.memory import Authority
from npc_memory.store import Store

WORDS = ("Zanzibarine", "Quixotian")


def fill(path: Path, draw: random.Random) -> None:
    """A file with a few hundred replies, some of them the victim's."""
    with Store.open(path, world="w") as store:
        for number in range(60):
            player = draw.choice(("p1", "p2"))
            text = f"zanzibarine {number}" if player == "p1" else f"line {number} of quixotian's friend"
            with store.transaction() as write:
                if number == 0:
                    write.actor(authority=Authority.GAME, actor="p1", name="Quixotian")
                asked = write.turn(
                    authority=Authority.GAME, npc="m", player=player, speaker=player, addressee="m", text=text
                )
                write.episode(authority=Authority.REPLY, npc="m", text=text, turns=(asked.id,))
                payload = text + draw.randbytes(20_000).hex()
                write.audit(authority=Authority.REPLY, npc="m", player=player, turn=asked.id, payload=payload)


def killed(path: Path, wait: float) -> bool:
    """Let a process forget him and kill it ``wait`` seconds after it began; whether it had told so."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            with Store.open(path, world="w") as store:
                os.write(writing, b"open ")
                store.forget("p1", progress=lambda step: os.write(writing, f"{step} ".encode()) and None)
                os.write(writing, b"done ")
                time.sleep(60)
        finally:
            os._exit(1)
    os.close(writing)
    told = os.read(reading, 5)
    time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reading, 1 << 16):
        told += more
    os.close(reading)
    return b"begun" in told


def verify(folder: Path, path: Path, begun: bool) -> None:
    """Open, close, look into every byte."""
    with Store.open(path, world="w") as store:
        assert store.check() == []
        players = {turn.player for turn in store.turns("m")}
        assert "p2" in players
    left = found_in(folder, WORDS)
    assert not left or not begun, left
    assert bool(left) == ("p1" in players)


def main() -> None:
    """Fill once; kill, verify, start over with a copy."""
    base, kills = Path(sys.argv[1]), int(sys.argv[2])
    draw = random.Random(11)
    (base / "full").mkdir()
    fill(base / "full" / "w.db", draw)
    begun = 0
    for kill in range(kills):
        folder = base / f"kill{kill}"
        shutil.copytree(base / "full", folder)
        was = killed(folder / "w.db", draw.uniform(0, 0.15))
        verify(folder, folder / "w.db", was)
        begun += was
        shutil.rmtree(folder)
    print(kills, begun)


if __name__ == "__main__":
    main()
