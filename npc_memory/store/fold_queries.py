"""The statements that fold the records of a kind: read whole, what has come since, and single keys again.

Whole reads hop from key to key instead of reading every change, so that their cost follows the number of keys.
``UNION``, for in a damaged index the next key may be one that has been: without it the hops would never end.
"""

from __future__ import annotations

from npc_memory.store.queries import LINEAGE
from npc_memory.store.rows import HEADER

__all__ = [
    "ACTORS",
    "ACTORS_AGAIN",
    "ACTORS_SINCE",
    "ACTORS_TOUCHED",
    "IDENTITIES",
    "NEWS",
    "STATE",
    "STATE_AGAIN",
    "STATE_SINCE",
    "STATE_TOUCHED",
]

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

_NEWS = """FROM lineage l CROSS JOIN records r CROSS JOIN {table} d
WHERE r.timeline = l.timeline AND r.npc = '' AND r.kind = '{kind}' AND r.seq > :since AND r.seq <= l.through
    AND d.seq = r.seq"""
"""The visible records of a kind after ``:since``."""

NEWS = f"""WITH {LINEAGE} SELECT COUNT(*) FROM (
    SELECT 1 FROM lineage l CROSS JOIN records r
    WHERE r.timeline = l.timeline AND r.npc = '' AND r.kind = :kind AND r.seq > :since AND r.seq <= l.through
    LIMIT :most
)"""
"""How many of them there are, ``:most`` at the most; an index alone tells."""

_OF_STATE = _NEWS.format(table="state_changes", kind="state")

STATE_SINCE = f"WITH {LINEAGE} SELECT d.scope, d.key, d.value {_OF_STATE} ORDER BY r.seq"

STATE_TOUCHED = f"WITH {LINEAGE} SELECT json_array(d.scope, d.key) {_OF_STATE}"

STATE_AGAIN = f"""WITH {LINEAGE},
slots (scope, key) AS MATERIALIZED (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:keys)
),
newest (seq) AS (
    SELECT (SELECT MAX((SELECT MAX(c.seq) FROM state_changes c
        WHERE c.timeline = l.timeline AND c.scope = p.scope AND c.key = p.key AND c.seq <= l.through)) FROM lineage l)
    FROM slots p
)
SELECT s.scope, s.key, s.value FROM newest n CROSS JOIN state_changes s WHERE s.seq = n.seq"""

# An actor's records are of no session, so the newest on a timeline is one seek away.
_NEWEST_ACTOR = """SELECT MAX(c.seq) FROM records c
    WHERE c.timeline = p.timeline AND c.player = p.player AND c.npc = '' AND c.kind = 'actor' AND c.session = 0
        AND c.seq <= p.through"""

_ACTOR = f"""SELECT {HEADER}, d.name, d.faction FROM newest n CROSS JOIN records r CROSS JOIN actors d
WHERE r.seq = n.seq AND d.seq = r.seq ORDER BY r.player"""

ACTORS = f"""WITH RECURSIVE {LINEAGE},
persons (timeline, through, player) AS (
    SELECT l.timeline, l.through, (SELECT f.player FROM records f INDEXED BY records_by_player
        WHERE f.timeline = l.timeline AND f.player > '' ORDER BY f.player LIMIT 1) FROM lineage l
    UNION
    SELECT p.timeline, p.through, (SELECT f.player FROM records f INDEXED BY records_by_player
        WHERE f.timeline = p.timeline AND f.player > p.player ORDER BY f.player LIMIT 1)
    FROM persons p WHERE p.player IS NOT NULL
),
newest (seq) AS (SELECT MAX(({_NEWEST_ACTOR})) FROM persons p WHERE p.player IS NOT NULL GROUP BY p.player)
{_ACTOR}"""

_OF_ACTORS = _NEWS.format(table="actors", kind="actor")

ACTORS_SINCE = f"WITH {LINEAGE} SELECT {HEADER}, d.name, d.faction {_OF_ACTORS} ORDER BY r.seq"

ACTORS_TOUCHED = f"WITH {LINEAGE} SELECT json_quote(r.player) {_OF_ACTORS}"

ACTORS_AGAIN = f"""WITH {LINEAGE},
newest (seq) AS (
    SELECT MAX(({_NEWEST_ACTOR})) FROM (
        SELECT l.timeline, l.through, j.value AS player FROM json_each(:keys) j CROSS JOIN lineage l
    ) p GROUP BY p.player
)
{_ACTOR}"""

IDENTITIES = f"""WITH {LINEAGE} SELECT r.seq, r.player, d.alias_of
{_NEWS.format(table="identities", kind="identity")} ORDER BY r.seq"""
"""Every alias and rebirth after ``:since``, oldest first: few."""
