"""The rules at work: a state, the commands on it, the turns of the town and of the deep."""

from roguelike.game.game import Game

__all__ = ["Game"]
