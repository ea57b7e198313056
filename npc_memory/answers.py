"""A reply as the game gets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from npc_memory.errors import Superseded
from npc_memory.hearing import Line
from npc_memory.remembering import Remembered
from npc_memory.speaking import Spoken
from npc_memory.working_memory import BudgetReport

__all__ = ["Answer", "action_id", "answer_of", "superseded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply as the game gets it. ``dropped``: items left out of the prompt for the budget; ``audit``: id of its
    record. ``action``: what she wants to do, {"id": of this one wish, for ``Mind.result``; "name": the action's id in
    the world pack; "args"}. ``kind``: "talk", or "converse" for a line from one NPC to another. ``fallback``: an
    authored line. ``interrupted``: cancelled, ``say`` is what had been released.
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


def action_id(turn: str, roll: int) -> str:
    """The id of what was wanted in ``turn`` when it was rolled for the ``roll``-th time again."""
    return f"{turn}/{roll}"


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


def answer_of(asked: Line, report: BudgetReport | None, spoken: Spoken, kept: Remembered) -> Answer:
    """A reply to ``asked`` as the game gets it."""
    wanted = spoken.action if kept.turn else None
    return Answer(
        npc=asked.npc,
        player=asked.player,
        say=spoken.say,
        mood=spoken.mood,
        action=wanted and {"id": action_id(kept.turn, kept.roll), "name": wanted["id"], "args": wanted["args"]},
        turn=kept.turn,
        kind="talk",
        fallback=spoken.mark == "fallback",
        interrupted=spoken.mark == "interrupted",
        dropped=sum(1 for one in report.dropped if one.reason == "budget") if report else 0,
        audit=kept.audit,
        reason=spoken.reason,
    )
