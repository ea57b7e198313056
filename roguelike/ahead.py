"""Whom the hero will talk to next: for her the engine reads ahead, while he still walks, reads or types."""

from __future__ import annotations

from roguelike.link import Link
from roguelike.view import View

__all__ = ["Ahead", "within"]

NEAR = 2
"""Steps at which a hero walks up to somebody. Further away he might mean any of those in a full room."""

FAR = 9
"""Steps at which the nearest is read for when a game begins or a night is over and nobody is near. Not at every step:
who walks through a crowd would have the engine read for all of it, and be through with nobody's.
"""

LONG = 60
"""Minutes in one step (a night slept) after which everybody's prompt begins otherwise than before."""


class Ahead:
    """Sends ``warm`` over ``link``; a hint each, which costs nothing when it was wrong but the engine's idle time."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._near: frozenset[str] = frozenset()
        self._partner, self._begun = "", False
        self._minute: int | None = None

    def looked(self, view: View) -> None:
        """The hero has done something, and this is what he sees."""
        if self._minute is not None and view.game_time - self._minute >= LONG:
            self._near, self._begun = frozenset(), False
            if self._partner and not within(view, FAR):
                self._link.warm(self._partner, view.hero.id)
        self._minute = view.game_time
        near = within(view, NEAR)
        if near and not self._near.intersection(near[:1]):
            self._link.warm(near[0], view.hero.id)
        elif not near and not self._begun and (far := within(view, FAR)):
            self._link.warm(far[0], view.hero.id)
        self._begun = True
        self._near = frozenset(npc for npc in near if npc in self._near or npc == near[0])

    def met(self, npc: str, view: View) -> None:
        """The hero has turned to ``npc``, or she has answered him: now he reads and types."""
        self._partner = npc
        self._link.warm(npc, view.hero.id)


def within(view: View, steps: int) -> list[str]:
    """The people in view within so many steps, nearest first."""
    found = sorted(
        (max(abs(one.x - view.x), abs(one.y - view.y)), one.id) for one in view.figures if one.kind == "person"
    )
    return [id for apart, id in found if apart <= steps]
