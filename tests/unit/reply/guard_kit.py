"""Guards with what an NPC of the two worlds knows, for the tests of the canon guard."""

from __future__ import annotations

from functools import cache

from npc_memory.guarding import claims_for
from npc_memory.memory import StateValue
from npc_memory.reply.guard import Claim, Contradiction, Guard
from npc_memory.world import load_world
from npc_memory.world.state import ScopedState

__all__ = ["State", "canon", "guard_of", "judged"]

State = tuple[tuple[str, StateValue], ...]


@cache
def guard_of(npc: str, state: State = ()) -> Guard:
    """The guard of that NPC, in her world, with state that differs from the pack's defaults."""
    world = load_world("perigee" if npc in ("okafor", "sable", "imre") else "emberfall")
    scoped: ScopedState = {(world.state_keys[key].scope, key): value for key, value in state}
    return Guard(claims_for(world, npc, scoped), names=world.names, own_name=world.names[npc])


def judged(npc: str, line: str, *, question: str = "", before: str = "", state: State = ()) -> Contradiction | None:
    """What her guard makes of a line."""
    return guard_of(npc, state).check(line, before=before, question=question)


def canon(*texts: str, own_name: str = "", names: dict[str, str] | None = None) -> Guard:
    """A guard of facts made up for one test, with ids "fact:0", "fact:1", …; "key: value" is a state entry."""
    claims = [
        Claim(id=f"state:{text.partition(':')[0]}" if ":" in text else f"fact:{i}", text=text)
        for i, text in enumerate(texts)
    ]
    return Guard(claims, names=names or {}, own_name=own_name)
