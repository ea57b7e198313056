"""The part of a mind that is told, and asked, what NPCs feel for others and who stands how to whom."""

from __future__ import annotations

from collections.abc import Callable

from npc_memory.bonds.data import steps_of
from npc_memory.bonds.reading import relationship_of, relationships_of
from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.evidence import check_evidence
from npc_memory.idempotence import answered, answers
from npc_memory.memory import Authority, Relationship, TripleRecord, check_id
from npc_memory.people import Cast
from npc_memory.store import Store, checks
from npc_memory.store.ids import looks_like_record
from npc_memory.world import Npc, World

__all__ = ["Relating"]


class Relating:
    """Relationships and triples (docs/relationships.md)."""

    world: World
    store: Store
    npc: Callable[[str], Npc]

    def relate(
        self,
        npc: str,
        other: str,
        *,
        trust: int | None = None,
        affection: int | None = None,
        fear: int | None = None,
        respect: int | None = None,
        debt: int | None = None,
        exact: bool = False,
        reason: str = "",
        source: str = "",
        key: str = "",
    ) -> Relationship:
        """What ``npc`` feels for ``other`` moves by these amounts (``exact``: is so much now); return what it is then.

        Trust, affection and respect go from -100 to 100, fear from 0 to 100; debt is money that ``other`` owes her,
        below 0 that she owes. ``reason``: why, in words that a prompt may show; ``source``: id of the record it comes
        from (an event she perceived, a turn of hers), with which it is taken back. A ``key`` that has been answered
        before changes nothing.

        Raises ``UnknownId``, ``InvalidInput``, ``TextTooLong``; then nothing was stored.
        """
        given = {"trust": trust, "affection": affection, "fear": fear, "respect": respect, "debt": debt}
        steps = steps_of(
            {kind: value for kind, value in given.items() if value is not None}, exact=checks.flag(exact, "exact")
        )
        with self.store.transaction() as writer:
            of, to = self._pair(npc, other)
            if answered(self.store, key, "relate") is None:
                for kind, how, amount in steps:
                    writer.relationship(
                        npc=of,
                        other=to,
                        kind=kind,
                        how=how,
                        amount=amount,
                        reason=reason,
                        provenance=self._made_from(of, source),
                        authority=Authority.GAME,
                    )
                answers(writer, key, "relate", {}, npc=of, player=to)
            return relationship_of(self.world, self.store, of, to)

    def relationship(self, npc: str, other: str) -> Relationship:
        """What ``npc`` feels for ``other``, in numbers and words, and what changed it. Raises ``UnknownId``."""
        with self.store.reading():
            return relationship_of(self.world, self.store, *self._pair(npc, other))

    def relationships(self, npc: str) -> tuple[Relationship, ...]:
        """The same for everyone for whom ``npc`` feels or felt anything, by id. Raises ``UnknownId``."""
        with self.store.reading():
            return relationships_of(self.world, self.store, self.npc(npc).id)

    def triple(
        self,
        subject: str,
        relation: str,
        object: str,
        *,
        npc: str = "",
        confidence: float = 1.0,
        valid_from: int | None = None,
        valid_to: int | None = None,
        source: str = "",
        key: str = "",
    ) -> str:
        """``npc`` ("": everyone) knows from now on that ``subject`` stands in ``relation`` to ``object``, all by ids;
        return the record's id. It holds from ``valid_from`` (now) until before ``valid_to`` (None: without end).

        Of a relation with one object at a time (the world pack says which) a newer one ends the older. To say that
        something is over, write it once more with ``valid_to``: now, or when it ended. ``source`` and ``key``
        as in ``relate``.

        Raises ``UnknownId``, ``InvalidInput``; then nothing was stored.
        """
        for what, id in (("subject", subject), ("relation", relation), ("object", object)):
            check_id(id, what)
        with self.store.transaction() as writer:
            if (earlier := answered(self.store, key, "triple")) is not None:
                return str(earlier["triple"])
            cast, knower = Cast(self.world, self.store), self.npc(npc).id if npc else ""
            stored = writer.triple(
                npc=knower,
                subject=cast.id_of(subject),
                relation=relation,
                object=cast.id_of(object),
                confidence=confidence,
                valid_from=valid_from,
                valid_to=valid_to,
                functional=self.world.relation(relation).functional,
                provenance=self._made_from(knower, source),
                authority=Authority.GAME,
            )
            answers(writer, key, "triple", {"triple": stored.id})
            return stored.id

    def triples(self, npc: str = "") -> tuple[TripleRecord, ...]:
        """Every triple ``npc`` knows ("": that everyone knows) by a record, oldest first, also what is over."""
        with self.store.reading():
            return self.store.triples(self.npc(npc).id if npc else "")

    def _pair(self, npc: str, other: str) -> tuple[str, str]:
        of, to = self.npc(npc).id, Cast(self.world, self.store).id_of(check_id(other, "other"))
        if of == to:
            raise InvalidInput(f"{npc!r} has no relationship with herself", hint="name another id")
        return of, to

    def _made_from(self, npc: str, source: str) -> tuple[str, ...]:
        """Only a record goes when it is taken back or erased; a text that says whence would stay."""
        if source and not looks_like_record(check_id(source, "source")):
            raise UnknownId("record", source)
        if source and npc:
            check_evidence(self.store, npc, (source,))
        return (source,) if source else ("engine",)
