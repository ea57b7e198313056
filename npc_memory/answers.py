"""A reply as the game gets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from npc_memory.errors import Superseded
from npc_memory.hearing import Line

__all__ = ["Answer", "superseded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply as the game gets it. ``dropped``: items left out of the prompt for the budget; ``audit``: id of its
    record. ``fallback``: an authored line. ``interrupted``: cancelled, ``say`` is what had been released.
    """

    npc: str
    player: str
    say: str
    mood: str
    action: dict[str, Any] | None
    turn: str
    kind: str
    fallback: bool
    interrupted: bool
    dropped: int
    audit: str
    reason: str


def superseded(line: Line, say: str = "") -> Answer:
    """What becomes of a reply when a save is loaded meanwhile: nothing but what was released already."""
    return Answer(
        npc=line.npc,
        player=line.player,
        say=say,
        mood="",
        action=None,
        turn="",
        kind="talk",
        fallback=False,
        interrupted=True,
        dropped=0,
        audit="",
        reason=Superseded.code,
    )
