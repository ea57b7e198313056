"""Part 2: tokens a second with many talking at once, beside a bare batch of as many with the same samplers.

The prompts are short and held already. The bare batch makes as many tokens for each talker as ours did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.contest.contestant import Contestant
from benchmarks.contest.figures import Goal, paired
from benchmarks.contest.first_word import cpu_of
from npc_memory.inference import Engine, GenerationRequest, Priority, Sampling

__all__ = ["Talkers", "prompts_for", "talkers"]

TOPICS = (
    "the winter of the wolves",
    "the ferry and the flood",
    "the old smith's daughter",
    "the night the bell rang by itself",
    "the salt road and its thieves",
    "the miller who spoke with crows",
    "the bridge and the men who built it",
    "the feast of lanterns",
)
GOAL_AT = 8


@dataclass(frozen=True, slots=True)
class Rate:
    """Tokens a second in one round, ours and the bare batch's; ``same``: both made the same tokens. ``cpu``: tokens a
    second of CPU, ours to the bare batch's (0.0 where the system does not tell).
    """

    ours: float
    bare: float
    tokens: int
    same: bool
    cpu: float = 0.0


@dataclass(frozen=True, slots=True)
class Talkers:
    """Rates by number of talkers; ``grammar``: the same with the product's grammar."""

    plain: dict[int, list[Rate]]
    grammar: dict[int, list[Rate]]

    def ratio(self, count: int, grammar: bool = False) -> float | None:
        """Ours to the bare batch's: the median over rounds."""
        rates = (self.grammar if grammar else self.plain).get(count, [])
        return paired([one.ours for one in rates], [one.bare for one in rates])

    def goals(self) -> list[Goal]:
        """What is to be reached here."""
        return [
            Goal(f"tokens/s of {GOAL_AT} talkers / bare batch", self.ratio(GOAL_AT), 0.9, at_most=False),
            Goal("the same with the reply's grammar", self.ratio(GOAL_AT, True), 0.9, at_most=False),
        ]

    def as_map(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "plain": {str(count): self._row(count, False) for count in self.plain},
            "grammar": {str(count): self._row(count, True) for count in self.grammar},
        }

    def _row(self, count: int, grammar: bool) -> dict[str, Any]:
        rates = (self.grammar if grammar else self.plain)[count]
        return {
            "ours": median(one.ours for one in rates),
            "bare": median(one.bare for one in rates),
            "ratio": self.ratio(count, grammar),
            "cpu_ratio": median([one.cpu for one in rates if one.cpu] or [0.0]) or None,
            "tokens": median(one.tokens for one in rates),
            "same_tokens": all(one.same for one in rates),
            "rounds": len(rates),
        }


def prompts_for(count: int) -> list[str]:
    """Short prompts that ask for a long answer."""
    return [
        f"You are villager number {n}, old and fond of stories.\n"
        f"Traveller: Tell me all about {TOPICS[n % len(TOPICS)]}.\nVillager:"
        for n in range(count)
    ]


def talkers(
    engine: Engine,
    bare: Contestant,
    sizes: Sequence[int],
    *,
    tokens: int,
    rounds: int,
    sampling: Sampling,
    grammar: str,
    until: float = inf,
) -> Talkers:
    """Measure every size ``rounds`` times, with and without ``grammar``; after ``until`` no further round begins."""
    found = Talkers({size: [] for size in sizes}, {size: [] for size in sizes})
    for round in range(rounds):
        if round and perf_counter() >= until:
            break
        for size in sizes:
            for rates, rule in ((found.plain, None), (found.grammar, grammar)):
                requests = [
                    GenerationRequest(
                        segments=[text],
                        max_tokens=tokens,
                        seed=1000 * round + n,
                        sampling=sampling,
                        grammar=rule,
                        conversation=f"villager-{n}",
                        priority=Priority.PLAYER,
                    )
                    for n, text in enumerate(prompts_for(size))
                ]
                rates[size].append(_round(engine, bare, requests))
    return found


def _round(engine: Engine, bare: Contestant, requests: Sequence[GenerationRequest]) -> Rate:
    for one in requests:
        engine.submit(replace(one, max_tokens=0, grammar=None)).result()
    pid = getattr(engine, "pid", None)
    cpu, started = cpu_of(pid), perf_counter()
    results = [generation.result() for generation in [engine.submit(one) for one in requests]]
    seconds, cpu = perf_counter() - started, cpu_of(pid) - cpu
    made = [list(result.tokens) for result in results]
    count = sum(map(len, made))
    answer = bare.ask(
        "talk",
        prompts=[list(engine.tokenize(one.segments)) for one in requests],
        lengths=[len(tokens) for tokens in made],
        seeds=[one.seed for one in requests],
        sampling={name: getattr(requests[0].sampling, name) for name in Sampling.__slots__},
    )
    less = answer.get("cpu", 0.0) / cpu if cpu else 0.0
    return Rate(count / seconds, count / answer["seconds"], count, answer["made"] == made, less)
