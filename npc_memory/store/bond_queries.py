"""Reading statements for relationships and triples; see ``queries`` for how they see no more than is visible.

A triple *holds* for an NPC at a game time when it is hers or the world's, has begun and has not ended, and no other
one that is visible to her stands in its place (``TripleRecord`` says which does). The walk takes of each entity the
newest few that hold, in each direction, from each place they may lie in; which of them count is for ``recall`` to say,
for it sees them all.
"""

from __future__ import annotations

from typing import NamedTuple

from npc_memory.memory import Authority
from npc_memory.store.queries import ALIVE, LINEAGE
from npc_memory.store.rows import HEADER

__all__ = ["BY_NPC", "FAN", "IN_GRAPH", "NUMBERED", "PAIR", "REPLACED", "TRIPLES", "WALK"]

FAN = 12
"""How many triples of one entity are followed in each direction, the newest that hold."""

_CHANGES = f"""WITH {LINEAGE}
SELECT {HEADER}, d.kind, d.how, d.amount, d.reason
FROM lineage l CROSS JOIN records r INDEXED BY {{index}} CROSS JOIN relationships d
WHERE r.timeline = l.timeline AND r.npc = :npc AND r.kind = 'relationship' AND r.seq <= l.through AND r.seq > :since
    AND {{more}} AND d.seq = r.seq AND {ALIVE} ORDER BY r.seq"""

PAIR = _CHANGES.format(index="records_by_player", more="r.player = :other AND r.session = 0")
"""What changed between one NPC and one other after ``:since``."""

BY_NPC = _CHANGES.format(index="records_by_kind", more="1")
"""What changed between one NPC and all others after ``:since``."""

TRIPLES = f"""WITH {LINEAGE}
SELECT {HEADER}, d.subject, d.relation, d.object, d.valid_from, d.valid_to, d.confidence, d.functional
FROM lineage l CROSS JOIN records r INDEXED BY records_by_kind CROSS JOIN triples d
WHERE r.timeline = l.timeline AND r.npc = :npc AND r.kind = 'triple' AND r.seq <= l.through AND r.seq > :since
    AND d.seq = r.seq AND {ALIVE} ORDER BY r.seq"""
"""Every triple of one NPC after ``:since``, over or not."""

# ``:beings``: [npc, since, until] of the world and of all that she is and was known as. ``:same``: [id, the one to use]
# of everyone who has several ids. ``:births``: [id, number] of everyone who took an id over from another.
_PLACES = f"""{LINEAGE},
places (timeline, through, npc, since) AS MATERIALIZED (
    SELECT l.timeline, MIN(l.through, json_extract(b.value, '$[2]')), json_extract(b.value, '$[0]'),
        json_extract(b.value, '$[1]')
    FROM lineage l CROSS JOIN json_each(:beings) b
),
same (id, node) AS MATERIALIZED (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:same)
),
births (id, seq) AS MATERIALIZED (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:births)
)"""


def _alive(one: str) -> str:
    """``one`` is not retired, and about those who have its ids now."""
    return f"""NOT EXISTS (
        SELECT 1 FROM retirements a CROSS JOIN records ar CROSS JOIN lineage al
        WHERE a.target = {one}.seq AND ar.seq = a.seq AND al.timeline = ar.timeline AND ar.seq <= al.through
    ) AND NOT EXISTS (SELECT 1 FROM births b WHERE b.seq >= {one}.seq AND b.id IN ({one}.subject, {one}.object))"""


class _Columns(NamedTuple):
    """Where the columns of a triple are found."""

    subject: str
    relation: str
    object: str
    begun: str
    seq: str
    rank: str


# CASE, here and below, because of AND and OR both sides are worked out.
_TIED = "EXISTS (SELECT 1 FROM same)"


def _of(t: str) -> _Columns:
    return _Columns(
        f"{t}.subject", f"{t}.relation", f"{t}.object", f"{t}.valid_from", f"{t}.seq", rank=f"{t}r.authority"
    )


def _another(y: str, than: _Columns, more: str, begun: str = "") -> str:
    """There is another one ``y`` that speaks of the same, for which ``more`` holds."""

    def by(source: str, subject: str) -> str:
        return f"""EXISTS (
            SELECT 1 FROM {source} CROSS JOIN triples {y} INDEXED BY triples_by_relation CROSS JOIN records {y}r
            WHERE {y}.timeline = {y}p.timeline AND {y}.npc = {y}p.npc
                AND {y}.seq > {y}p.since AND {y}.seq <= {y}p.through
                AND {y}.subject = {subject} AND {y}.relation = {than.relation} AND {y}.valid_from <= :now {begun}
                AND ({y}.functional AND ({y}.valid_to IS NULL OR {y}.valid_to > {y}.valid_from)
                    OR {y}.object = {than.object} OR CASE WHEN {_TIED} THEN EXISTS (
                    SELECT 1 FROM same u CROSS JOIN same v
                    WHERE u.id = {than.object} AND +v.node = u.node AND v.id = {y}.object
                ) ELSE 0 END)
                AND {y}r.seq = {y}.seq AND {more} AND {_alive(y)}
        )"""

    ids = (
        f"(SELECT i.id FROM same j CROSS JOIN same i WHERE j.id = {than.subject} AND +i.node = j.node AND i.id <> j.id)"
    )
    others = by(f"{ids} {y}k CROSS JOIN places {y}p", f"{y}k.id")
    return f"({by(f'places {y}p', than.subject)} OR CASE WHEN {_TIED} THEN {others} ELSE 0 END)"


