"""The algorithm of DESIGN's "Working memory", restated slowly and obviously.

Costs are not computed but measured: what a set of items adds is found by building a snapshot with just that set under
a limit that never binds. Where the contract allows more than one reading, ``predictions`` yields one prediction per
reading; where it says nothing (several turns of one exchange shortened at once), it yields nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from wm_kit import Counter, bare, rest, shorten, total

from npc_memory import Belief, BudgetPolicy, Episode, Snapshot, Turn
from npc_memory.errors import MandatoryOverflow
from npc_memory.prompt import PromptTemplate

SMALLEST_ROOM = {"characters": 64, "tokens": 16}

Exchange = tuple[Turn, ...]
Drop = tuple[str, str, str]
Sections = dict[str, tuple[Any, ...]]

AGENDA = ("pinned", "tasks", "notes")


class Unspecified(Exception):
    """The contract does not say what happens here."""


@dataclass(frozen=True)
class Prediction:
    """What must come out: ``shown`` offers exactly what the prompt must hold, already shortened."""

    shown: Snapshot
    dropped: tuple[Drop, ...]
    shortened: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """One way to read what the contract leaves open."""

    agenda_skips: bool  # an agenda item that does not fit is skipped (else: the list ends there)
    examples_skip: bool  # the same for examples
    longest_start: int  # shortening begins at n = len(text) - longest_start


READINGS = tuple(
    Reading(agenda_skips, examples_skip, start)
    for agenda_skips in (False, True)
    for examples_skip in (False, True)
    for start in (1, 4)
)


def split_exchanges(dialogue: Sequence[Turn], npc: str) -> list[Exchange]:
    """Sentence 4: an exchange starts at each turn not spoken by the NPC; a leading NPC turn is one of its own."""
    found: list[list[Turn]] = []
    for turn in dialogue:
        if turn.speaker != npc or not found:
            found.append([turn])
        elif found[-1][0].speaker == npc:
            raise Unspecified("two NPC turns lead")
        else:
            found[-1].append(turn)
    return [tuple(exchange) for exchange in found]


def by_rank(items: Sequence[Any]) -> list[Any]:
    """Sentences 5 and 6: best first, ties by id; scores quantised to 1e-6."""
    return sorted(items, key=lambda item: (-round(item.score * 1_000_000), item.id))


def part(share: float, of: int) -> int:
    """The floor of a share, without binary fractions."""
    return int(Fraction(str(share)) * of)


def predictions(
    snapshot: Snapshot, policy: BudgetPolicy, counter: Counter | None, template: PromptTemplate | None = None
) -> Iterator[Prediction]:
    """One prediction per reading of the contract. Raises ``MandatoryOverflow`` when that is the right outcome."""
    costs: dict[Any, int] = {}
    for reading in READINGS:
        yield Oracle(snapshot, policy, counter, template, reading, costs).predict()


class Oracle:
    """One snapshot, one policy, one counter, one reading."""

    def __init__(
        self,
        snapshot: Snapshot,
        policy: BudgetPolicy,
        counter: Counter | None,
        template: PromptTemplate | None,
        reading: Reading,
        costs: dict[Any, int],
    ) -> None:
        self.snapshot, self.policy, self.reading = snapshot, policy, reading
        self.counter, self.template = counter, template
        self.dropped: list[Drop] = []
        self.shortened: list[str] = []
        self._costs = costs

    # --- measuring

    def total(self, line: str | None = None, **sections: Any) -> int:
        """Cost of the mandatory parts (with another ``line``) and these optional sections."""
        line = self.snapshot.player_line if line is None else line
        key = (line, *sorted((name, items) for name, items in sections.items() if items))
        if key not in self._costs:
            offered = replace(bare(self.snapshot, **sections), player_line=line)
            self._costs[key] = total(offered, self.counter, self.template)
        return self._costs[key]

    def cost(self, **sections: Any) -> int:
        """What these sections add, headings included."""
        return self.total(**sections) - self.total()

    # --- the sentences

    def predict(self) -> Prediction:
        snapshot, limit = self.snapshot, self.policy.limit
        self.exchanges, self.episodes, self.beliefs = self.candidates()
        examples = snapshot.examples
        if snapshot.dialogue:
            self.drop(examples, "examples", "cap")
            examples = ()
        agenda = {name: getattr(snapshot, name) for name in AGENDA}
        everything = agenda | self.offer(self.exchanges, self.episodes, self.beliefs)
        mandatory_rest = rest(snapshot, self.counter, self.template)
        if limit - mandatory_rest < SMALLEST_ROOM[self.policy.unit]:
            raise MandatoryOverflow(limit, {"rest": mandatory_rest})
        if self.total(**everything, examples=examples) <= limit:
            return self.result(everything | {"examples": examples})
        if self.total(**everything) <= limit:
            return self.result(everything | {"examples": self.take_examples(everything, examples)})
        self.drop(examples, "examples", "budget")
        self.fit_line(mandatory_rest)
        free = limit - self.total()
        agenda = self.take_agenda(part(0.15, free))
        remaining = free - self.cost(**agenda)
        return self.result(self.share_out(remaining, agenda))

    def candidates(self) -> tuple[list[Exchange], list[Episode], list[Belief]]:
        """Sentence 0. Exchanges come back newest first, the others best first."""
        exchanges = split_exchanges(self.snapshot.dialogue, self.snapshot.npc)[::-1]
        cut = self.policy.max_exchanges
        exchanges, old = (exchanges, []) if cut is None else (exchanges[:cut], exchanges[cut:])
        for exchange in old:
            self.drop(exchange, "dialogue", "cap")
        offered_turns = {turn.id for exchange in exchanges for turn in exchange}
        new = [e for e in self.snapshot.episodes if not e.turns or not set(e.turns) <= offered_turns]
        self.drop([e for e in self.snapshot.episodes if e not in new], "episodes", "duplicate")
        episodes = self.capped(by_rank(new), self.policy.max_episodes, "episodes")
        beliefs = self.capped(by_rank(self.snapshot.beliefs), self.policy.max_beliefs, "beliefs")
        return exchanges, episodes, beliefs

    def capped(self, items: list[Any], cap: int | None, section: str) -> list[Any]:
        if cap is None:
            return items
        self.drop(items[cap:], section, "cap")
        return items[:cap]

    def offer(self, exchanges: Sequence[Exchange], episodes: Sequence[Any], beliefs: Sequence[Any]) -> Sections:
        return {
            "dialogue": tuple(turn for exchange in reversed(exchanges) for turn in exchange),
            "episodes": tuple(episodes),
            "beliefs": tuple(beliefs),
        }

    def fit_line(self, mandatory_rest: int) -> None:
        """Sentence 1: at most a quarter of what the rest leaves."""
        room = part(0.25, self.policy.limit - mandatory_rest)
        line = self.snapshot.player_line

        def fits(text: str) -> bool:
            return self.total(text) - mandatory_rest <= room

        if not fits(line):
            self.snapshot = replace(self.snapshot, player_line=self.longest(line, fits))
            self.shortened.append("player_line")

    def longest(self, text: str, fits: Any) -> str:
        """Sentence 7."""
        if len(text) > 4000:
            raise Unspecified("how a line is cut to 4,000 characters")
        for n in range(len(text) - self.reading.longest_start, 0, -1):
            if fits(shorten(text, n)):
                return shorten(text, n)
        raise Unspecified("not even one character fits")

    def take_agenda(self, room: int) -> Sections:
        """Sentence 2."""
        taken: Sections = dict.fromkeys(AGENDA, ())
        full = False
        for name in AGENDA:
            for item in by_rank(getattr(self.snapshot, name)):
                more = taken | {name: (*taken[name], item)}
                if not full and self.cost(**more) <= room:
                    taken = more
                else:
                    full = full or not self.reading.agenda_skips
                    self.drop([item], "agenda", "budget")
        return taken

    def take_examples(self, everything: Sections, examples: Sequence[Any]) -> tuple[Any, ...]:
        """Sentence 2: a tenth of what is free, once all else is in."""
        used = self.total(**everything)
        room = min(part(0.10, self.policy.limit - self.total()), self.policy.limit - used)
        taken: tuple[Any, ...] = ()
        full = False
        for example in sorted(examples, key=lambda e: e.id):
            if not full and self.total(**everything, examples=(*taken, example)) - used <= room:
                taken = (*taken, example)
            else:
                full = full or not self.reading.examples_skip
                self.drop([example], "examples", "budget")
        return taken

    def share_out(self, remaining: int, agenda: Sections) -> Sections:
        """Sentences 3 to 5."""
        for_dialogue = part(self.policy.shares[0], remaining)
        for_episodes = part(self.policy.shares[1], remaining)
        for_beliefs = remaining - for_dialogue - for_episodes
        talk = self.first_pass("dialogue", self.exchanges, for_dialogue)
        lived = self.first_pass("episodes", self.episodes, for_episodes)
        held = self.first_pass("beliefs", self.beliefs, for_beliefs)

        def room() -> int:
            return remaining - sum(
                self.section_cost(*one) for one in (("dialogue", talk), ("episodes", lived), ("beliefs", held))
            )

        for exchange in self.exchanges[len(talk) :]:
            if self.section_cost("dialogue", [*talk, exchange]) - self.section_cost("dialogue", talk) > room():
                break
            talk = [*talk, exchange]
        if not talk and self.exchanges:
            talk = self.squeeze(self.exchanges[0], room())
        for exchange in self.exchanges[len(talk) :]:
            self.drop(exchange, "dialogue", "budget")
        lived = self.second_pass("episodes", lived, self.episodes[len(lived) :], room)
        lived_cost = self.section_cost("episodes", lived)
        spent = self.section_cost("dialogue", talk) + lived_cost
        held = self.second_pass(
            "beliefs",
            held,
            self.beliefs[len(held) :],
            lambda: remaining - spent - self.section_cost("beliefs", held),
        )
        return agenda | self.offer(talk, lived, held)

    def section_cost(self, section: str, items: Sequence[Any]) -> int:
        if section == "dialogue":
            items = [turn for exchange in reversed(items) for turn in exchange]
        return self.cost(**{section: tuple(items)})

    def first_pass(self, section: str, candidates: Sequence[Any], share: int) -> list[Any]:
        taken: list[Any] = []
        for item in candidates:
            if self.section_cost(section, [*taken, item]) > share:
                break
            taken.append(item)
        return taken

    def second_pass(self, section: str, taken: list[Any], behind: Sequence[Any], room: Any) -> list[Any]:
        left = room()
        for item in behind:
            price = self.section_cost(section, [*taken, item]) - self.section_cost(section, taken)
            if price <= left:
                taken = [*taken, item]
                left -= price
            else:
                self.drop([item], section, "budget")
        return taken

    def squeeze(self, exchange: Exchange, room: int) -> list[Exchange]:
        """Sentence 4: the newest exchange, its longest turn shortened into share and pool."""
        sizes = sorted((len(turn.text) for turn in exchange), reverse=True)
        if len(sizes) > 1 and sizes[0] == sizes[1]:
            raise Unspecified("two longest turns")
        at = max(range(len(exchange)), key=lambda i: len(exchange[i].text))

        def with_text(text: str) -> Exchange:
            return (*exchange[:at], replace(exchange[at], text=text), *exchange[at + 1 :])

        try:
            text = self.longest(exchange[at].text, lambda t: self.section_cost("dialogue", [with_text(t)]) <= room)
        except Unspecified:
            smallest = with_text(" … ") if len(exchange) == 1 else tuple(replace(turn, text="") for turn in exchange)
            if (len(exchange) == 1 or self.counter is None) and self.section_cost("dialogue", [smallest]) > room:
                return []  # not even that fits: dropped and reported
            raise
        if len(sizes) > 1 and len(text) - 3 < sizes[1]:
            raise Unspecified("whether a turn is shortened below the next longest")
        self.shortened.append(exchange[at].id)
        return [with_text(text)]

    # --- the result

    def drop(self, items: Sequence[Any], section: str, reason: str) -> None:
        self.dropped.extend((item.id, section, reason) for item in items)

    def result(self, shown: Sections) -> Prediction:
        return Prediction(
            bare(self.snapshot, **shown),
            tuple(sorted(self.dropped)),
            tuple(sorted(self.shortened)),
        )
