"""A relationship in words, by a fixed table: "You trust Rolf. You are afraid of Rolf. Rolf owes you 5 silver."."""

from __future__ import annotations

from collections.abc import Mapping

from npc_memory.memory.relationships import KINDS, RelationKind

__all__ = ["CLEAR", "LONGEST_REASON", "STRONG", "sentences"]

CLEAR = 20
"""From here on, in either direction, a feeling is shown."""

STRONG = 60
"""From here on it is strong."""

LONGEST_REASON = 100
"""Characters up to which a reason is shown."""

LEVELS: Mapping[RelationKind, tuple[str, str, str, str]] = {
    "trust": ("You trust {} completely.", "You trust {}.", "You do not trust {}.", "You do not trust {} at all."),
    "affection": ("You are very fond of {}.", "You like {}.", "You dislike {}.", "You hate {}."),
    "fear": ("You are terrified of {}.", "You are afraid of {}.", "", ""),
    "respect": ("You respect {} greatly.", "You respect {}.", "You think little of {}.", "You despise {}."),
}
"""Strong, clear; clear and strong in the other direction."""


def sentences(values: Mapping[RelationKind, int], other: str, money: str) -> dict[RelationKind, str]:
    """The sentence of each kind that is not neutral, in the order of kinds; ``other``: how he is called."""
    found = {kind: _sentence(kind, values[kind], other, money) for kind in KINDS}
    return {kind: sentence for kind, sentence in found.items() if sentence}


def _sentence(kind: RelationKind, value: int, other: str, money: str) -> str:
    if kind == "debt":
        sum = f"{abs(value)} {money}"
        return f"{other} owes you {sum}." if value > 0 else f"You owe {other} {sum}." if value < 0 else ""
    if abs(value) < CLEAR:
        return ""
    strong = abs(value) >= STRONG
    return LEVELS[kind][(0 if strong else 1) if value > 0 else (3 if strong else 2)].replace("{}", other)
