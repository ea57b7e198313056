"""npc-memory: offline memory for game NPCs.

The way of one line: ``Mind.talk`` takes a ``Snapshot``, a ``WorkingMemoryBuilder`` turns it into a prompt in which
canonical facts and world state are never truncated, a local model speaks, the reply is checked and remembered.
"""

from npc_memory.errors import MandatoryOverflow, NpcMemoryError, WorkingMemoryClosed
from npc_memory.memory import AgendaItem, Belief, Episode, Example, Fact, Rule, Snapshot, StateEntry, Turn
from npc_memory.version import __version__
from npc_memory.working_memory import BudgetPolicy, BudgetReport, WorkingMemory, WorkingMemoryBuilder

__all__ = [
    "AgendaItem",
    "Belief",
    "BudgetPolicy",
    "BudgetReport",
    "Episode",
    "Example",
    "Fact",
    "MandatoryOverflow",
    "NpcMemoryError",
    "Rule",
    "Snapshot",
    "StateEntry",
    "Turn",
    "WorkingMemory",
    "WorkingMemoryBuilder",
    "WorkingMemoryClosed",
    "__version__",
]
