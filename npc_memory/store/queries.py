"""The reading statements. Each starts from the lineage's spans and takes of each what an index finds there.

So neither other owners nor abandoned futures are read, ranked or counted. ``CROSS JOIN`` fixes the order in which
SQLite nests: spans outside, then a seek into an index that begins with the timeline; or, for a record known by number,
the record first. Order is by ``seq``, which is unique.
"""

from __future__ import annotations

from npc_memory.store.rows import HEADER

__all__ = [
    "ACTORS",
    "ACTORS_SINCE",
    "ANSWER",
    "DERIVED",
    "EXCHANGES",
    "GAME_TIME",
    "IDENTITIES",
    "IDENTITIES_SINCE",
    "LAST_END",
    "LAST_NPC_SEQ",
    "LAST_TURN",
    "NEWEST",
    "OPEN_SESSIONS",
    "SEES",
    "SESSION",
    "SOURCES",
    "STATE",
    "STATE_SINCE",
    "select",
    "select_one",
]

LINEAGE = """lineage (timeline, through) AS MATERIALIZED (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:lineage)
)"""

ALIVE = """NOT EXISTS (
    SELECT 1 FROM retirements x CROSS JOIN records y CROSS JOIN lineage m
    WHERE x.target = r.seq AND y.seq = x.seq AND m.timeline = y.timeline AND y.seq <= m.through
)"""

REVISED = """LEFT JOIN revisions v ON v.seq = (
    SELECT MAX(w.seq) FROM revisions w CROSS JOIN records z CROSS JOIN lineage n
    WHERE w.target = r.seq AND z.seq = w.seq AND n.timeline = z.timeline AND z.seq <= n.through
)"""
"""What a turn says by the newest revision that is visible; nothing when there is none."""

DETAILS: dict[str, str] = {
    "turns": (
        "COALESCE(v.text, d.text) AS text, COALESCE(v.mark, d.mark) AS mark, COALESCE(v.mood, d.mood) AS mood,"
        " COALESCE(v.action, d.action) AS action, COALESCE(v.roll, 0) AS roll"
    ),
    "episodes": "d.text, d.kind, d.importance, d.turns",
    "events": "d.text, d.kind, d.importance, d.data",
    "beliefs": "d.text, d.subject, d.confidence",
    "audits": "d.turn, d.payload",
}
"""The columns of each kind's own table."""


def revised(table: str) -> str:
    """What must be joined for the columns of ``table``."""
    return f" {REVISED}" if table == "turns" else ""


def select(table: str, where: str, *, newest_first: bool = False, numbers: bool = False) -> str:
    """Visible records of ``table`` for which ``where`` holds (``r`` is the header), in order of ``seq``; or only their
    ``numbers``.
    """
    columns = "r.seq" if numbers else f"{HEADER}, {DETAILS[table]}"
    return (
        f"WITH {LINEAGE} SELECT {columns} FROM lineage l CROSS JOIN records r CROSS JOIN {table} d"
        f"{'' if numbers else revised(table)}"
        f" WHERE r.timeline = l.timeline AND r.seq <= l.through AND d.seq = r.seq AND {where} AND {ALIVE}"
        f" ORDER BY r.seq{' DESC' if newest_first else ''}"
    )


def select_one(table: str) -> str:
    """The visible record ``:seq`` of ``table``, if it is of ``:kind``."""
    return (
        f"WITH {LINEAGE} SELECT {HEADER}, {DETAILS[table]} FROM records r CROSS JOIN {table} d CROSS JOIN lineage l"
        f"{revised(table)} WHERE r.seq = :seq AND r.kind = :kind AND d.seq = r.seq AND l.timeline = r.timeline"
        f" AND r.seq <= l.through AND {ALIVE}"
    )


NEWEST = f"""WITH {LINEAGE}
SELECT MAX((SELECT MAX(r.seq) FROM records r
    WHERE r.timeline = l.timeline AND r.npc = :npc AND r.kind = :kind AND r.seq <= l.through)) FROM lineage l"""
"""The newest visible record of a kind in one NPC's memory: one seek a span."""

GAME_TIME = f"SELECT game_time FROM records WHERE seq = ({NEWEST})"

EXCHANGES = f"SELECT exchange FROM turns WHERE seq = ({NEWEST})"

LAST_NPC_SEQ = f"""WITH {LINEAGE}
SELECT MAX((SELECT r.npc_seq FROM records r
    WHERE r.timeline = l.timeline AND r.npc = :npc AND r.seq <= l.through
    ORDER BY r.seq DESC LIMIT 1)) FROM lineage l"""

SESSION = f"""WITH {LINEAGE}
SELECT MAX(r.session) FROM lineage l CROSS JOIN records r INDEXED BY records_by_player
WHERE r.timeline = l.timeline AND r.npc = :npc AND r.player = :player AND r.kind = 'session' AND r.seq <= l.through"""

LAST_END = f"""WITH {LINEAGE}
SELECT r.seq, r.session, r.provenance FROM lineage l CROSS JOIN records r INDEXED BY records_by_player
WHERE r.timeline = l.timeline AND r.npc = :npc AND r.player = :player AND r.kind = 'session' AND r.seq <= l.through
ORDER BY r.session DESC, r.seq DESC LIMIT 1"""
"""The newest end of a conversation."""

LAST_TURN = f"""WITH {LINEAGE}
SELECT MAX((SELECT MAX(r.seq) FROM records r
    WHERE r.timeline = l.timeline AND r.player = :player AND r.npc = :npc AND r.kind = 'turn'
        AND r.session = :session AND r.seq <= l.through)) FROM lineage l"""
