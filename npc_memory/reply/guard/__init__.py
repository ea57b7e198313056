"""The canon guard: no sentence is released that contradicts what this NPC knows to be true."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Claim", "Contradiction", "Guard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that is true and that this NPC knows."""

    id: str
    text: str
    spoken: str = ""
    patterns: tuple[re.Pattern[str], ...] = field(default=())
    secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A sentence and what it contradicts."""

    claim: Claim
    rule: Literal["pattern", "negation", "antonym", "name", "number"]
    sentence: str
    matched: str


class Guard:
    """Holds sentences against claims."""

    def __init__(self, claims: Sequence[Claim], *, names: Mapping[str, str] | None = None, own_name: str = "") -> None:
        self._claims = tuple(claims)

    def check(self, sentence: str, *, before: str = "", question: str = "") -> Contradiction | None:
        """The first contradiction in ``sentence``."""
        for claim in self._claims:
            for pattern in claim.patterns:
                if found := pattern.search(sentence):
                    return Contradiction(claim=claim, rule="pattern", sentence=sentence, matched=found[0])
        return None
