"""What a newcomer is told, once, when it is of use to him."""

from __future__ import annotations

from collections.abc import Callable

from roguelike.happenings import Message
from roguelike.view import View

__all__ = ["Hints"]

OCCASIONS = {
    "begin": "Move with the arrow keys (or h j k l). Walk into people to talk to them. ? tells the rest.",
    "talk": "Type what you want to say and press Enter. It will be remembered. Esc when you are done.",
    "left": "q shows what you have learned and what to do next. F5 saves.",
    "cellar": "It is dark down here.",
    "crypt-1": "Nobody will see what you do down here, or come to help.",
}
FIRST = ("begin", "talk", "left", "person", "item")
DARK = {"cellar", "crypt-1"}
TORCH = "Press i and light your torch."


class Hints:
    """Each is given once in a game that is being shown; who goes on with one that was saved knows the first."""

    def __init__(self, *, begun: bool = False) -> None:
        self._given: set[str] = set(FIRST) if begun else set()

    def give(self, occasion: str, view: View, tell: Callable[[Message], None]) -> None:
        """The hint for an occasion, if there is one that was not given yet."""
        if occasion in OCCASIONS and (occasion != "begin" or view.turn == 0):
            torch = f" {TORCH}" if occasion in DARK and not view.hero.light else ""
            self._once(occasion, OCCASIONS[occasion] + torch, tell)

    def saw(self, view: View, tell: Callable[[Message], None]) -> None:
        """Hints that come of what is in view."""
        for one in view.figures:
            steps = max(abs(one.x - view.x), abs(one.y - view.y))
            if one.kind == "person" and steps <= 3:
                self._once("person", f"That is {one.name}. Walk into somebody to talk.", tell)
            elif one.kind == "item" and steps == 0:
                self._once("item", "Something lies here. g picks it up; i shows what you carry.", tell)
            elif one.kind == "monster" and steps <= 6:
                self._once("monster", "Walk into it to strike. Walk away if it goes badly.", tell)

    def _once(self, id: str, text: str, tell: Callable[[Message], None]) -> None:
        if id not in self._given:
            self._given.add(id)
            tell(Message(text, "quest"))
