"""What the hero can be told to do. One command, then the world's turn, if it took time.

Items are named by their id (as in ``View``), people by theirs, directions by ``dx`` and ``dy`` from -1 to 1.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from npc_memory.errors import InvalidInput

__all__ = [
    "Accuse",
    "Ascend",
    "Attack",
    "Close",
    "Command",
    "Descend",
    "Drop",
    "Equip",
    "Give",
    "Look",
    "Meet",
    "Move",
    "PickUp",
    "Push",
    "Sell",
    "Show",
    "Sleep",
    "Steal",
    "Throw",
    "Use",
    "Wait",
    "command_from",
    "command_to",
]


@dataclass(frozen=True)
class Move:
    """One step. Into a door: opens it. Into a monster: strikes. Into somebody peaceful: ``Met``, and no time passes."""

    dx: int
    dy: int


@dataclass(frozen=True)
class Push:
    """Squeeze past somebody peaceful: change places with them."""

    dx: int
    dy: int


@dataclass(frozen=True)
class Attack:
    """Strike at whoever stands there, peaceful or not."""

    dx: int
    dy: int


@dataclass(frozen=True)
class Wait:
    """Let one minute pass."""


@dataclass(frozen=True)
class Sleep:
    """Sleep until morning, in a bed that is yours for the night, or doze for an hour elsewhere."""


@dataclass(frozen=True)
class PickUp:
    """Take what lies underfoot, if it is nobody's."""


@dataclass(frozen=True)
class Steal:
    """Take what belongs to somebody: from the stall or floor at (dx, dy), or out of the pocket of who stands there."""

    dx: int
    dy: int


@dataclass(frozen=True)
class Drop:
    """Lay an item down."""

    item: str


@dataclass(frozen=True)
class Use:
    """Eat, drink, read, light or rub an item, whatever it is for."""

    item: str


@dataclass(frozen=True)
class Equip:
    """Wield, wear or light an item; once more takes it off."""

    item: str


@dataclass(frozen=True)
class Throw:
    """Throw an item at a place one can see."""

    item: str
    x: int
    y: int


@dataclass(frozen=True)
class Give:
    """Hand an item to a person close by. It is hers from then on."""

    npc: str
    item: str


@dataclass(frozen=True)
class Show:
    """Let a person close by look at an item, and keep it."""

    npc: str
    item: str


@dataclass(frozen=True)
class Sell:
    """Let a person close by have an item for money, if she wants it."""

    npc: str
    item: str


@dataclass(frozen=True)
class Close:
    """Shut the door at (dx, dy)."""

    dx: int
    dy: int


@dataclass(frozen=True)
class Descend:
    """Go down the stairs one stands on."""


@dataclass(frozen=True)
class Ascend:
    """Go up the stairs one stands on."""


@dataclass(frozen=True)
class Look:
    """Say what can be seen at (x, y). Takes no time."""

    x: int
    y: int


@dataclass(frozen=True)
class Meet:
    """Turn to a person close by, as if by walking into her: ``Met``, and no time passes."""

    npc: str


@dataclass(frozen=True)
class Accuse:
    """Charge ``who`` (a person's id) with the king's murder, before Captain Hale. The first time she asks whether one
    is sure; the second time is the trial.
    """

    who: str


Command = (
    Move
    | Push
    | Attack
    | Wait
    | Sleep
    | PickUp
    | Steal
    | Drop
    | Use
    | Equip
    | Throw
    | Give
    | Show
    | Sell
    | Close
    | Descend
    | Ascend
    | Look
    | Meet
    | Accuse
)

KINDS: dict[str, type[Command]] = {
    kind.__name__: kind
    for kind in (
        Move, Push, Attack, Wait, Sleep, PickUp, Steal, Drop, Use, Equip, Throw, Give, Show, Sell, Close, Descend,
        Ascend, Look, Meet, Accuse,
    )
}  # fmt: skip


def command_to(command: Command) -> list[Any]:
    """A command as plain data: its name, then its fields in order."""
    return [type(command).__name__, *asdict(command).values()]


def command_from(plain: list[Any]) -> Command:
    """The command that ``command_to`` wrote. Raises ``InvalidInput`` for anything else."""
    try:
        kind = KINDS[plain[0]]
        wanted = fields(kind)
        if len(plain) - 1 == len(wanted) and all(
            type(value).__name__ == field.type for field, value in zip(wanted, plain[1:], strict=True)
        ):
            return kind(*plain[1:])
    except (KeyError, IndexError, TypeError):
        pass
    raise InvalidInput(f"not a command: {plain!r:.80}", hint=f"a list of a name ({', '.join(KINDS)}) and its fields")
