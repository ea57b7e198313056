"""One thing an NPC has to say by the book."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Answer"]


@dataclass(frozen=True)
class Answer:
    """What ``npc`` says about ``topic`` once all of this holds: she trusts the hero at least this far (``trust``); he
    ``knows`` these clues; he has shown, given or carries these things (``holds``); these ``flags`` are up and those of
    ``unless`` are not; it is chapter ``chapter``. The first that holds is said. ``learns``: clues it gives. ``sets``:
    flags it raises. ``does``: an action of the pack she takes at once. ``promise``: what the hero takes upon himself.
    """

    npc: str
    topic: str
    say: str
    mood: str = "calm"
    trust: int = -99
    knows: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    chapter: tuple[int, ...] = (1, 2, 3)
    learns: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    does: str = ""
    alone: str = ""
    promise: str = ""
    id: str = field(default="")