"""The newest turn of one conversation: one seek a span."""

OPEN_SESSIONS = f"""WITH {LINEAGE}
SELECT r.npc FROM lineage l CROSS JOIN records r
WHERE r.timeline = l.timeline AND r.seq <= l.through AND r.kind = 'turn' AND r.player = :player
GROUP BY r.npc
HAVING MAX(r.session) > COALESCE((
    SELECT MAX(e.session) FROM lineage m CROSS JOIN records e INDEXED BY records_by_player
    WHERE e.timeline = m.timeline AND e.npc = r.npc AND e.player = :player AND e.kind = 'session'
        AND e.seq <= m.through), 0)
ORDER BY r.npc"""

# Hops from key to key instead of reading every change: the cost follows the number of keys, not of changes.
# UNION, for in a damaged index the next key may be one that has been: without it the hops would never end.
STATE = f"""WITH RECURSIVE {LINEAGE},
slots (timeline, through, scope, key) AS (
    SELECT l.timeline, l.through, s.scope, s.key FROM lineage l CROSS JOIN state_changes s
    WHERE s.seq = (SELECT f.seq FROM state_changes f WHERE f.timeline = l.timeline
        ORDER BY f.scope, f.key, f.seq LIMIT 1)
    UNION
    SELECT p.timeline, p.through, s.scope, s.key FROM slots p CROSS JOIN state_changes s
    WHERE s.seq = COALESCE(
        (SELECT n.seq FROM state_changes n
            WHERE n.timeline = p.timeline AND n.scope = p.scope AND n.key > p.key ORDER BY n.key, n.seq LIMIT 1),
        (SELECT n.seq FROM state_changes n
            WHERE n.timeline = p.timeline AND n.scope > p.scope ORDER BY n.scope, n.key, n.seq LIMIT 1))
),
newest (seq) AS (
    SELECT MAX((SELECT MAX(c.seq) FROM state_changes c
        WHERE c.timeline = p.timeline AND c.scope = p.scope AND c.key = p.key AND c.seq <= p.through))
    FROM slots p GROUP BY p.scope, p.key
)
SELECT s.scope, s.key, s.value FROM newest n CROSS JOIN state_changes s WHERE s.seq = n.seq ORDER BY s.scope, s.key"""

STATE_SINCE = """SELECT s.scope, s.key, s.value FROM state_changes s
WHERE s.seq > :since AND s.seq <= :through AND s.timeline = :timeline ORDER BY s.seq"""
"""What a timeline has changed since a fold was made: its own newest records, whatever its lineage."""

ACTORS_SINCE = f"""SELECT {HEADER}, d.name, d.faction FROM actors d CROSS JOIN records r
WHERE d.seq > :since AND d.seq <= :through AND r.seq = d.seq AND r.timeline = :timeline ORDER BY r.seq"""

ACTORS = f"""WITH {LINEAGE},
newest (seq) AS (
    SELECT MAX(r.seq) FROM lineage l CROSS JOIN records r
    WHERE r.timeline = l.timeline AND r.npc = '' AND r.kind = 'actor' AND r.seq <= l.through
    GROUP BY r.player
)
SELECT {HEADER}, d.name, d.faction FROM newest n CROSS JOIN records r CROSS JOIN actors d
WHERE r.seq = n.seq AND d.seq = r.seq ORDER BY r.player"""

IDENTITIES = f"""WITH {LINEAGE}
SELECT r.seq, r.player, d.alias_of FROM lineage l CROSS JOIN records r CROSS JOIN identities d
WHERE r.timeline = l.timeline AND r.npc = '' AND r.kind = 'identity' AND r.seq <= l.through AND d.seq = r.seq
ORDER BY r.seq"""
"""Every alias and rebirth, oldest first: few."""

IDENTITIES_SINCE = """SELECT r.seq, r.player, d.alias_of FROM identities d CROSS JOIN records r
WHERE d.seq > :since AND d.seq <= :through AND r.seq = d.seq AND r.timeline = :timeline ORDER BY r.seq"""

ANSWER = f"""WITH {LINEAGE}
SELECT k.answer FROM keys k CROSS JOIN records r CROSS JOIN lineage l
WHERE k.key = :key AND r.seq = k.seq AND l.timeline = r.timeline AND r.seq <= l.through ORDER BY r.seq LIMIT 1"""

SEES = f"""WITH {LINEAGE}
SELECT r.authority FROM records r CROSS JOIN lineage l
WHERE r.seq = :seq AND r.kind = :kind AND l.timeline = r.timeline AND r.seq <= l.through AND {ALIVE}"""
"""The rank of a visible record that is not retired; no row otherwise."""

SOURCES = f"""WITH {LINEAGE}
SELECT r.seq, r.kind, r.npc, COALESCE(v.mark, t.mark) AS mark
FROM json_each(:seqs) j CROSS JOIN records r CROSS JOIN lineage l LEFT JOIN turns t ON t.seq = r.seq {REVISED}
WHERE r.seq = j.value AND l.timeline = r.timeline AND r.seq <= l.through AND {ALIVE}"""
"""Those of several records that are visible and not retired: kind, whose memory, a turn's mark."""

DERIVED = f"""WITH {LINEAGE}
SELECT r.kind, r.seq FROM derivations d CROSS JOIN records r CROSS JOIN lineage l
WHERE d.source = :seq AND r.seq = d.seq AND l.timeline = r.timeline AND r.seq <= l.through AND {ALIVE} ORDER BY r.seq"""
