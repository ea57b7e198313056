"""What can be wrong with the relationships and triples of a pack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npc_memory.errors import Problem
from npc_memory.memory.triples import FUNCTIONAL
from npc_memory.world.bonds import Triple
from npc_memory.world.pack import Pack
from npc_memory.world.placed import placed_facts
from npc_memory.world.source import Document, Loc

__all__ = ["bond_problems"]


def bond_problems(pack: Pack) -> Iterator[Problem]:
    """Problems of relationships and triples; none where what they refer to has problems of its own."""
    npcs = {file.stem for file in pack.npcs}
    for file in pack.npcs:
        if file.model is not None:
            to = [(one.to, file.document, ("relations", i, "to")) for i, one in enumerate(file.model.relations)]
            yield from _relations(file.model.id, npcs, to)
            yield from _list(pack, file.model.triples, file.document, ("triples",))
    for placed in placed_facts(pack):
        yield from _list(pack, placed.fact.triples, placed.document, (*placed.loc, "triples"))


def _relations(npc: str, npcs: set[str], to: Sequence[tuple[str, Document, Loc]]) -> Iterator[Problem]:
    seen: set[str] = set()
    for id, document, loc in to:
        if id == npc:
            yield document.problem(loc, f"the NPC {npc!r} has a relationship with herself", "name another id")
        if id in seen:
            yield document.problem(loc, f"two relationships of {npc!r} are with {id!r}", "make them one")
        seen.add(id)
        if id not in npcs:
            yield document.problem(
                loc,
                f"the NPC {npc!r} has a relationship with {id!r}, which is no NPC of the pack",
                f"NPCs: {', '.join(sorted(npcs))}; the id of a player is fine if the game uses it",
                "warning",
            )


def _list(pack: Pack, triples: list[Triple], document: Document, loc: Loc) -> Iterator[Problem]:
    if pack.world is None:
        return
    functional = {one.id: one.functional for one in pack.world.triple_relations}
    named = {one.id for one in (*pack.world.places, *pack.world.factions, *pack.world.entities)}
    named |= {file.stem for file in pack.npcs}
    seen: dict[Triple, int] = {}
    objects: dict[tuple[str, str], str] = {}
    for i, triple in enumerate(triples):
        subject, relation, object = triple
        if triple in seen:
            yield document.problem((*loc, i), f"the triple {_shown(triple)} is there twice", "remove one of them")
        seen[triple] = i
        other = objects.setdefault((subject, relation), object)
        if other != object and functional.get(relation, relation in FUNCTIONAL):
            yield document.problem(
                (*loc, i),
                f"{subject!r} has two objects of {relation!r}, {other!r} and {object!r}, but can have one at a time",
                f"remove one, or declare `functional: false` for {relation} under triple_relations in world.yaml",
            )
        for id in dict.fromkeys((subject, object)):
            if id not in named:
                yield document.problem(
                    (*loc, i),
                    f"the triple {_shown(triple)} speaks of {id!r}, which has no name",
                    "list it under `entities` in world.yaml, or it is shown as its id",
                    "warning",
                )


def _shown(triple: Iterable[str]) -> str:
    return f"[{', '.join(triple)}]"
