"""The builder: (snapshot, policy, counter, template) → the same bytes, always (promise P3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

from npc_memory.errors import InvalidInput, MandatoryOverflow
from npc_memory.memory import Snapshot
from npc_memory.prompt import DEFAULT_TEMPLATE, Page, PromptTemplate
from npc_memory.prompt.page import Segments
from npc_memory.working_memory.candidates import Exchange, candidates
from npc_memory.working_memory.memory import Contents, WorkingMemory
from npc_memory.working_memory.meter import Counter, Meter
from npc_memory.working_memory.policy import BudgetPolicy
from npc_memory.working_memory.prices import Prices
from npc_memory.working_memory.report import BudgetReport, Dropped, Reason, Section
from npc_memory.working_memory.section import SectionBudget
from npc_memory.working_memory.selection import Selection, in_time_order, mandatory_costs

__all__ = ["WorkingMemoryBuilder"]


class WorkingMemoryBuilder:
    """Builds working memories under one policy.

    ``counter``: (str) -> int, the model's own token count; needed when the policy's unit is tokens. It is handed
    ``Segment``s and must be a pure function. ``template``: how the prompt is worded, ``DEFAULT_TEMPLATE`` if None.
    A builder only remembers what texts cost; memories it has built are independent of it.
    """

    def __init__(
        self, policy: BudgetPolicy, counter: Counter | None = None, template: PromptTemplate | None = None
    ) -> None:
        if not isinstance(policy, BudgetPolicy):
            raise InvalidInput(f"policy must be a BudgetPolicy, not {type(policy).__name__}")
        self.policy = policy
        self.template = DEFAULT_TEMPLATE if template is None else template
        self._counter = counter
        self._meter = Meter(policy.unit, counter)
        self._prices = Prices(self._meter)

    def forget(self) -> None:
        """Drop the remembered costs, and with them the texts they are known by."""
        self._meter = Meter(self.policy.unit, self._counter)
        self._prices = Prices(self._meter)

    def mandatory(self, snapshot: Snapshot) -> dict[str, int]:
        """Cost of each mandatory part but the player's line; their sum is what ``check`` judges."""
        return mandatory_costs(Page(self.template, snapshot), self._meter)

    def check(self, snapshot: Snapshot, spare: int = 0) -> None:
        """Raise ``MandatoryOverflow`` if ``build`` would, whatever the player may say.

        ``spare``: what must be left besides, for parts that may still grow (a longer date, another name).
        """
        parts = self.mandatory(snapshot)
        if self.policy.limit - sum(parts.values()) < self.policy.floor + spare:
            raise MandatoryOverflow(self.policy.limit, parts, unit=self.policy.unit, who=snapshot.npc)

    def build(self, snapshot: Snapshot) -> WorkingMemory:
        """Build the working memory of one reply. Raises ``MandatoryOverflow``; never cuts facts or state."""
        page = Page(self.template, snapshot)
        chosen = Selection(page, self.policy, self._meter, self._prices, candidates(snapshot, self.policy)).run()
        return WorkingMemory(self._contents(page, chosen))

    def _contents(self, page: Page, chosen: Selection) -> Contents:
        shot = page.snapshot
        episodes = in_time_order(chosen.episodes.kept_items())
        beliefs = in_time_order(chosen.beliefs.kept_items())
        agenda, examples = tuple(chosen.agenda.kept_items()), tuple(chosen.examples.kept_items())
        shown = chosen.shown_exchanges()
        segments = page.assemble(
            chosen.line, examples=examples, exchanges=shown, agenda=agenda, episodes=episodes, beliefs=beliefs
        )
        rules, dialogue = tuple(shot.rules), tuple(turn for exchange in shown for turn in exchange)
        facts = tuple(sorted(shot.canonical_facts, key=lambda fact: fact.id))
        state = tuple(sorted(shot.world_state, key=lambda entry: entry.key))
        optional: tuple[Iterable[Any], ...] = (rules, facts, agenda, examples, dialogue, episodes, beliefs)
        kept = [item.id for items in optional for item in items]
        kept[len(rules) + len(facts) : len(rules) + len(facts)] = [entry.key for entry in state]
        return Contents(
            rules=rules,
            canonical_facts=facts,
            world_state=state,
            agenda=agenda,
            examples=examples,
            dialogue=dialogue,
            episodes=episodes,
            beliefs=beliefs,
            player_line=chosen.line_text,
            segments=segments,
            report=self._report(page, chosen, segments, kept),
        )

    def _report(self, page: Page, chosen: Selection, segments: Segments, kept: list[str]) -> BudgetReport:
        sections: dict[str, int] = {}
        for segment in segments:
            sections[segment.section] = sections.get(segment.section, 0) + self._meter.segment(segment)
        return BudgetReport(
            limit=self.policy.limit,
            total=sum(sections.values()),
            mandatory=chosen.mandatory,
            kept=tuple(kept),
            dropped=tuple(self._dropped(page, chosen)),
            shortened=tuple(chosen.shortened),
            unit=self.policy.unit,
            sections=tuple(sections.items()),
        )

    def _dropped(self, page: Page, chosen: Selection) -> Iterator[Dropped]:
        offered, prices = chosen.offered, self._prices
        dialogue, episodes, beliefs = chosen.dialogue, chosen.episodes, chosen.beliefs
        for index in dialogue.left_out():
            yield from self._turns(page, dialogue.items[index], "budget", dialogue.next_heading)
        for exchange in offered.capped_exchanges:
            yield from self._turns(page, exchange, "cap", dialogue.next_heading)
        yield from _left(episodes, "episodes")
        capped, twice, extra = offered.capped_episodes, offered.duplicates, offered.capped_beliefs
        yield from _out(capped, "episodes", "cap", prices.episodes(page, capped), episodes.next_heading)
        yield from _out(twice, "episodes", "duplicate", prices.episodes(page, twice), episodes.next_heading)
        yield from _left(beliefs, "beliefs")
        yield from _out(extra, "beliefs", "cap", prices.beliefs(page, extra), beliefs.next_heading)
        yield from _left(chosen.agenda, "agenda")
        yield from _left(chosen.examples, "examples")
        if offered.exchanges:
            examples = page.snapshot.examples
            heading = prices.heading(page, "examples")
            yield from _out(examples, "examples", "cap", prices.examples(page, examples), heading)

    def _turns(self, page: Page, exchange: Exchange, reason: Reason, heading: int) -> Iterator[Dropped]:
        before = -heading
        for n, turn in enumerate(exchange, start=1):
            cost = self._prices.exchange(page, exchange[:n])
            yield Dropped(turn.id, "dialogue", reason, cost - before)
            before = cost


def _left(budget: SectionBudget[Any], section: Section) -> Iterator[Dropped]:
    for index in budget.left_out():
        yield Dropped(budget.items[index].id, section, "budget", budget.price(index))


def _out(items: Iterable[Any], section: Section, reason: Reason, costs: list[int], heading: int) -> list[Dropped]:
    if heading:
        costs = [cost + heading for cost in costs]
    return list(map(Dropped._make, zip([item.id for item in items], repeat(section), repeat(reason), costs)))
