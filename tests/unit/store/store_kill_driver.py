"""Kills writers, who save and load as well, at random moments and checks what they left:
`python store_kill_driver.py FILE KILLS`.

One process that forks the writers, so that an interpreter is started once and not for every kill.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time

from npc_memory.memory import Authority
from npc_memory.store import Store

PAYLOAD = 30_000
"""Bytes of random audit payload a reply, so that the log is folded into the file every hundred replies or so."""


LOST = "said in a future that is left"


def write_until_killed(path: str, acknowledge: int, seed: int) -> None:
    """Write replies, naming each on ``acknowledge`` once it is committed. After every third one save, go on for a line,
    load, and shorten the lineage a little.
    """
    noise = random.Random(seed)
    with Store.open(path, world="w") as store:
        number = store.state().get(("", "n"), 0)
        assert isinstance(number, int)
        while True:
            number += 1
            with store.transaction() as write:
                asked = write.turn(
                    authority=Authority.GAME, npc="m", player="p", speaker="p", addressee="m", text=f"line {number}"
                )
                said = write.turn(
                    authority=Authority.REPLY, npc="m", player="p", speaker="m", addressee="p", text=f"answer {number}"
                )
                write.episode(authority=Authority.REPLY, npc="m", text=f"{number}", turns=(asked.id, said.id))
                payload = noise.randbytes(PAYLOAD // 2).hex()
                write.audit(authority=Authority.REPLY, npc="m", player="p", turn=said.id, payload=payload)
                write.state(authority=Authority.GAME, key="n", value=number)
            os.write(acknowledge, f"{number}\n".encode())
            if number % 3 == 0:
                store.save("quick", f"{number}")
                with store.transaction() as write:
                    write.turn(authority=Authority.GAME, npc="m", player="p", speaker="p", addressee="m", text=LOST)
                    write.state(authority=Authority.GAME, key="n", value=-number)
                store.load("quick")
                store.compact_step()


def killed(path: str, wait: float, seed: int) -> int:
    """Let a writer run until ``wait`` seconds after its first acknowledgement, kill it; the last number it named."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            write_until_killed(path, writing, seed)
        finally:
            os._exit(1)
    os.close(writing)
    said = os.read(reading, 1 << 16)
    time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reading, 1 << 16):
        said += more
    os.close(reading)
    lines = said.decode().splitlines()
    assert lines, "the writer died before its first write"
    return int(lines[-1])


def verify(path: str, acknowledged: int) -> int:
    """Every acknowledged reply is there, whole; at most one more is, and whole too. Returns how many are there."""
    with Store.open(path, world="w") as store:
        assert store.check() == []
        if any(turn.text == LOST for turn in store.turns("m")):
            store.load("quick")  # it was killed before it could
        there = store.state()[("", "n")]
        assert isinstance(there, int)
        assert acknowledged <= there <= acknowledged + 1, (acknowledged, there)
        turns, episodes = store.turns("m"), store.episodes("m")
        assert [turn.text for turn in turns] == [
            f"{what} {number}" for number in range(1, there + 1) for what in ("line", "answer")
        ]
        assert [episode.text for episode in episodes] == [str(number) for number in range(1, there + 1)]
        assert len(store.audits()) == store.exchange_count("m") == there
        assert store.last_npc_seq("m") == 4 * there
        for save in store.saves():
            if not save.automatic:
                assert store.save_view(save.save_id).state()["", "n"] == int(save.note) <= there
        return there


def main() -> None:
    """Kill, verify, go on with the same file."""
    path, kills = sys.argv[1], int(sys.argv[2])
    draw = random.Random(5)
    there = 0
    for kill in range(kills):
        there = verify(path, killed(path, draw.uniform(0, 0.06), kill))
    print(kills, there)


if __name__ == "__main__":
    main()
