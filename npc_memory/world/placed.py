"""Facts and where they are written, so that a problem can name file and line."""

from __future__ import annotations

from dataclasses import dataclass

from npc_memory.world.pack import Pack
from npc_memory.world.schema import FactModel, OwnFactModel
from npc_memory.world.source import Document, Loc

__all__ = ["PlacedFact", "placed_facts"]


@dataclass(frozen=True, slots=True)
class PlacedFact:
    """A fact and where it is written; ``owner``: the NPC whose own it is."""

    fact: OwnFactModel
    document: Document
    loc: Loc
    owner: str = ""

    @property
    def everyone(self) -> bool:
        """Whether everyone knows it."""
        return isinstance(self.fact, FactModel) and self.fact.scope.everyone


def placed_facts(pack: Pack) -> list[PlacedFact]:
    """All facts of the pack in the order of its files."""
    document = pack.documents["facts.yaml"]
    found = [PlacedFact(fact, document, (i,)) for i, fact in enumerate(pack.facts or [])]
    for file in pack.npcs:
        for i, known in enumerate(file.model.knows if file.model else []):
            if isinstance(known, OwnFactModel):
                found.append(PlacedFact(known, file.document, ("knows", i), file.model.id if file.model else ""))
    return found
