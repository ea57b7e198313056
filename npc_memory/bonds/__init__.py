"""What NPCs feel for others and what they know of who stands how to whom: moved by events, said in words."""

from npc_memory.bonds.asking import Asked
from npc_memory.bonds.knowing import Found, near_triples
from npc_memory.bonds.moving import Happened, moved_by, moved_by_rumour
from npc_memory.bonds.offering import offered_bonds
from npc_memory.bonds.reading import facts_known, relationship_of, relationships_of
from npc_memory.bonds.relating import Relating

__all__ = [
    "Asked",
    "Found",
    "Happened",
    "Relating",
    "facts_known",
    "moved_by",
    "moved_by_rumour",
    "near_triples",
    "offered_bonds",
    "relationship_of",
    "relationships_of",
]
