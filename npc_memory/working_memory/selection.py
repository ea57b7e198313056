"""Sharing out the budget: which optional items are in (sentences 0 to 5 of the design).

The way: mandatory parts are measured; if everything fits, everything is in. Otherwise the player's line is held to a
quarter, the agenda to 15 %, and dialogue, episodes and beliefs share the rest in two passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from npc_memory.errors import MandatoryOverflow
from npc_memory.memory import AgendaItem, Belief, Episode, Example
from npc_memory.prompt import Page
from npc_memory.prompt.page import Segments
from npc_memory.working_memory.candidates import Candidates, Exchange
from npc_memory.working_memory.meter import Meter
from npc_memory.working_memory.policy import BudgetPolicy, percentage
from npc_memory.working_memory.prices import Prices
from npc_memory.working_memory.section import SectionBudget
from npc_memory.working_memory.shorten import fit_line, shorten_exchange

__all__ = ["Selection", "mandatory_costs"]

AGENDA_SHARE = 0.15
EXAMPLES_SHARE = 0.10

T = TypeVar("T")
TimedT = TypeVar("TimedT", Episode, Belief)


def mandatory_costs(page: Page, meter: Meter) -> dict[str, int]:
    """Cost of each mandatory part, the player's line aside."""
    return {name: meter.cost(segments) for name, segments in page.mandatory().items()}


@dataclass(slots=True)
class Selection:
    """One run of the sharing-out. ``run`` fills the fields below it; nothing else changes them."""

    page: Page
    policy: BudgetPolicy
    meter: Meter
    prices: Prices
    offered: Candidates
    line: Segments = ()
    line_text: str = ""
    mandatory: int = 0
    agenda: SectionBudget[AgendaItem] = field(init=False)
    examples: SectionBudget[Example] = field(init=False)
    dialogue: SectionBudget[Exchange] = field(init=False)
    episodes: SectionBudget[Episode] = field(init=False)
    beliefs: SectionBudget[Belief] = field(init=False)
    replaced: Exchange | None = None
    shortened: list[str] = field(default_factory=list)

    def run(self) -> Selection:
        """Decide. Raises ``MandatoryOverflow`` when the mandatory parts leave less than the policy's floor."""
        page, offered = self.page, self.offered
        parts = mandatory_costs(page, self.meter)
        required = sum(parts.values())
        rest = self.policy.limit - required
        if rest < self.policy.floor:
            raise MandatoryOverflow(self.policy.limit, parts, unit=self.policy.unit, who=page.snapshot.npc)
        prices = self.prices
        self.agenda = self._section("agenda", offered.agenda, prices.agenda)
        # Examples show how she talks only while there is no dialogue to show it.
        examples = () if offered.exchanges else page.snapshot.examples
        self.examples = self._section("examples", examples, prices.examples)
        self.dialogue = self._section("dialogue", offered.exchanges, prices.exchanges)
        self.episodes = self._section("episodes", offered.episodes, prices.episodes)
        self.beliefs = self._section("beliefs", offered.beliefs, prices.beliefs)
        self._set_line(page.snapshot.player_line)
        room = rest - self.meter.cost(self.line)
        if self._everything() <= room:
            self._take_everything(room)
        else:
            self._share_out(rest)
        self.mandatory = required + self.meter.cost(self.line)
        return self

    def _section(
        self, name: str, items: Sequence[T], price: Callable[[Page, Sequence[T]], list[int]]
    ) -> SectionBudget[T]:
        return SectionBudget(self.prices.heading(self.page, name), items, price(self.page, items))

    def _competing(self) -> tuple[SectionBudget[Any], ...]:
        return self.dialogue, self.episodes, self.beliefs

    def _everything(self) -> int:
        return self.agenda.everything + sum(section.everything for section in self._competing())

    def _set_line(self, text: str) -> None:
        self.line_text, self.line = text, self.page.player_line(text)

    def _take_everything(self, room: int) -> None:
        self.agenda.take_everything()
        for section in self._competing():
            section.take_everything()
        left = room - self._everything()
        if self.examples.everything <= left:
            self.examples.take_everything()
        else:
            self.examples.take_until(min(left, percentage(room, EXAMPLES_SHARE)))

    def _share_out(self, rest: int) -> None:
        self._fit_line(rest)
        free = rest - self.meter.cost(self.line)
        self.agenda.take_until(percentage(free, AGENDA_SHARE), skip=True)
        pool = 0
        for section, share in zip(self._competing(), self.policy.split(free - self.agenda.spent), strict=True):
            pool += section.take_until(share)
        pool = self.dialogue.take_until(pool)
        if self.dialogue.items and not self.dialogue.kept:
            pool -= self._shorten_exchange(pool)
        pool = self.episodes.take_until(pool, skip=True)
        self.beliefs.take_until(pool, skip=True)

    # -- shortening --------------------------------------------------------------------------------------------------

    def _fit_line(self, rest: int) -> None:
        fitted = fit_line(self.page, self.meter, rest)
        if fitted is None:
            parts = {**mandatory_costs(self.page, self.meter), "player_line": self.meter.cost(self.line)}
            raise MandatoryOverflow(self.policy.limit, parts, unit=self.policy.unit, who=self.page.snapshot.npc)
        self.line_text, self.line = fitted
        if self.line_text != self.page.snapshot.player_line:
            self.shortened.append("player_line")

    def _shorten_exchange(self, pool: int) -> int:
        exchange = self.dialogue.items[0]
        shorter = shorten_exchange(self.page, self.meter, exchange, pool - self.dialogue.heading)
        if shorter is None:
            return 0
        self.replaced = shorter
        self.shortened += [new.id for new, old in zip(shorter, exchange, strict=True) if new.text != old.text]
        self.dialogue.costs = [self.prices.exchange(self.page, shorter), *self.dialogue.costs[1:]]
        return self.dialogue.take(0)

    # -- what was decided --------------------------------------------------------------------------------------------

    def shown_exchanges(self) -> list[Exchange]:
        """Kept exchanges, oldest first."""
        kept = self.dialogue.kept_items()
        if self.replaced is not None:
            kept = [self.replaced]
        return list(reversed(kept))


def in_time_order(items: Iterable[TimedT]) -> tuple[TimedT, ...]:
    """Oldest first; the same minute by id."""
    return tuple(sorted(items, key=lambda item: (item.game_time, item.id)))
