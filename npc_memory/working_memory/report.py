"""What a working memory cost, kept, dropped and shortened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = ["BudgetReport", "Dropped", "Reason", "Section"]

Section = Literal["dialogue", "episodes", "beliefs", "agenda", "examples"]
Reason = Literal["budget", "cap", "duplicate"]


class Dropped(NamedTuple):
    """An offered item that is not in the prompt. ``cost`` is what it would have added, in the policy's unit."""

    id: str
    section: Section
    reason: Reason
    cost: int


@dataclass(frozen=True, slots=True)
class BudgetReport:
    """The budget of one working memory, in the policy's ``unit``.

    ``total`` = Σ counter(segment) ≤ ``limit``; ``mandatory`` is the part that could not be dropped, the player's line
    included. ``kept``: ids of rules, facts, state keys and optional items that are in the prompt. ``shortened``: ids of
    turns, and "player_line". ``sections``: cost by section as shown.
    """

    limit: int
    total: int
    mandatory: int
    kept: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    shortened: tuple[str, ...]
    unit: str
    sections: tuple[tuple[str, int], ...]

    @property
    def truncated(self) -> bool:
        """Something was dropped for ``budget``, or shortened; caps and duplicates are no loss."""
        return bool(self.shortened) or any(one.reason == "budget" for one in self.dropped)
