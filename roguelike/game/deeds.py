"""What the hero did and who knows: the record by which the town judges him."""

from __future__ import annotations

from collections.abc import Sequence

from roguelike.game.world import World
from roguelike.state import Deed

__all__ = ["record"]

WEIGHT = {
    "gift": 0.5, "trade": 0.2, "help": 0.8, "theft": 0.8, "burglary": 0.7, "assault": 0.9, "betrayal": 1.0,
    "kindness": 0.6, "donation": 0.5, "curfew": 0.4, "accusation": 0.9, "promise": 0.7, "shown": 0.7,
}  # fmt: skip
"""How much each kind of deed matters to who remembers it."""


def record(world: World, kind: str, target: str, text: str, seen: Sequence[str]) -> Deed:
    """Write a deed down, and report it to those who saw it. A deed nobody saw stays between the hero and the dark."""
    state = world.state
    state.serial += 1
    deed = Deed(f"deed-{state.serial}", kind, state.hero.id, target, text, state.minute, list(dict.fromkeys(seen)))
    state.plot.deeds.append(deed)
    world.observe(kind, f"{text}.", deed.known, target=target or None, importance=WEIGHT.get(kind, 0.5))
    return deed
