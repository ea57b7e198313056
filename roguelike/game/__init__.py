"""The rules at work: a state, the commands on it, the turns of the town and of the deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roguelike.game.game import Game

__all__ = ["Game"]


def __getattr__(name: str) -> Any:
    """``Game`` when it is asked for: it brings together plot and rules, and the plot imports rules from here."""
    if name == "Game":
        from roguelike.game.game import Game

        return Game
    raise AttributeError(name)
