"""What the canon guard stops, held against the labelled lines in ``data/guard``: two error rates per half.

    python -m benchmarks.guard [--json] [--show]

Harmless lines stopped and contradictions caught, by half and source, by label, and which rule caught. ``--show`` lists
the mistakes of the development half. Those of the test half are never printed: whoever has seen them tunes on them.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from npc_memory.guarding import claims_for
from npc_memory.memory import StateValue
from npc_memory.reply.guard import Claim, Guard
from npc_memory.world import World, load_world

__all__ = ["HALVES", "LABELS", "SOURCES", "Judged", "Labelled", "Rates", "judge", "lines", "main", "rates", "scoped"]

DATA = Path(__file__).resolve().parent / "data" / "guard"
HALVES = ("development", "test")
SOURCES = ("model", "written")
LABELS = ("true", "false", "hedged", "hypothetical", "offtopic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A line of the set. ``state``: world state that differs from the pack's defaults, by key. ``question``: what she
    answers, "" if nothing. ``before``: what she has said already in this reply. ``contradicts``: id of a claim that a
    false line contradicts, else "". ``half`` is the file it stands in.
    """

    id: str
    world: str
    npc: str
    state: dict[str, StateValue]
    question: str
    before: str
    line: str
    label: str
    contradicts: str
    source: str
    half: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A line and what the guard made of it: the claim and the rule that stopped it, both "" when nothing did."""

    labelled: Labelled
    claim: str
    rule: str

    @property
    def stopped(self) -> bool:
        """Whether the guard stopped the line."""
        return bool(self.rule)

    @property
    def false(self) -> bool:
        """Whether it should have."""
        return self.labelled.label == "false"


@dataclass(slots=True)
class Rates:
    """Counts over some judged lines. ``rules``: what caught the contradictions; ``labels``: stopped and all, by label.
    ``named``: caught contradictions for which the guard named the very claim the label names.
    """

    stopped: int = 0
    harmless: int = 0
    caught: int = 0
    contradictions: int = 0
    named: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    labels: dict[str, tuple[int, int]] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """The counts and both rates (None where there is nothing to count), for JSON."""
        return {
            "harmless_stopped": self.stopped,
            "harmless": self.harmless,
            "harmless_stopped_rate": _rate(self.stopped, self.harmless),
            "contradictions_caught": self.caught,
            "contradictions": self.contradictions,
            "contradictions_caught_rate": _rate(self.caught, self.contradictions),
            "claim_named": self.named,
            "rules": dict(sorted(self.rules.items())),
            "labels": {label: {"stopped": n, "lines": m} for label, (n, m) in self.labels.items()},
        }


def lines(half: str) -> list[Labelled]:
    """The lines of a half, in file order."""
    text = (DATA / f"{half}.jsonl").read_text(encoding="utf-8")
    return [Labelled(**json.loads(row), half=half) for row in text.splitlines()]


def scoped(world: World, state: dict[str, StateValue]) -> dict[tuple[str, str], StateValue]:
    """World state by (scope, key), each key in the scope the pack declares for it."""
    return {(world.state_keys[key].scope, key): value for key, value in state.items()}


def judge(line: Labelled) -> Judged:
    """Let the guard look at one line, with all that the NPC knows in that state."""
    world = _world(line.world)
    guard = Guard(_claims(line.world, line.npc, json.dumps(line.state)), names=world.names, own_name=_name(line))
    found = guard.check(line.line, before=line.before, question=line.question)
    return Judged(line, found.claim.id, found.rule) if found else Judged(line, "", "")


def rates(judged: Iterable[Judged]) -> Rates:
    """Count."""
    found = Rates()
    seen = dict.fromkeys(LABELS, (0, 0))
    for one in judged:
        stopped, total = seen[one.labelled.label]
        seen[one.labelled.label] = (stopped + one.stopped, total + 1)
        if one.false:
            found.contradictions += 1
            found.caught += one.stopped
            found.named += one.claim == one.labelled.contradicts
        else:
            found.harmless += 1
            found.stopped += one.stopped
        if one.stopped:
            found.rules[f"{one.rule}{'' if one.false else ' (harmless)'}"] += 1
    found.labels = {label: counts for label, counts in seen.items() if counts[1]}
    return found


@cache
def _world(name: str) -> World:
    return load_world(name)


@cache
def _claims(world: str, npc: str, state: str) -> tuple[Claim, ...]:
    pack = _world(world)
    return claims_for(pack, npc, scoped(pack, json.loads(state)))


def _name(line: Labelled) -> str:
    return _world(line.world).names[line.npc]


def _rate(n: int, of: int) -> float | None:
    return round(n / of, 4) if of else None


def _share(n: int, of: int) -> str:
    return f"{n} of {of} ({n / of:.1%})" if of else "none"


def _print(title: str, found: Rates) -> None:
    print(f"{title:<24} harmless lines stopped {_share(found.stopped, found.harmless):<18}", end="")
    print(f"  contradictions caught {_share(found.caught, found.contradictions)}")


def _print_half(half: str, judged: Sequence[Judged]) -> None:
    whole = rates(judged)
    _print(half, whole)
    for source in SOURCES:
        _print(f"  {source}", rates(one for one in judged if one.labelled.source == source))
    print("  stopped by label:", ", ".join(f"{label} {n}/{m}" for label, (n, m) in whole.labels.items()))
    print("  stopped by rule: ", ", ".join(f"{rule} {n}" for rule, n in sorted(whole.rules.items())) or "none")
    print(f"  the labelled claim was named in {_share(whole.named, whole.caught)} of those caught")


def _show(judged: Sequence[Judged]) -> None:
    """The mistakes of the development half, and of no other."""
    for one in judged:
        line = one.labelled
        if line.half != "development" or one.stopped == one.false:
            continue
        kind = f"missed {line.contradicts}" if one.false else f"stopped a {line.label} line, {one.rule} {one.claim}"
        print(f"  {line.id} {line.npc} {json.dumps(line.state)} {kind}")
        print(f"      {line.question!r} -> {f'{line.before} / ' if line.before else ''}{line.line!r}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge both halves and print both rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the counts as one JSON object")
    parser.add_argument("--show", action="store_true", help="list the mistakes of the development half")
    args = parser.parse_args(arguments)
    judged = {half: [judge(line) for line in lines(half)] for half in HALVES if (DATA / f"{half}.jsonl").exists()}
    if args.json:
        print(json.dumps({half: _data(ones) for half, ones in judged.items()}, indent=2))
        return
    for half, ones in judged.items():
        _print_half(half, ones)
        if args.show:
            _show(ones)


def _data(judged: Sequence[Judged]) -> dict[str, Any]:
    sources = {source: rates(one for one in judged if one.labelled.source == source).data() for source in SOURCES}
    return {**rates(judged).data(), "sources": sources}


if __name__ == "__main__":
    main()
