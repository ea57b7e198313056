"""Part 3: what an NPC costs in memory, and what a hit costs by where her state was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import Any

from benchmarks.contest.contestant import Contestant
from benchmarks.contest.figures import Goal, Spread, paired, spread
from benchmarks.contest.first_word import timed
from benchmarks.contest.town import Prompt, Town
from npc_memory.inference import Engine

__all__ = ["TIERS", "Crowd", "Tiers", "crowd", "stats_of", "tiers"]

FEWEST = 8
"""Pairs that are taken however long it has been going on."""

TIERS = ("nothing", "shared prefix", "host memory", "own sequence")


@dataclass(frozen=True, slots=True)
class Tiers:
    """Seconds to the first word by tier, with tokens cached; ``state``: bytes and seconds on the bare library."""

    seconds: dict[str, list[float]]
    cached: dict[str, list[int]]
    tokens: int
    shared: int
    state: dict[str, float]
    stats: dict[str, Any]

    @property
    def bytes_per_npc(self) -> float:
        """Bytes of one NPC's state, in a sequence or in host memory."""
        return self.state.get("bytes", 0.0)

    def as_map(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "prompt_tokens": self.tokens,
            "shared_tokens": self.shared,
            "bytes_per_npc": self.bytes_per_npc,
            "bytes_per_token": self.bytes_per_npc / self.tokens if self.tokens else 0.0,
            "bare_seconds": {name: self.state[name] for name in ("save", "restore", "copy") if name in self.state},
            "first_word": {
                tier: {"seconds": spread(self.seconds[tier]), "cached_tokens": spread(self.cached[tier])}
                for tier in TIERS
                if self.seconds.get(tier)
            },
            "engine_stats": self.stats,
        }


def tiers(engine: Engine, bare: Contestant, prompts: Sequence[Prompt], slots: int, samples: int) -> Tiers:
    """Ask NPC after NPC the same again, so that only the place where her state is found differs.

    ``nothing``: a prompt that begins like no other. ``shared prefix``: an NPC new to a known world. ``host memory``:
    one after whom as many others were made known as there are sequences (``slots``). ``own sequence``: one who was
    asked just now. ``prompts`` are those of a town's first turn; the first ``samples + slots`` are known afterwards.
    """
    seconds: dict[str, list[float]] = {tier: [] for tier in TIERS}
    cached: dict[str, list[int]] = {tier: [] for tier in TIERS}

    def ask(tier: str, prompt: Prompt) -> None:
        taken, result = timed(engine, replace(prompt.request, max_tokens=1))
        seconds[tier].append(taken)
        cached[tier].append(result.cached_tokens)

    for n in range(samples):
        ask("nothing", _elsewhere(prompts[n], n))
    timed(engine, prompts[slots].warm())
    for prompt in prompts[:samples]:
        ask("shared prefix", prompt)
    for prompt in prompts[samples : samples + slots]:
        timed(engine, prompt.warm())
    for prompt in prompts[:samples]:
        ask("host memory", prompt)
        ask("own sequence", prompt)
    first = prompts[0].request.segments
    tokens = list(engine.tokenize(first))
    shared = len(engine.tokenize(first[: prompts[0].request.shared]))
    state = bare.ask("tiers", tokens=tokens, shared=shared)
    return Tiers(seconds, cached, len(tokens), shared, state, stats_of(engine))


def _elsewhere(prompt: Prompt, n: int) -> Prompt:
    first, *rest = prompt.request.segments
    return replace(prompt, request=replace(prompt.request, segments=[f"World number {n}.\n{first}", *rest], shared=0))


def stats_of(engine: Engine) -> dict[str, Any]:
    """What the engine tells of its cache, where it does."""
    tell = getattr(engine, "stats", None)
    told = tell() if callable(tell) else {}
    if isinstance(told, dict):
        return told
    return {name: getattr(told, name) for name in getattr(told, "__dataclass_fields__", {})}


@dataclass(frozen=True, slots=True)
class Crowd:
    """Warm first words with many NPCs on the sequences, beside as many NPCs as sequences."""

    many: int
    few: int
    many_seconds: Sequence[float]
    few_seconds: Sequence[float]

    @property
    def ratio(self) -> float | None:
        """Median over pairs."""
        return paired(self.many_seconds, self.few_seconds)

    def goals(self) -> list[Goal]:
        """What is to be reached here."""
        return [Goal(f"warm first word, {self.many} NPCs / {self.few} NPCs", self.ratio, 1.5)]

    def as_map(self) -> dict[str, Any]:
        """Plain data."""
        many: Spread | None = spread(self.many_seconds)
        return {
            "many": self.many,
            "few": self.few,
            "many_seconds": many,
            "few_seconds": spread(self.few_seconds),
            "ratio": self.ratio,
        }


def crowd(
    engines: tuple[Engine, Engine],
    towns: tuple[Town, Town],
    samples: int,
    *,
    known_until: float = inf,
    until: float = inf,
) -> Crowd:
    """The NPCs of both towns are made known; then ``samples`` pairs of warm first words are taken, a turn later.

    The first turn of the first town has been taken already. After ``known_until`` no more of its NPCs are made known,
    once it is three times as many as in the other; after ``until`` no pair begins but the first few.
    """
    for prompt in towns[1].prompts(0):
        timed(engines[1], prompt.warm())
    known = 0
    for prompt in towns[0].first_turn:
        if known >= 3 * towns[1].npcs and perf_counter() >= known_until:
            break
        timed(engines[0], prompt.warm())
        known += 1
    seconds: tuple[list[float], list[float]] = ([], [])
    many = towns[0].prompts(1)[:known]
    few: list[Prompt] = []
    # In the order they became known: the worst one for a cache that gives up what is oldest.
    for prompt in many[:samples]:
        if len(seconds[0]) >= FEWEST and perf_counter() >= until:
            break
        if not few:
            few = towns[1].prompts(towns[1].turn + 1)
        seconds[0].append(timed(engines[0], prompt.request)[0])
        seconds[1].append(timed(engines[1], few.pop(0).request)[0])
    return Crowd(known, towns[1].npcs, seconds[0], seconds[1])
