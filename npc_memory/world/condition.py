"""The ``when`` of a canonical fact: which values world state must have for the fact to hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from npc_memory.memory import StateValue

__all__ = ["Condition", "holds", "same_value"]


def same_value(a: StateValue | None, b: StateValue | None) -> bool:
    """Equal and of one kind: ``True`` is not ``1``, and ``"2"`` is not ``2``."""
    return type(a) is type(b) and a == b


@dataclass(frozen=True, slots=True)
class Condition:
    """``key`` has one of ``values``; ``negated``: it has none of them.

    A key that is not set, or not in the NPC's scope, has no value: it equals nothing, so only a negated condition
    holds for it.
    """

    key: str
    values: tuple[StateValue, ...]
    negated: bool = False

    def allows(self, value: StateValue | None) -> bool:
        """Whether the condition holds while the key has ``value`` (None: not set)."""
        return any(same_value(value, wanted) for wanted in self.values) is not self.negated


def holds(conditions: Iterable[Condition], view: Mapping[str, StateValue]) -> bool:
    """Whether all ``conditions`` hold in ``view``, the world state as one NPC has it."""
    return all(condition.allows(view.get(condition.key)) for condition in conditions)
