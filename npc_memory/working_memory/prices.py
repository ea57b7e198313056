"""What optional items add to the prompt, remembered by text so that a thousand offered memories cost a millisecond."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.memory import AgendaItem, Belief, Episode, Example, Turn
from npc_memory.prompt import Page
from npc_memory.working_memory.costs import Costs
from npc_memory.working_memory.meter import Meter

__all__ = ["Prices"]


class Prices:
    """Prices of one builder's items. A price depends on the item's text, its age and the template, never on what else
    is shown; ``page`` must always be one of the same template.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._episodes: Costs[str] = Costs()
        self._ages: Costs[int] = Costs()
        self._beliefs: Costs[tuple[str, float, float]] = Costs()
        self._tellers: Costs[str] = Costs()

    def heading(self, page: Page, section: str) -> int:
        """Price of a section's heading."""
        return self._meter.cost(page.heading(section))

    def agenda(self, page: Page, items: Sequence[AgendaItem]) -> list[int]:
        """Prices of agenda items."""
        return [self._meter.cost(page.agenda_item(item)) for item in items]

    def examples(self, page: Page, items: Sequence[Example]) -> list[int]:
        """Prices of example exchanges."""
        return [self._meter.cost(page.example(item)) for item in items]

    def exchange(self, page: Page, turns: Sequence[Turn]) -> int:
        """Price of one exchange."""
        return self._meter.cost(page.exchange(turns))

    def exchanges(self, page: Page, items: Sequence[Sequence[Turn]]) -> list[int]:
        """Prices of exchanges."""
        return [self.exchange(page, turns) for turns in items]

    def episodes(self, page: Page, items: Sequence[Episode]) -> list[int]:
        """Prices of episodes, age included."""
        now, texts, ages = page.snapshot.game_time, self._episodes, self._ages
        costs = []
        for one in items:
            text, age = texts.get(one.text), ages.get(now - one.game_time)
            if text is None or age is None:
                text, age = self._learn(page, one)
            costs.append(text + age)
        return costs

    def _learn(self, page: Page, episode: Episode) -> tuple[int, int]:
        *age, text = map(self._meter.segment, page.episode(episode))
        self._episodes.learn(episode.text, text, len(episode.text))
        return text, self._ages.learn(page.snapshot.game_time - episode.game_time, sum(age), 0)

    def beliefs(self, page: Page, items: Sequence[Belief]) -> list[int]:
        """Prices of beliefs, what is said of their certainty and origin included."""
        known = self._beliefs
        costs = []
        for one in items:
            key = (one.text, one.confidence, one.sentiment)
            cost = known.get(key)
            told = page.attribution(one) if one.teller else ""
            origin = self._tellers.get(told) if told else 0
            if cost is None or origin is None:
                *above, text = map(self._meter.segment, page.belief(one))
                cost = known.learn(key, text, len(one.text))
                origin = self._tellers.learn(told, sum(above), len(told)) if told else 0
            costs.append(cost + origin)
        return costs
