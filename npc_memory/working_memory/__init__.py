"""The heart: policy, budget, builder and report. Pure: no I/O, no clock, no locale."""

from npc_memory.working_memory.builder import WorkingMemoryBuilder
from npc_memory.working_memory.memory import WorkingMemory
from npc_memory.working_memory.policy import BudgetPolicy
from npc_memory.working_memory.report import BudgetReport, Dropped

__all__ = ["BudgetPolicy", "BudgetReport", "Dropped", "WorkingMemory", "WorkingMemoryBuilder"]
