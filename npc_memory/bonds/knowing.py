"""What an NPC knows around the entities that a line names: found in store and pack, ranked by recall, worded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from npc_memory.bonds.asking import Asked
from npc_memory.memory import Authority, TripleRecord
from npc_memory.memory.triples import FIRST, Edge
from npc_memory.prompt import label_text
from npc_memory.recall.graph import MOST_ENTRIES, Graph, Near, possible_ids
from npc_memory.recall.names import NameTable
from npc_memory.store import Store
from npc_memory.world import World

__all__ = ["Found", "near_triples"]

_PLACE = re.compile(r"(\{subject\}|\{object\})")


@dataclass(frozen=True, slots=True)
class Found:
    """A triple near what a line names, in words. ``record``: None for one of the world pack. ``id`` is unique."""

    id: str
    text: str
    near: Near
    record: TripleRecord | None


class _Names:
    """The table of names, made anew when one has changed."""

    def __init__(self) -> None:
        self._names: Mapping[str, str] = {}
        self._table = NameTable({})

    def table(self, names: Mapping[str, str]) -> NameTable:
        """The table of ``names``."""
        if names != self._names:
            self._names, self._table = names, NameTable(names)
        return self._table


def near_triples(world: World, store: Store, asked: Asked, most: int) -> tuple[Found, ...]:
    """The ``most`` worthiest triples near what the query names, worthiest first: hers and the world's that hold now,
    and those of the pack.
    """
    given = {edge.number: (edge, id) for edge, id in (*_canon(world, asked), *_began(world, store, asked))}
    edges = [edge for edge, _ in given.values()]
    if not edges and not store.has_triples():
        return ()
    one = cache(asked.cast.id_of)
    entries = _entries(world, store, asked, edges, one)
    if not entries:
        return ()
    stored = store.neighbours(asked.npc, _seeds(edges, entries, one), asked.game_time)
    if asked.told is not None:
        records = store.triples_at([edge.number for edge in stored])
        hidden = {n for n, record in records.items() if record.npc and not asked.may_tell(record)}
        stored = tuple(edge for edge in stored if edge.number not in hidden)
    called = {**world.entities, **world.factions, **world.places, **asked.called}
    bare = cache(lambda id: _PLACE.sub(" ", world.relation(id).text))
    found = Graph(stored, edges, one).near(asked.query, entries, bare, lambda id: called.get(id) or id)[:most]
    records = store.triples_at([near.edge.number for near in found if near.edge.number > 0])
    name = _namer(world, asked)
    return tuple(_found(world, near, records, given, name) for near in found)


def _seeds(given: list[Edge], entries: tuple[str, ...], one: Callable[[str], str]) -> list[tuple[str, int]]:
    """Where the store is to begin: at the entries, and a hop further where the pack's triples lead."""
    reached = Graph((), given, one).reached(entries, hops=1)
    beyond = {end for edge, _ in reached.values() for end in (edge.subject, edge.object)}
    return [(id, 0) for id in entries] + [(id, 1) for id in sorted(beyond - {*entries})]


def _entries(
    world: World, store: Store, asked: Asked, given: Iterable[Edge], one: Callable[[str], str]
) -> tuple[str, ...]:
    """The entities that the line names and of which something is known: by name first, then by id."""
    names = {**world.entities, **world.factions, **world.places, **asked.called}
    found = [*store.kept(_Names).table(names).named_in(asked.query), *possible_ids(asked.query)]
    known = store.identities()
    ids = {id: one(id) for candidate in found for id in (candidate, *known.ids(candidate))}
    there = {one(end) for edge in given for end in (edge.subject, edge.object)}
    there |= {one(id) for id in store.in_graph(asked.npc, list(ids))}
    return tuple(dict.fromkeys(id for id in ids.values() if id in there))[:MOST_ENTRIES]


def _canon(world: World, asked: Asked) -> list[tuple[Edge, str]]:
    """What the facts say that hold and that she knows, each with an id."""
    said = [(f"fact:{fact.id}", triple) for fact in asked.facts for triple in world.canon[fact.id].triples]
    return [_edge(world, -2 * n - 2, id, triple, Authority.DESIGNER) for n, (id, triple) in enumerate(said)]


def _began(world: World, store: Store, asked: Asked) -> list[tuple[Edge, str]]:
    """What the pack says that she knows when a new game begins, as far as nothing has changed since."""
    written, identities = world.npcs[asked.npc].triples, store.identities()
    if not written or identities.at(asked.npc, 1) != identities.now(asked.npc):
        return []
    over = store.replaced(asked.npc, [(*triple, FIRST) for triple in written], asked.game_time)
    return [
        _edge(world, -2 * n - 1, "start", triple, Authority.GAME) for n, triple in enumerate(written) if n not in over
    ]


def _edge(world: World, number: int, id: str, triple: tuple[str, str, str], rank: Authority) -> tuple[Edge, str]:
    subject, relation, object = triple
    functional = world.relation(relation).functional
    return Edge(number, subject, relation, object, functional, rank), f"{-number}:{id}"[:200]


def _found(
    world: World,
    near: Near,
    records: Mapping[int, TripleRecord],
    given: Mapping[int, tuple[Edge, str]],
    name: Callable[[str], str],
) -> Found:
    record = records.get(near.edge.number)
    id = record.id if record is not None else given[near.edge.number][1]
    return Found(id, _words(world, near.edge, name), near, record)


def _namer(world: World, asked: Asked) -> Callable[[str], str]:
    """How an entity is called in a prompt."""
    known = {**world.entities, **world.factions, **world.places}

    def name(id: str) -> str:
        if id in (asked.npc, asked.player) or id in asked.called:
            return asked.labels.of(id)
        return label_text(known.get(id, "")) or label_text(id) or "someone"

    return name


def _words(world: World, edge: Edge, name: Callable[[str], str]) -> str:
    parts = {"{subject}": name(edge.subject), "{object}": name(edge.object)}
    said = "".join(parts.get(part, part) for part in _PLACE.split(world.relation(edge.relation).text))
    return said[:1].upper() + said[1:]
