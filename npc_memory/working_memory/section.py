"""One optional section competing for the budget: what it holds, what it took, where it stopped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

__all__ = ["SectionBudget"]

T = TypeVar("T")


class SectionBudget(Generic[T]):
    """Takes items in order of rank. ``heading`` is charged with the first item taken. Nothing taken is given back."""

    def __init__(self, heading: int, items: Sequence[T], costs: Sequence[int]) -> None:
        self.heading = heading
        self.items, self.costs = items, costs
        self.kept: list[int] = []
        self.spent = 0
        self._at = 0

    @property
    def everything(self) -> int:
        """What all items with their heading cost."""
        return sum(self.costs) + self.heading if self.items else 0

    @property
    def next_heading(self) -> int:
        """What the heading would add to the next item taken."""
        return 0 if self.kept else self.heading

    def price(self, index: int) -> int:
        """What item ``index`` would add now."""
        return self.costs[index] + self.next_heading

    def take(self, index: int) -> int:
        """Take item ``index``; return what it added."""
        price = self.price(index)
        self.kept.append(index)
        self.spent += price
        return price

    def take_everything(self) -> None:
        """Take all items; the caller knows that they fit."""
        while self._at < len(self.items):
            self.take(self._at)
            self._at += 1

    def take_until(self, budget: int, *, skip: bool = False) -> int:
        """Go on in order from where the section stopped, spending at most ``budget``; return what is left of it.

        Without ``skip`` the section stops at the first item that does not fit; with it, that one is passed over and
        those behind it still may fit.
        """
        while self._at < len(self.items):
            if self.price(self._at) <= budget:
                budget -= self.take(self._at)
            elif not skip:
                break
            self._at += 1
        return budget

    def left_out(self) -> list[int]:
        """Indices of the items not taken, in order of rank."""
        kept = set(self.kept)
        return [index for index in range(len(self.items)) if index not in kept]

    def kept_items(self) -> list[T]:
        """The items taken, in order of rank."""
        return [self.items[index] for index in self.kept]
