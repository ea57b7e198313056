"""Whose turn it is, for threads: see ``floor``."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from npc_memory.errors import InvalidInput
from npc_memory.floor import Floor, Place

__all__ = ["Stage"]


class Stage:
    """Where the NPCs of one game speak."""

    def __init__(self) -> None:
        self._floor = Floor()
        self._changed = threading.Condition()
        self._speaking: dict[str, int] = {}

    @contextmanager
    def turn(self, *npcs: str, player: bool = True) -> Iterator[Place]:
        """Wait for the turn with ``npcs``. ``player``: somebody talks to them; else they talk with each other.

        A listener that talks back to an NPC in mid-word is told so (``InvalidInput``): he would wait for himself.
        """
        here = threading.get_ident()
        with self._changed:
            for npc in npcs:
                if self._speaking.get(npc) == here:
                    raise InvalidInput(
                        f"{npc!r} is still speaking to this thread", hint="talk to her when the call has returned"
                    )
            place = self._floor.ask(npcs, player=player)
            try:
                while not self._floor.begin(place):
                    self._changed.wait()
            except BaseException:
                self._left(place)
                raise
            self._speaking.update(dict.fromkeys(npcs, here))
        try:
            yield place
        finally:
            with self._changed:
                for npc in npcs:
                    del self._speaking[npc]
                self._left(place)

    def _left(self, place: Place) -> None:
        self._floor.leave(place)
        self._changed.notify_all()
