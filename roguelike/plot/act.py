"""One action of the world pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roguelike.game.world import World

__all__ = ["Act", "Args", "Deal"]

Args = Mapping[str, Any]


@dataclass(frozen=True)
class Act:
    """``refused``: why it cannot be done now, in words for the NPC to hear, or an empty text. It is also asked without
    arguments, which must not refuse for want of them. ``run`` does it.
    """

    refused: Callable[[World, Args], str]
    run: Callable[[World, Args], None]


@dataclass(frozen=True)
class Deal:
    """An action the player may ask for outright, with its arguments. ``label``: for the menu."""

    action: str
    label: str
    args: Args
