"""Contradiction patterns against the pack's own words: no fact may forbid what is true, or what its NPCs say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from npc_memory.errors import Problem
from npc_memory.world.condition import same_value
from npc_memory.world.pack import Pack
from npc_memory.world.patterns import compile_pattern
from npc_memory.world.placed import PlacedFact
from npc_memory.world.schema import OwnFactModel, StateModel, WantedModel

__all__ = ["contradiction_problems"]

When = dict[str, WantedModel]


def contradiction_problems(pack: Pack, facts: Sequence[PlacedFact]) -> Iterator[Problem]:
    """One problem for each pattern that matches its own fact, another fact or state that can hold beside it, or a line
    that an NPC of the pack may say at any time.
    """
    lines = list(_lines(pack))
    states = {entry.key: entry for entry in pack.state or []}
    said = [(placed.fact, _own_words(placed.fact)) for placed in facts]
    worded = list(_state_words(states))
    for placed in facts:
        fact = placed.fact
        for i, source in enumerate(fact.contradicted_by):
            pattern = compile_pattern(source)
            for what in _hit(pattern, fact, said, worded, lines, states):
                yield placed.document.problem(
                    (*placed.loc, "contradicted_by", i),
                    f"the pattern of {fact.id!r} matches {what}",
                    "narrow the pattern, or change those words",
                )


def _hit(
    pattern: re.Pattern[str],
    fact: OwnFactModel,
    said: Sequence[tuple[OwnFactModel, tuple[str, ...]]],
    worded: Sequence[tuple[str, When, str]],
    lines: Sequence[tuple[str, str]],
    states: dict[str, StateModel],
) -> Iterator[str]:
    for other, words in said:
        for text in words:
            if pattern.search(text) and (other is fact or _compatible(fact.when, other.when, states)):
                yield f"its own words {text!r}" if other is fact else f"the fact {other.id!r} {text!r}"
    for key, when, text in worded:
        if pattern.search(text) and _compatible(fact.when, when, states):
            yield f"the state {key!r} {text!r}"
    for where, text in lines:
        if pattern.search(text):
            yield f"{where} {text!r}"


def _own_words(fact: OwnFactModel) -> tuple[str, ...]:
    return (fact.text, fact.spoken) if fact.spoken and fact.spoken != fact.text else (fact.text,)


def _state_words(states: dict[str, StateModel]) -> Iterator[tuple[str, When, str]]:
    for entry in states.values():
        for value in entry.values or [entry.default]:
            words = str(value).lower() if isinstance(value, bool) else str(value)
            text = entry.text.get(words, "") if isinstance(entry.text, dict) else entry.text or ""
            if text:
                yield entry.key, {entry.key: WantedModel(values=[value])}, text.replace("{value}", words)


def _lines(pack: Pack) -> Iterator[tuple[str, str]]:
    for file in pack.npcs:
        if file.model is None:
            continue
        npc = file.model
        yield f"the greeting of {npc.id!r}", npc.greeting
        for line in npc.fallback:
            yield f"a fallback line of {npc.id!r}", line
        for example in npc.examples:
            yield f"the example {example.id!r} of {npc.id!r}", example.npc


def _compatible(a: When, b: When, states: dict[str, StateModel]) -> bool:
    """Whether some value of each shared key lets both hold; open values count as possible."""
    return all(_both(a[key], b[key], states.get(key)) for key in a if key in b)


def _both(a: WantedModel, b: WantedModel, entry: StateModel | None) -> bool:
    if a.negated and b.negated:
        values = entry.values if entry else []
        return not values or any(_allows(a, value) and _allows(b, value) for value in values)
    if a.negated:
        return any(_allows(a, value) for value in b.values)
    if b.negated:
        return any(_allows(b, value) for value in a.values)
    return any(same_value(x, y) for x, y in product(a.values, b.values))


def _allows(wanted: WantedModel, value: object) -> bool:
    return any(same_value(value, one) for one in wanted.values) is not wanted.negated  # type: ignore[arg-type]
