"""Reading relationships and triples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from npc_memory.memory import Being, Identities, RelationshipChange, TripleRecord
from npc_memory.memory.identities import FOREVER
from npc_memory.memory.triples import Edge
from npc_memory.store import bond_queries, rows
from npc_memory.store.database import Database

__all__ = ["BondView"]


class BondView:
    """The part of a view that reads what one feels for another, and who stands how to whom."""

    _database: Database
    identities: Callable[[], Identities]
    _of: Callable[..., Any]
    _with: Callable[..., dict[str, object]]

    def relationship_changes(self, npc: str, other: str, *, since: int = 0) -> tuple[RelationshipChange, ...]:
        """What changed in what ``npc`` feels for ``other``, after record number ``since``, oldest first."""

        def read(since: int, npc: str, other: str) -> list[RelationshipChange]:
            parameters = self._with(npc=npc, other=other, since=since)
            return self._database.read(rows.relationship, bond_queries.PAIR, parameters)

        return tuple(self._of((npc, other), since, read, _seq))

    def all_relationship_changes(self, npc: str, *, since: int = 0) -> tuple[RelationshipChange, ...]:
        """What changed in what ``npc`` feels for anyone, after record number ``since``, oldest first."""

        def read(since: int, npc: str) -> list[RelationshipChange]:
            return self._database.read(rows.relationship, bond_queries.BY_NPC, self._with(npc=npc, since=since))

        return tuple(self._of((npc,), since, read, _seq))

    def triples(self, npc: str = "", *, since: int = 0) -> tuple[TripleRecord, ...]:
        """Every triple of ``npc`` ("": of the world) after record number ``since``, oldest first, also what is over."""

        def read(since: int, npc: str) -> list[TripleRecord]:
            return self._database.read(rows.triple, bond_queries.TRIPLES, self._with(npc=npc, since=since))

        return tuple(self._of((npc,), since, read, _seq)) if npc else tuple(read(since, npc))

    def has_triples(self) -> bool:
        """False when nobody knows any triple, on whatever timeline."""
        return self._database.scalar("SELECT 1 FROM triples LIMIT 1") is not None

    def neighbours(
        self, npc: str, seeds: Sequence[tuple[str, int]], game_time: int, *, hops: int = 2
    ) -> tuple[Edge, ...]:
        """The triples that ``npc`` or everyone knows and that hold at ``game_time``, at most ``hops`` away from
        ``seeds`` (ids, and the hops already gone to them), both ways, in order. Of an entity with very many it has the
        newest, ``bond_queries.FAN`` in each direction, and perhaps some more.
        """
        if not seeds:
            return ()
        parameters = self._graph(npc, seeds=rows.canonical([list(one) for one in seeds]), now=game_time, hops=hops)
        return tuple(Edge(*row) for row in self._database.query(bond_queries.WALK, parameters))

    def triples_at(self, seqs: Sequence[int]) -> dict[int, TripleRecord]:
        """The triples with these record numbers, by number; one that is not visible here, or retired, is left out."""
        if not seqs:
            return {}
        parameters = self._with(seqs=rows.canonical(list(seqs)))
        return {one.seq: one for one in self._database.read(rows.triple, bond_queries.NUMBERED, parameters)}

    def in_graph(self, npc: str, ids: Sequence[str]) -> tuple[str, ...]:
        """Those of ``ids`` that a triple of ``npc`` or of the world speaks of, or spoke of."""
        if not ids:
            return ()
        parameters = self._graph(npc, ids=rows.canonical(list(ids)))
        return tuple(str(row[0]) for row in self._database.query(bond_queries.IN_GRAPH, parameters))

    def replaced(self, npc: str, given: Sequence[tuple[str, str, str, int]], game_time: int) -> set[int]:
        """Which of ``given`` (subject, relation, object, valid_from; by position), of the game's rank, have
        ended for ``npc`` at ``game_time``, because a triple stands in their place.
        """
        if not given:
            return set()
        parameters = self._graph(npc, given=rows.canonical([list(one) for one in given]), now=game_time)
        return {int(row[0]) for row in self._database.query(bond_queries.REPLACED, parameters)}

    def _graph(self, npc: str, **parameters: object) -> dict[str, object]:
        known = self.identities()
        beings = [Being(""), *(known.same(npc) if npc else ())]
        same = [(id, root) for root in known.tied() for id in known.ids(root)]
        return self._with(
            beings=rows.canonical([[one.id, one.since, min(one.until, FOREVER)] for one in beings]),
            same=rows.canonical([list(one) for one in same]),
            births=rows.canonical([list(one) for one in known.births()]),
            **parameters,
        )


def _seq(one: RelationshipChange | TripleRecord) -> int:
    return one.seq
