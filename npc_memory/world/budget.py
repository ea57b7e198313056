"""What each NPC's mandatory text costs at worst, against a limit (promise P1: refused when written, not when spoken).

The cost is measured by the caller, who knows the policy, the tokenizer and the template; this room only says what
has to fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from npc_memory.memory import Fact, Snapshot, StateEntry
from npc_memory.world.state import ScopedState
from npc_memory.world.world import CanonFact, World

__all__ = ["BudgetRow", "Measure", "mandatory_budget", "mandatory_budgets", "worst_case"]

Measure = Callable[[Snapshot], int]
"""The mandatory cost of a snapshot, in the unit of the limit."""


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """One row of the table: what ``npc`` has to be told at worst, and what it costs of the ``limit``."""

    npc: str
    name: str
    facts: int
    state_entries: int
    mandatory: int
    limit: int

    @property
    def share(self) -> float:
        """The mandatory part of the limit; above 1 it does not fit."""
        return self.mandatory / self.limit

    @property
    def fits(self) -> bool:
        """Whether the mandatory text alone stays within the limit."""
        return self.mandatory <= self.limit


def mandatory_budget(world: World, npc_id: str, state: ScopedState, measure: Measure, *, limit: int) -> BudgetRow:
    """The row of one NPC. ``state`` is laid over the defaults; ``limit`` is in the unit of ``measure``.

    Raises ``UnknownId`` for an NPC the world does not have.
    """
    snapshot = worst_case(world, npc_id, state)
    return BudgetRow(
        npc_id,
        world.npc(npc_id).name,
        len(snapshot.canonical_facts),
        len(snapshot.world_state),
        measure(snapshot),
        limit,
    )


def mandatory_budgets(world: World, state: ScopedState, measure: Measure, *, limit: int) -> tuple[BudgetRow, ...]:
    """The rows of all NPCs, by id."""
    return tuple(mandatory_budget(world, npc_id, state, measure, limit=limit) for npc_id in world.npcs)


def worst_case(world: World, npc_id: str, state: ScopedState) -> Snapshot:
    """The snapshot with the most that she could ever have to be told, at home, with an empty line.

    Every fact in her scope counts, whatever its condition: facts that exclude each other both do, so the true worst
    is never above this. Each declared key is worded with the longest (in characters) of its declared values.
    """
    npc, who = world.npc(npc_id), world.standing(npc_id)
    return Snapshot(
        npc=npc.id,
        persona=npc.persona,
        player="player",
        player_line="",
        game_time=world.start_time,
        rules=world.rules,
        canonical_facts=tuple(_worst_fact(world, fact) for fact in world.canon.values() if fact.scope.covers(who)),
        world_state=tuple(_longest(world, entry) for entry in world.state_for(npc_id, state)),
        names=tuple(world.names.items()),
        time_text=world.calendar.longest() if world.calendar else "",
    )


def _worst_fact(world: World, fact: CanonFact) -> Fact:
    steady = not any(world.state_keys[condition.key].volatile for condition in fact.when)
    return Fact(fact.id, fact.text, public=fact.scope.everyone and steady)


def _longest(world: World, entry: StateEntry) -> StateEntry:
    declared = world.state_keys.get(entry.key)
    if declared is None:
        return entry
    entries = [entry, *(declared.entry(value) for value in declared.values)]
    return max(entries, key=lambda one: (len(one.words()), one.words()))
