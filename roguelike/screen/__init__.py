"""The terminal interface, in textual. It holds no rule of the game and no word of the wire: those are a session's."""

from roguelike.screen.app import Emberfall

__all__ = ["Emberfall"]
