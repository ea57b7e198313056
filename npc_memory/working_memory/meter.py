"""What text costs. Costs are remembered, so a memory is counted once and not at every reply."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from npc_memory.errors import InvalidPolicy
from npc_memory.prompt import Segment
from npc_memory.working_memory.costs import Costs
from npc_memory.working_memory.policy import Unit

__all__ = ["Counter", "Meter"]

Counter = Callable[[str], int]
"""(str) -> int. It is handed segments: a segment whose ``control`` is true is counted with special tokens."""


class Meter:
    """Counts segments in one unit."""

    def __init__(self, unit: Unit, counter: Counter | None) -> None:
        if unit == "tokens" and counter is None:
            raise InvalidPolicy(
                "a policy in tokens needs a counter", hint="pass counter=engine.count, or use characters"
            )
        if counter is not None and not callable(counter):
            raise InvalidPolicy(f"the counter {counter!r} cannot be called", hint="pass a function (str) -> int")
        self.unit = unit
        self._count: Counter = len if unit == "characters" or counter is None else counter
        self._texts: Costs[str] = Costs()
        self._controls: Costs[str] = Costs()

    def segment(self, segment: Segment) -> int:
        """The cost of one segment."""
        known = self._controls if segment.control else self._texts
        cost = known.get(segment)
        if cost is None:
            cost = known.learn(segment, self.trial(segment), len(segment))
        return cost

    def cost(self, segments: Iterable[Segment]) -> int:
        """The cost of several segments."""
        return sum(map(self.segment, segments))

    def most(self, before: str, text: str, after: str, budget: int) -> int | None:
        """An n such that no shortened form of ``text`` with more than n of its characters, between ``before`` and
        ``after``, can cost ``budget`` or less; None if nothing is known. In tokens only a counter with a method
        ``most`` of the same meaning knows one.
        """
        if self.unit == "characters":
            return max(0, budget)
        known: Callable[[str, str, str, int], int | None] | None = getattr(self._count, "most", None)
        return known(before, text, after, budget) if known is not None else None

    def trial(self, segment: Segment) -> int:
        """The cost of a segment that is only tried and need not be remembered."""
        cost = self._count(segment)
        if type(cost) is not int or cost < 0:
            raise InvalidPolicy(f"the counter returned {cost!r} for a segment", hint="it must return an int from 0")
        return cost
