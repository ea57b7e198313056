"""Who stands how to whom or what: subject, relation, object, by stable ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from npc_memory.memory.authority import Authority
from npc_memory.memory.records import Stored

__all__ = ["FIRST", "FUNCTIONAL", "RELATION_WORDS", "Edge", "TripleRecord", "relation_words"]

FUNCTIONAL: frozenset[str] = frozenset(
    {"belongs_to", "holds_office", "lives_in", "located_in", "married_to", "owned_by", "ruled_by", "works_at"}
)
"""Relations that have one object at a time unless the world pack says otherwise: a newer one ends the older."""

RELATION_WORDS: Mapping[str, str] = {
    "child_of": "{subject} is a child of {object}.",
    "friend_of": "{subject} is a friend of {object}.",
    "holds_office": "{subject} holds the office of {object}.",
    "located_in": "{subject} is in {object}.",
    "married_to": "{subject} is married to {object}.",
    "member_of": "{subject} is a member of {object}.",
    "owned_by": "{subject} is owned by {object}.",
    "parent_of": "{subject} is a parent of {object}.",
    "ruled_by": "{subject} is ruled by {object}.",
    "sibling_of": "{subject} is a sibling of {object}.",
}
"""How relations are worded whose id is no verb."""

FIRST = -(2**62)
"""The game time since which holds what held from the beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TripleRecord(Stored):
    """``npc`` ("": everyone) knows that ``subject`` stands in ``relation`` to ``object``, from ``valid_from`` until
    before ``valid_to`` (None: without end), in game minutes. ``functional``: a subject has one object at a time.

    Of two that speak of the same, the one of the higher rank counts while it holds, then the one that begins later,
    then the one written later. What has begun and is over ends what began before it all the same; one that is over as
    it begins only says that this very one is over.
    """

    id: str
    npc: str
    subject: str
    relation: str
    object: str
    game_time: int
    valid_from: int
    valid_to: int | None = None
    confidence: float = 1.0
    functional: bool = False
    speaker: str = ""
    addressee: str = ""
    place: str = ""
    audience: tuple[str, ...] = field(default=())
    authority: Authority = Authority.GAME


class Edge(NamedTuple):
    """A triple in brief, as the graph is walked. ``number``: of its record, below 0 for one that has none."""

    number: int
    subject: str
    relation: str
    object: str
    functional: bool
    authority: int


def relation_words(relation: str) -> str:
    """The words for ``relation`` with {subject} and {object} in them: "lives_in" is "{subject} lives in {object}."."""
    return RELATION_WORDS.get(relation) or f"{{subject}} {' '.join(relation.replace('_', ' ').split())} {{object}}."
