"""Relationships and triples as candidates among the beliefs of one reply."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from npc_memory.bonds.reading import MONEY, relationship_of
from npc_memory.bonds.words import LONGEST_REASON, sentences
from npc_memory.memory import Authority, Belief, Fact, TripleRecord
from npc_memory.memory.relationships import KINDS
from npc_memory.memory.triples import FIRST
from npc_memory.people import Cast
from npc_memory.prompt import Labels, label_text
from npc_memory.recall.graph import MOST_ENTRIES, Graph, possible_ids
from npc_memory.recall.names import NameTable
from npc_memory.store import Store
from npc_memory.world import World

__all__ = ["MOST_TRIPLES", "RELATIONSHIP", "Asked", "offered_bonds"]

MOST_TRIPLES = 8
"""Triples that are offered to one reply."""

RELATIONSHIP = 2.0
"""Score of the relationship with the one she answers: above what is found by words."""

FELT = 0.75
"""Confidence of a feeling: what is felt stands in a prompt without a word of doubt or of knowledge before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The reply that candidates are for: who answers whom, to what ``query``; the ``facts`` that hold and that she
    knows. ``told``: which records may come up, None for all.
    """

    npc: str
    player: str
    query: str
    facts: Sequence[Fact]
    game_time: int
    cast: Cast
    labels: Labels
    called: Mapping[str, str]
    told: Callable[[Any], bool] | None = None

    def may_tell(self, record: Any) -> bool:
        """Whether a record of hers may come up."""
        return self.told is None or self.told(record)


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


def offered_bonds(world: World, store: Store, asked: Asked) -> tuple[Belief, ...]:
    """What she feels for the one she answers, if it is not neutral, and the triples near what the line names."""
    return (*_feelings(world, store, asked), *_triples(world, store, asked))


def _feelings(world: World, store: Store, asked: Asked) -> tuple[Belief, ...]:
    known = relationship_of(world, store, asked.npc, asked.player, lambda id: asked.labels.player)
    shown = sentences({kind: getattr(known, kind) for kind in KINDS}, asked.labels.player, world.money or MONEY)
    if not shown:
        return ()
    last = next((one for one in reversed(known.history) if one.kind in shown), None)
    text = " ".join(shown.values())
    if last is not None and 0 < len(why := last.reason.strip()) <= LONGEST_REASON and asked.may_tell(last):
        text = f"{text} ({why})"
    return (
        Belief(
            id=last.id if last is not None else f"start:{asked.player}"[:200],
            text=text,
            confidence=FELT,
            score=RELATIONSHIP,
            game_time=last.game_time if last is not None else asked.game_time,
        ),
    )


def _triples(world: World, store: Store, asked: Asked) -> tuple[Belief, ...]:
    canon, began = _canon(world, asked), _began(world, store, asked)
    given = (*canon, *began)
    if not given and not store.has_triples():
        return ()
    one = cache(asked.cast.id_of)
    entries = _entries(world, store, asked, given, one)
    if not entries:
        return ()
    reached = Graph((), given, one).reached(entries, hops=1)
    beyond = {end for triple, _ in reached.values() for end in (one(triple.subject), one(triple.object))}
    seeds = [(id, 0) for id in entries] + [(id, 1) for id in sorted(beyond - {*entries})]
    stored = store.neighbours(asked.npc, seeds, asked.game_time)
    graph = Graph(
        [triple for triple in stored if not triple.npc or asked.may_tell(triple)],
        given,
        one,
        [triple.id for triple in canon],
    )
    name = _namer(world, asked, one)
    near = graph.near(asked.query, entries, lambda triple: _words(world, triple, name), name)
    return tuple(
        Belief(
            id=found.triple.id,
            text=_words(world, found.triple, name),
            confidence=found.triple.confidence,
            score=found.score,
            game_time=found.triple.game_time,
        )
        for found in near[:MOST_TRIPLES]
    )


def _entries(
    world: World, store: Store, asked: Asked, given: Iterable[TripleRecord], one: Callable[[str], str]
) -> tuple[str, ...]:
    """The entities that the line names and of which something is known: by name first, then by id."""
    names = {**world.entities, **world.factions, **world.places, **asked.called}
    found = [*store.kept(_Names).table(names).named_in(asked.query), *possible_ids(asked.query)]
    known = store.identities()
    ids = {id: one(id) for candidate in found for id in (candidate, *known.ids(candidate))}
    there = {one(end) for triple in given for end in (triple.subject, triple.object)}
    there |= {one(id) for id in store.in_graph(asked.npc, list(ids))}
    return tuple(dict.fromkeys(id for id in ids.values() if id in there))[:MOST_ENTRIES]


def _canon(world: World, asked: Asked) -> tuple[TripleRecord, ...]:
    """What the facts say that hold and that she knows."""
    said = [(f"fact:{fact.id}", triple) for fact in asked.facts for triple in world.canon[fact.id].triples]
    return tuple(_record(world, asked, n, id, triple, Authority.DESIGNER) for n, (id, triple) in enumerate(said))


def _began(world: World, store: Store, asked: Asked) -> tuple[TripleRecord, ...]:
    """What the pack says that she knows when a new game begins, as far as nothing has changed since."""
    written, identities = world.npcs[asked.npc].triples, store.identities()
    if not written or identities.at(asked.npc, 1) != identities.now(asked.npc):
        return ()
    over = store.replaced(asked.npc, [(*triple, FIRST) for triple in written], asked.game_time)
    return tuple(
        _record(world, asked, n, "start", triple, Authority.GAME) for n, triple in enumerate(written) if n not in over
    )


def _record(
    world: World, asked: Asked, number: int, id: str, triple: tuple[str, str, str], rank: Authority
) -> TripleRecord:
    subject, relation, object = triple
    return TripleRecord(
        id=f"{number}:{id}"[:200],
        npc=asked.npc,
        subject=subject,
        relation=relation,
        object=object,
        game_time=asked.game_time,
        valid_from=FIRST,
        functional=world.relation(relation).functional,
        authority=rank,
    )


def _namer(world: World, asked: Asked, one: Callable[[str], str]) -> Callable[[str], str]:
    known = {**world.entities, **world.factions, **world.places}

    @cache
    def name(id: str) -> str:
        used = one(id)
        if used in (asked.npc, asked.player) or used in asked.called:
            return asked.labels.of(used)
        return label_text(known.get(used, "")) or label_text(used) or "someone"

    return name


def _words(world: World, triple: TripleRecord, name: Callable[[str], str]) -> str:
    parts = {"{subject}": name(triple.subject), "{object}": name(triple.object)}
    said = "".join(parts.get(part, part) for part in _PLACE.split(world.relation(triple.relation).text))
    return said[:1].upper() + said[1:]


_PLACE = re.compile(r"(\{subject\}|\{object\})")