def _later(y: str, than: _Columns) -> str:
    """A later one of at least that rank stands in its place."""
    later = f"({y}.valid_from > {than.begun} OR {y}.seq > {than.seq}) AND {y}r.authority >= {than.rank}"
    return _another(y, than, later, f"AND {y}.valid_from >= {than.begun}")


def _above(y: str, than: _Columns) -> str:
    """One of a higher rank holds, be it older."""
    holds = f"({y}.valid_to IS NULL OR {y}.valid_to > :now) AND NOT {_later('z', _of(y))}"
    above = _another(y, than, f"{y}r.authority > {than.rank} AND {holds}")
    return f"CASE WHEN {than.rank} < {Authority.GAME:d} THEN {above} ELSE 0 END"


_X = _of("x")

_HOLDS = f"""x.valid_from <= :now AND (x.valid_to IS NULL OR x.valid_to > :now) AND {_alive("x")}
    AND NOT {_later("y", _X)} AND NOT {_above("y", _X)}"""


def _newest(side: str, id: str) -> str:
    """The newest that hold of those with ``id`` at one side, in one place ``p``."""
    return f"""(
        SELECT x.seq FROM triples x INDEXED BY triples_by_{side} CROSS JOIN records xr
        WHERE x.timeline = p.timeline AND x.npc = p.npc AND x.{side} = {id} AND x.seq > p.since AND x.seq <= p.through
            AND xr.seq = x.seq AND {_HOLDS}
        ORDER BY x.seq DESC LIMIT {FAN}
    )"""


WALK = f"""WITH RECURSIVE {_PLACES},
walk (id, hop) AS (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:seeds)
    UNION
    SELECT i.id, w.hop FROM walk w CROSS JOIN same j CROSS JOIN same i WHERE j.id = w.id AND +i.node = j.node
    UNION
    SELECT e.object, w.hop + 1 FROM walk w CROSS JOIN places p CROSS JOIN triples e
    WHERE w.hop < :hops - 1 AND e.seq IN {_newest("subject", "w.id")}
    UNION
    SELECT e.subject, w.hop + 1 FROM walk w CROSS JOIN places p CROSS JOIN triples e
    WHERE w.hop < :hops - 1 AND e.seq IN {_newest("object", "w.id")}
),
nodes (id) AS MATERIALIZED (SELECT DISTINCT id FROM walk),
reached (seq) AS MATERIALIZED (
    SELECT e.seq FROM nodes n CROSS JOIN places p CROSS JOIN triples e WHERE e.seq IN {_newest("subject", "n.id")}
    UNION
    SELECT e.seq FROM nodes n CROSS JOIN places p CROSS JOIN triples e WHERE e.seq IN {_newest("object", "n.id")}
)
SELECT d.seq, d.subject, d.relation, d.object, d.functional, r.authority
FROM reached h CROSS JOIN triples d CROSS JOIN records r WHERE d.seq = h.seq AND r.seq = h.seq ORDER BY h.seq"""
"""The triples that hold within ``:hops`` of the entities ``:seeds`` ([id, hops gone already]), both ways."""

NUMBERED = f"""WITH {LINEAGE}
SELECT {HEADER}, d.subject, d.relation, d.object, d.valid_from, d.valid_to, d.confidence, d.functional
FROM json_each(:seqs) j CROSS JOIN records r CROSS JOIN triples d CROSS JOIN lineage l
WHERE r.seq = j.value AND d.seq = r.seq AND l.timeline = r.timeline AND r.seq <= l.through AND {ALIVE} ORDER BY r.seq"""
"""Those of the records ``:seqs`` (a JSON list) that are triples, visible and not retired, in order."""

IN_GRAPH = f"""WITH {_PLACES}
SELECT j.value FROM json_each(:ids) j WHERE EXISTS (
    SELECT 1 FROM places p CROSS JOIN triples t
    WHERE t.timeline = p.timeline AND t.npc = p.npc AND t.subject = j.value AND t.seq <= p.through
) OR EXISTS (
    SELECT 1 FROM places p CROSS JOIN triples t
    WHERE t.timeline = p.timeline AND t.npc = p.npc AND t.object = j.value AND t.seq <= p.through
) ORDER BY j.key"""
"""Those of ``:ids`` that triples speak of."""

REPLACED = f"""WITH {_PLACES},
given (at, subject, relation, object, begun) AS MATERIALIZED (
    SELECT key, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
        json_extract(value, '$[3]') FROM json_each(:given)
)
SELECT g.at FROM given g
WHERE {_later("y", _Columns("g.subject", "g.relation", "g.object", "g.begun", "0", f"{Authority.GAME:d}"))}
ORDER BY g.at"""
"""Which of ``:given`` ([subject, relation, object, valid_from]) a later one of the game's rank replaces."""
