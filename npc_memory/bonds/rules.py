"""How events move what NPCs feel for the one who acted. Small and fixed; what the game says itself takes its place.

An event moves the one it is done to, and those who saw it (``observe``: the audience, or who is at the place). Nobody
else: who only hears of it is moved by ``TOLD`` of what a witness would be. Nobody is moved towards herself, and the one
who acts is not moved, except by debts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from npc_memory.memory.relationships import How, RelationKind

__all__ = ["RULES", "TOLD", "Rule", "Step", "debt_step"]

Step = tuple[RelationKind, How, int]
"""A kind, how it changes, and by how much."""

Moves = Mapping[RelationKind, int]

TOLD = 0.5
"""The part of a witness's change that one has who is told of it, rounded towards 0."""


@dataclass(frozen=True, slots=True)
class Rule:
    """By how much an event moves the one it is done to, and a witness, towards the one who acted."""

    target: Moves = field(default_factory=dict)
    witness: Moves = field(default_factory=dict)


_GIFT = Rule({"trust": 5, "affection": 15}, {"respect": 2})
_HELP = Rule({"trust": 15, "affection": 10, "respect": 5}, {"trust": 5, "respect": 5})
_RESCUE = Rule({"trust": 30, "affection": 25, "respect": 20}, {"trust": 10, "respect": 15})
_PRAISE = Rule({"affection": 10}, {})
_THEFT = Rule({"trust": -35, "affection": -20, "respect": -10}, {"trust": -20, "affection": -10})
_LIE = Rule({"trust": -20, "respect": -5}, {"trust": -10})
_THREAT = Rule({"trust": -20, "affection": -15, "fear": 25}, {"trust": -10, "fear": 10})
_INSULT = Rule({"affection": -15, "respect": -10}, {"respect": -5})
_FIGHT = Rule({"trust": -25, "affection": -25, "fear": 25}, {"trust": -10, "fear": 15})
_KILLING = Rule({"trust": -60, "affection": -60, "fear": 60}, {"trust": -40, "affection": -20, "fear": 40})
_KEPT = Rule({"trust": 20, "respect": 10}, {"trust": 5, "respect": 5})
_BROKEN = Rule({"trust": -25, "respect": -15}, {"trust": -10, "respect": -5})
_PAYMENT = Rule({"trust": 5}, {})
_LOAN = Rule({"trust": 5, "affection": 5}, {})

RULES: Mapping[str, Rule] = {
    "gift": _GIFT,
    "donation": _GIFT,
    "help": _HELP,
    "kindness": _HELP,
    "heal": _HELP,
    "rescue": _RESCUE,
    "praise": _PRAISE,
    "theft": _THEFT,
    "steal": _THEFT,
    "robbery": _THEFT,
    "burglary": _THEFT,
    "lie": _LIE,
    "threat": _THREAT,
    "insult": _INSULT,
    "fight": _FIGHT,
    "attack": _FIGHT,
    "assault": _FIGHT,
    "killing": _KILLING,
    "murder": _KILLING,
    "promise_kept": _KEPT,
    "promise_broken": _BROKEN,
    "betrayal": _BROKEN,
    "payment": _PAYMENT,
    "loan": _LOAN,
}
"""The rule of each kind of event. A promise that is only made moves nobody."""


def debt_step(kind: str, amount: int, *, acts: bool) -> Step | None:
    """How a loan or a payment of ``amount`` moves the debt between the one who acts (``acts``) and the other, as that
    one sees it; None when it does not. Positive is owed to oneself. A payment pays off what is owed and makes no debt.
    """
    if not amount or kind not in ("loan", "payment"):
        return None
    if kind == "loan":
        return "debt", "by", amount if acts else -amount
    return "debt", "off", -amount if acts else amount
