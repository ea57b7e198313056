"""What a world pack says of how people and things stand to each other when a new game begins."""

from __future__ import annotations

from dataclasses import dataclass

from npc_memory.memory.triples import FUNCTIONAL, relation_words

__all__ = ["Triple", "TripleRelation"]

Triple = tuple[str, str, str]
"""Subject, relation, object: ids."""


@dataclass(frozen=True, slots=True)
class TripleRelation:
    """A relation of triples: how it is worded, with {subject} and {object}, and whether a subject has one object at a
    time.
    """

    id: str
    text: str
    functional: bool = False

    @classmethod
    def default(cls, id: str) -> TripleRelation:
        """That of a relation no pack declares."""
        return cls(id, relation_words(id), id in FUNCTIONAL)
