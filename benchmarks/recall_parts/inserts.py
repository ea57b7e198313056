"""What it costs an NPC with a long past to live through, believe or be told one thing more, everything included."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Sequence
from time import process_time

import numpy as np

from npc_memory.inference import ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world

__all__ = ["inserts"]

WARM, TIMES = 5, 100
NPC, TELLER, SLOT = "marta", "brann", "post"


def inserts(sizes: Sequence[int]) -> dict[str, dict[str, float]]:
    """By number of beliefs of one NPC (her teller has as many episodes): milliseconds of CPU, the median, of an event
    she sees, a belief, one with a slot, one that takes another's place (it is held against canon), and of a tell. The
    store is in memory: what a disk takes to acknowledge a write is not ours.
    """
    return {str(size): _cost(size) for size in sizes}


def _cost(size: int) -> dict[str, float]:
    draw = random.Random(7)
    pack = load_world("emberfall")
    store = Store.open(":memory:", world=pack.id, world_version=pack.version)

    def words() -> str:
        return " ".join(f"w{draw.randrange(8000)}" for _ in range(12))

    with store.transaction() as writer:
        for number in range(size):
            about = {"subject": f"p{number % 500}", "slot": SLOT, "value": f"v{number % 3}"}
            writer.belief(authority=Authority.INFERENCE, npc=NPC, text=words(), **about)
            writer.episode(authority=Authority.GAME, npc=TELLER, text=words(), kind="event")
    with Mind(pack, store, ScriptedEngine(), load_prompt("transcript")) as mind:

        def held(number: int) -> None:
            mind.believe(NPC, words(), subject=f"new{number}", slot=SLOT, value="v")

        return {
            "event_ms": _median(lambda _: mind.observe("event", words(), actor=NPC, audience=[])),
            "belief_ms": _median(lambda _: mind.believe(NPC, words())),
            "slot_ms": _median(held),
            "replacing_ms": _median(lambda number: mind.believe(NPC, words(), subject="new0", slot=SLOT)),
            "tell_ms": _median(lambda _: mind.observe("tell", words(), actor=TELLER, target=NPC, audience=[])),
        }


def _median(insert: Callable[[int], object]) -> float:
    for number in range(WARM):
        insert(number)
    taken = []
    gc.collect()
    for number in range(WARM, WARM + TIMES):
        start = process_time()
        insert(number)
        taken.append(process_time() - start)
    return round(1000 * float(np.median(taken)), 2)
