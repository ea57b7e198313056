"""What everybody has to say by the book: short, in their own voice, and enough to win with."""

from __future__ import annotations

from dataclasses import replace

from roguelike.plot.answer import Answer
from roguelike.plot.answers.inn import INN
from roguelike.plot.answers.market import MARKET
from roguelike.plot.answers.temple import TEMPLE
from roguelike.plot.answers.watch import WATCH

__all__ = ["ANSWERS"]

ANSWERS: dict[str, tuple[Answer, ...]] = {}
"""By NPC, in the order in which they are tried."""

for _answer in (*INN, *MARKET, *TEMPLE, *WATCH):
    _before = ANSWERS.get(_answer.npc, ())
    ANSWERS[_answer.npc] = (*_before, replace(_answer, id=f"{_answer.npc}/{_answer.topic}/{len(_before)}"))
