"""What is true and known to an NPC, and a sentence that denies it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["Claim", "Contradiction", "RuleName"]

RuleName = Literal["pattern", "negation", "antonym", "name", "number"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that is true and that this NPC knows.

    ``id`` is "fact:king-dead" or "state:north_bridge". ``text`` is how the prompt words it: English sentences, or
    "key: value" as a state entry has it that the pack does not word. ``spoken`` is what she says when she must state
    it. ``patterns`` match what contradicts it, written by the pack's author. ``secret``: she may keep it to herself,
    but she may not deny it either.
    """

    id: str
    text: str
    spoken: str = ""
    patterns: tuple[re.Pattern[str], ...] = ()
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Contradiction:
    """``sentence`` denies ``claim``; ``rule`` found it, and ``matched`` are the words that gave it away."""

    claim: Claim
    rule: RuleName
    sentence: str
    matched: str
