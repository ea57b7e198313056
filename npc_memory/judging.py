"""Beliefs before canon: what an NPC knows to be true is true, whatever she believed or was told (promise P5).

A belief is judged whenever it might be shown, against what she knows at that moment. So one that was held in good faith
is not offered any more from the reply on that finds canon against it, wherever that came from: a state that changed, a
fact whose condition holds by now, a place she has come to, a newer world pack. Nothing is written for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from npc_memory.belief_slots import STATE, same_value
from npc_memory.guarding import claims_of
from npc_memory.memory import BeliefRecord, StateEntry
from npc_memory.people import factions_of, names, place_of
from npc_memory.reply.guard import Claim, Guard
from npc_memory.reply.guard.knowledge import knowledge
from npc_memory.store import Continued, Store, View
from npc_memory.world import World
from npc_memory.world.state import value_text

__all__ = ["Judge", "forget_guards", "judge_of", "remembered_judge"]

MOST = 128
"""Sets of claims of which verdicts are remembered: one for each NPC whose world stands still."""

MOST_GUARDS = 32
"""Guards that are kept: to make one, all that an NPC knows is read."""


class Key:
    """What was known, compared whole. Its hash is worked out once: there is much to it."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, *parts: object) -> None:
        self._parts, self._hash = parts, hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self._parts == other._parts


class Judge:
    """What one NPC knows, and what of her beliefs it denies. ``verdicts``: those that are known, by record number."""

    def __init__(
        self,
        claims: Sequence[Claim],
        entries: Iterable[StateEntry],
        called: Mapping[str, str],
        own_name: str,
        verdicts: dict[int, str] | None = None,
    ) -> None:
        self._claims, self._called, self._own_name = claims, called, own_name
        self._state = {f"{STATE}{one.key}": one for one in entries}
        self._verdicts: dict[int, str] = {} if verdicts is None else verdicts
        self._guard: Guard | None = None

    def against(self, belief: BeliefRecord) -> str:
        """The id of what denies it, "fact:king-dead" or "state:north_gate"; "" when nothing does."""
        found = self._verdicts.get(belief.seq)
        if found is None:
            found = self._verdicts[belief.seq] = self._judged(belief)
        return found

    def _judged(self, belief: BeliefRecord) -> str:
        entry = self._state.get(belief.slot)
        if entry is not None and belief.value and not same_value(belief.value, value_text(entry.value)):
            return belief.slot
        if self._guard is None:
            self._guard = _guard(tuple(self._claims), tuple(sorted(self._called.items())), self._own_name)
        found = self._guard.check(belief.text)
        return found.claim.id if found is not None else ""


@lru_cache(maxsize=MOST_GUARDS)
def _guard(claims: tuple[Claim, ...], called: tuple[tuple[str, str], ...], own_name: str) -> Guard:
    return Guard(claims, names=dict(called), own_name=own_name)


def forget_guards() -> None:
    """Drop the guards that are kept: they know how everyone is called."""
    _guard.cache_clear()
    knowledge.cache_clear()


class _Verdicts(Continued):
    """Verdicts by what was known. They hold on every timeline: what a belief says never changes."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, dict[int, str]] = OrderedDict()

    def continued(self, shared: int) -> _Verdicts:
        """The same, for a timeline that shares the records up to number ``shared``."""
        one = _Verdicts()
        one._known.update((key, dict(verdicts)) for key, verdicts in self._known.items())
        return one

    def of(self, key: Key) -> dict[int, str]:
        """What is known of beliefs before these claims."""
        found = self._known.setdefault(key, {})
        self._known.move_to_end(key)
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return found


def remembered_judge(
    store: Store, claims: tuple[Claim, ...], entries: Sequence[StateEntry], called: Mapping[str, str], own_name: str
) -> Judge:
    """A judge that remembers its verdicts as long as the store keeps what is worked out. Within ``Store.reading``."""
    values = tuple((one.key, value_text(one.value)) for one in entries)  # a pack may word two of them alike
    key = Key(claims, values, tuple(sorted(called.items())), own_name)
    return Judge(claims, entries, called, own_name, store.kept(_Verdicts).of(key))


def judge_of(world: World, view: View, npc_id: str, store: Store | None = None) -> Judge:
    """A judge by all that ``npc_id`` knows in that view. With a ``store`` its verdicts are remembered there."""
    npc, state, called = world.npc(npc_id), view.state(), names(world, view)
    place, factions = place_of(view, npc), factions_of(view, npc)
    facts = world.facts_for(npc_id, state, place=place, factions=factions)
    entries = world.state_for(npc_id, state, place=place, factions=factions)
    claims, own_name = claims_of(world, facts, entries), called.get(npc_id, npc.name)
    if store is not None:
        return remembered_judge(store, claims, entries, called, own_name)
    return Judge(claims, entries, called, own_name)
