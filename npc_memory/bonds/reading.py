"""What one feels for another: the pack's starting values, and what has moved them since on this timeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from npc_memory.bonds.words import sentences
from npc_memory.memory import Fact, Relationship, RelationshipChange
from npc_memory.memory.relationships import RelationKind, folded
from npc_memory.people import Cast, factions_of, names, place_of
from npc_memory.prompt import label_text
from npc_memory.store import View
from npc_memory.world import World

__all__ = ["MONEY", "facts_known", "relationship_of", "relationships_of", "starting_values"]

MONEY = "coins"
"""What debts are counted in when the world pack has no word for it."""


def relationship_of(
    world: World, store: View, npc: str, other: str, called: Callable[[str], str] | None = None
) -> Relationship:
    """What the NPC ``npc`` of the pack feels for ``other`` (ids in use). ``called``: how somebody is called in words;
    by his display name if it is not given.
    """
    history = store.relationship_changes(npc, other)
    start = starting_values(world, store, npc, other)
    values = folded(history, start)
    shown = names(world, store) if called is None else {}
    label = called(other) if called is not None else label_text(shown.get(other, "")) or label_text(other)
    return Relationship(
        npc=npc,
        other=other,
        words=tuple(sentences(values, label, world.money or MONEY).values()),
        start=start,
        history=history,
        **values,
    )


def facts_known(world: World, store: View, npc: str) -> tuple[Fact, ...]:
    """The facts that hold now and that ``npc`` knows where she is."""
    one = world.npc(npc)
    return world.facts_for(npc, store.state(), place=place_of(store, one), factions=factions_of(store, one))


def relationships_of(world: World, store: View, npc: str) -> tuple[Relationship, ...]:
    """What ``npc`` feels for everyone for whom she feels or felt anything, by id."""
    cast = Cast(world, store)
    changes = store.all_relationship_changes(npc)
    others = {cast.then(one.other, one.seq): _now(cast, one) for one in changes}
    found = {*filter(None, others.values()), *(cast.id_of(id) for id in world.npcs[npc].relations)}
    return tuple(relationship_of(world, store, npc, other) for other in sorted(found - {npc}))


def _now(cast: Cast, change: RelationshipChange) -> str:
    """The id in use of the one a change is about; "" when somebody else has it now."""
    other = cast.id_of(change.other)
    return other if cast.one(change.other, change.seq, other) else ""


def starting_values(world: World, store: View, npc: str, other: str) -> Mapping[RelationKind, int]:
    """The designer's values for ``npc`` towards ``other``; none for one who took over the id of him they are about."""
    identities, written = store.identities(), world.npcs[npc].relations
    if not written or identities.at(npc, 1) != identities.now(npc):
        return {}
    found = [values for id, values in written.items() if identities.at(id, 1) == identities.now(other)]
    return found[0] if found else {}
