"""What an NPC knows where she stands: the facts that hold, the state in her scope, and what of both may not be denied.

It follows from the world pack, world state, her place and her factions alone, and these seldom change between two
replies. So it is kept with what else the store keeps of a timeline.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from npc_memory.guarding import claims_of
from npc_memory.memory import Fact, StateEntry
from npc_memory.reply.guard import Claim
from npc_memory.store import Continued, Store
from npc_memory.world import World
from npc_memory.world.state import ScopedState

__all__ = ["Knowledge", "knowledge_of"]

MOST = 64
"""Standings of which it is kept: an NPC at a place."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one NPC knows: facts by id, state by key, and the claims made of both. ``world`` and ``state``: in which
    pack and by which state.
    """

    world: World
    state: ScopedState
    facts: tuple[Fact, ...]
    entries: tuple[StateEntry, ...]
    claims: tuple[Claim, ...]


Key = tuple[str, str, tuple[str, ...]]
"""An NPC, where she is, and whom she belongs to."""


class _Standings(Continued):
    """What is known to one owner's NPCs. It holds on any timeline with the same state."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Knowledge] = OrderedDict()

    def continued(self, shared: int) -> _Standings:
        """The same: each is asked for with the state it was made from."""
        one = _Standings()
        one._kept.update(self._kept)
        return one

    def of(self, world: World, npc: str, state: ScopedState, place: str, factions: tuple[str, ...]) -> Knowledge:
        """What ``npc`` knows at ``place``."""
        key = npc, place, factions
        found = self._kept.get(key)
        # A fold that has not changed is the same mapping still, and it is never changed itself.
        if found is None or found.state is not state or found.world is not world:
            facts = world.facts_for(npc, state, place=place, factions=factions)
            entries = world.state_for(npc, state, place=place, factions=factions)
            found = self._kept[key] = Knowledge(world, state, facts, entries, claims_of(world, facts, entries))
        self._kept.move_to_end(key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return found


def knowledge_of(world: World, store: Store, npc: str, place: str, factions: tuple[str, ...]) -> Knowledge:
    """What ``npc`` (an id of the pack) knows now at ``place``. Within ``Store.reading``. Raises ``UnknownId``."""
    return store.kept(_Standings).of(world, npc, store.state(), place, factions)
