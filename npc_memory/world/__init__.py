"""World packs: what a designer writes about a world, read, checked and frozen."""

from npc_memory.world.budget import BudgetRow, mandatory_budget, mandatory_budgets
from npc_memory.world.calendar import Calendar
from npc_memory.world.condition import Condition
from npc_memory.world.gossip import Gossip
from npc_memory.world.loader import check_world, list_worlds, load_world
from npc_memory.world.npc import Action, ActionArg, Npc
from npc_memory.world.scope import EVERYONE, Scope, Standing
from npc_memory.world.state import ScopedState, StateKey
from npc_memory.world.world import CanonFact, World

__all__ = [
    "EVERYONE",
    "Action",
    "ActionArg",
    "BudgetRow",
    "Calendar",
    "CanonFact",
    "Condition",
    "Gossip",
    "Npc",
    "Scope",
    "ScopedState",
    "Standing",
    "StateKey",
    "World",
    "check_world",
    "list_worlds",
    "load_world",
    "mandatory_budget",
    "mandatory_budgets",
]
