"""What ``data`` of an event may say of relationships and triples, checked: all of it is sound, or nothing is stored.

{"relations": [{"of": "marta", "to": "p1", "trust": -20, "reason": "…", "exact": false}],
 "triples": [["osric", "lives_in", "ford"], {"subject": "…", "relation": "…", "object": "…", "public": true}],
 "amount": 5}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from npc_memory.errors import InvalidInput
from npc_memory.memory import check_id
from npc_memory.memory.relationships import BOUNDS, KINDS, How, RelationKind

__all__ = ["MOST_ENTRIES", "Fact", "Said", "amount_in", "relations_in", "steps_of", "triples_in"]

MOST_ENTRIES = 200
"""Relations, or triples, one event may carry."""


@dataclass(frozen=True, slots=True)
class Said:
    """The game moves what ``of`` feels for ``to``: the steps, and why."""

    of: str
    to: str
    steps: tuple[tuple[RelationKind, How, int], ...]
    reason: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple that an event carries. ``public``: everyone knows it, not only those who were there."""

    subject: str
    relation: str
    object: str
    confidence: float = 1.0
    valid_from: int | None = None
    valid_to: int | None = None
    public: bool = False


def relations_in(data: Mapping[str, Any]) -> tuple[Said, ...]:
    """``data["relations"]``; ``InvalidInput`` when it is something else."""
    return tuple(_relation(one) for one in _entries(data, "relations"))


def triples_in(data: Mapping[str, Any]) -> tuple[Fact, ...]:
    """``data["triples"]``; ``InvalidInput`` when it is something else."""
    return tuple(_fact(one) for one in _entries(data, "triples"))


def amount_in(data: Mapping[str, Any]) -> int:
    """``data["amount"]`` in the game's money, 0 when it is not given; ``InvalidInput`` for what is no such number."""
    amount = data.get("amount", 0)
    if type(amount) is not int or not 0 <= amount <= BOUNDS["debt"][1]:
        raise _wrong(f"amount must be a whole number from 0 to {BOUNDS['debt'][1]}, not {amount!r}")
    return amount


def steps_of(values: Mapping[str, Any], *, exact: bool) -> tuple[tuple[RelationKind, How, int], ...]:
    """The changes that ``values`` by kind are: moves, or what they are now (``exact``)."""
    unknown = [kind for kind in values if kind not in KINDS]
    if unknown:
        raise _wrong(f"there is no relationship of kind {unknown[0]!r}", f"use {', '.join(KINDS)}")
    for kind, value in values.items():
        if type(value) is not int:
            raise _wrong(f"{kind} must be a whole number, not {value!r}")
    how: How = "to" if exact else "by"
    return tuple((kind, how, values[kind]) for kind in KINDS if kind in values and (exact or values[kind]))


def _entries(data: Mapping[str, Any], name: str) -> list[Any]:
    found = data.get(name, [])
    if not isinstance(found, list | tuple) or len(found) > MOST_ENTRIES:
        raise _wrong(f"{name} must be a list of at most {MOST_ENTRIES}")
    return list(found)


def _relation(entry: Any) -> Said:
    if not isinstance(entry, Mapping):
        raise _wrong(f"a relation must be a map, not {entry!r}", 'e.g. {"of": "marta", "to": "p1", "trust": -20}')
    rest = {key: value for key, value in entry.items() if key not in ("of", "to", "reason", "exact")}
    reason, exact = entry.get("reason"), entry.get("exact", False)
    if not isinstance(reason, str | None) or not isinstance(exact, bool):
        raise _wrong("a reason is text, exact is true or false")
    of, to = (check_id(entry.get(name), f"relations[].{name}") for name in ("of", "to"))
    return Said(of, to, steps_of(rest, exact=exact), reason)


def _fact(entry: Any) -> Fact:
    if isinstance(entry, list | tuple) and len(entry) == 3:
        entry = dict(zip(("subject", "relation", "object"), entry, strict=True))
    known = Fact.__slots__
    if not isinstance(entry, Mapping) or not {*entry} <= {*known}:
        raise _wrong(f"a triple must be [subject, relation, object] or a map with {', '.join(known)}, not {entry!r}")
    for name in ("subject", "relation", "object"):
        check_id(entry.get(name), f"triples[].{name}")
    if not isinstance(entry.get("public", False), bool):
        raise _wrong("public is true or false")
    sure = entry.get("confidence", 1.0)
    if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
        raise _wrong(f"confidence must be from 0 to 1, not {sure!r}")
    return Fact(**entry)


def _wrong(message: str, hint: str = "docs/relationships.md shows what data may hold") -> InvalidInput:
    return InvalidInput(message, hint=hint)
