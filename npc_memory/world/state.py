"""World state: what a pack declares of a key, and what one NPC has of all of it at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from npc_memory.memory import StateEntry, StateValue
from npc_memory.world.scope import Standing

__all__ = ["ScopedState", "StateKey", "view"]

ScopedState = Mapping[tuple[str, str], StateValue | None]
"""World state by (scope, key); None: the key is not set in that scope, whatever its default."""


def value_text(value: StateValue) -> str:
    """A value as a pack writes it: ``true``, ``3``, ``burned``."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class StateKey:
    """A declared key. ``texts`` words single values, ``template`` any (with ``{value}``), "" says "key: value".

    ``values`` are all it can have; empty: any.
    """

    key: str
    default: StateValue
    scope: str = ""
    volatile: bool = False
    template: str = ""
    texts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    values: tuple[StateValue, ...] = field(default=())

    def entry(self, value: StateValue) -> StateEntry:
        """The entry for a prompt while the key has ``value``."""
        words = value_text(value)
        text = self.texts.get(words, self.template).replace("{value}", words)
        return StateEntry(self.key, value, self.volatile, text)


def view(keys: Iterable[StateKey], state: ScopedState, who: Standing) -> dict[str, StateValue]:
    """World state as ``who`` has it, by key: defaults under ``state``, and of two scopes the narrower one."""
    layers: dict[str, dict[str, StateValue | None]] = {scope: {} for scope in who.state_scopes()}
    for declared in keys:
        if declared.scope in layers:
            layers[declared.scope][declared.key] = declared.default
    for (scope, key), value in state.items():
        if scope in layers:
            layers[scope][key] = value
    found: dict[str, StateValue] = {}
    for layer in layers.values():  # narrowest first
        for key, value in layer.items():
            if value is not None:
                found.setdefault(key, value)
    return dict(sorted(found.items()))
