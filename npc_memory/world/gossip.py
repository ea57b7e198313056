"""How much NPCs tell each other by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from npc_memory.errors import InvalidInput

__all__ = ["Gossip"]

MOST_PER_HOUR, FARTHEST = 20, 20


@dataclass(frozen=True, slots=True)
class Gossip:
    """Each NPC hears at most ``per_hour`` things in an hour of the game; nothing goes on that has come through
    ``distance`` mouths. Raises ``InvalidInput`` for less than 0 or 1, or more than 20.
    """

    per_hour: int = 2
    distance: int = 3

    def __post_init__(self) -> None:
        for name, least, most in (("per_hour", 0, MOST_PER_HOUR), ("distance", 1, FARTHEST)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise InvalidInput(f"gossip {name} must be from {least} to {most}, not {value!r}", hint="pass an int")
