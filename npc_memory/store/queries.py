"""The reading statements. Each starts from the lineage's spans and takes of each what an index finds there.

So neither other owners nor abandoned futures are read, ranked or counted. ``CROSS JOIN`` fixes the order in which
SQLite nests: spans outside, then a seek into an index that begins with the timeline; or, for a record known by number,
the record first. Order is by ``seq``, which is unique.
"""

from __future__ import annotations

from npc_memory.memory import DEPRECATED
from npc_memory.store.rows import HEADER

__all__ = [
    "ANSWER",
    "DERIVED",
    "EXCHANGES",
    "GAME_TIME",
    "KNOWERS",
    "LAST_END",
    "LAST_NPC_SEQ",
    "LAST_TURN",
    "NEWEST",
    "OPEN_SESSIONS",
    "REPLACED",
    "SEES",
    "SESSION",
    "SLOTTED",
    "SOURCES",
    "UNTOLD",
    "ever",
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
    "beliefs": (
        "d.text, d.subject, d.confidence, COALESCE(b.slot, '') AS slot, COALESCE(b.value, '') AS value,"
        " COALESCE(b.sentiment, 0.0) AS sentiment, COALESCE(b.valid_from, r.game_time) AS valid_from,"
        " COALESCE(b.distance, 0) AS distance, COALESCE(b.scope, '') AS scope,"
        " COALESCE(b.hand_written, 0) AS hand_written"
    ),
    "audits": "d.turn, d.payload",
}
"""The columns of each kind's own table."""


def revised(table: str) -> str:
    """What must be joined for the columns of ``table``."""
    beside = " LEFT JOIN belief_details b ON b.seq = r.seq" if table == "beliefs" else ""
    return f" {REVISED}" if table == "turns" else beside


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


def ever(table: str) -> str:
    """Those of the records ``:seqs`` (a JSON list) that are in ``table`` and visible, retired ones too, in order."""
    return (
        f"WITH {LINEAGE} SELECT {HEADER}, {DETAILS[table]}"
        f" FROM json_each(:seqs) j CROSS JOIN records r CROSS JOIN {table} d CROSS JOIN lineage l{revised(table)}"
        f" WHERE r.seq = j.value AND d.seq = r.seq AND l.timeline = r.timeline AND r.seq <= l.through ORDER BY r.seq"
    )


SLOTTED = f"""WITH RECURSIVE {LINEAGE},
holders (timeline, through, npc) AS (
    SELECT l.timeline, l.through, (SELECT f.npc FROM records f
        WHERE f.timeline = l.timeline AND f.npc > '' ORDER BY f.npc LIMIT 1) FROM lineage l
    UNION
    SELECT p.timeline, p.through, (SELECT f.npc FROM records f
        WHERE f.timeline = p.timeline AND f.npc > p.npc ORDER BY f.npc LIMIT 1) FROM holders p WHERE p.npc IS NOT NULL
)
SELECT {HEADER}, {DETAILS["beliefs"]}
FROM holders h CROSS JOIN records r CROSS JOIN beliefs d CROSS JOIN belief_details b
WHERE r.timeline = h.timeline AND r.npc = h.npc AND r.kind = 'belief' AND r.seq <= h.through AND d.seq = r.seq
    AND d.subject IN (SELECT value FROM json_each(:ids)) AND b.seq = d.seq AND b.slot <> '' AND {ALIVE}
ORDER BY r.seq"""
"""What is believed, whoever believes it, of a slot of one of the ``:ids`` (a JSON list): all visible beliefs are looked
at, no others.
"""

REPLACED = f"""WITH {LINEAGE}
SELECT x.target FROM derivations d CROSS JOIN retirements x CROSS JOIN records r CROSS JOIN lineage l
WHERE d.source = :seq AND x.seq = d.seq AND x.reason = '{DEPRECATED}' AND r.seq = x.seq AND l.timeline = r.timeline
    AND r.seq <= l.through ORDER BY x.target"""
"""What was retired because of one record."""

KNOWERS = f"""WITH {LINEAGE}
SELECT DISTINCT r.npc FROM derivations d CROSS JOIN records r CROSS JOIN lineage l
WHERE d.source = :seq AND r.seq = d.seq AND r.kind IN ('episode', 'belief') AND l.timeline = r.timeline
    AND r.seq <= l.through ORDER BY r.npc"""
"""Whose memories hold anything that was made from one record."""

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

_ENDS = """(SELECT r.{column} FROM records r INDEXED BY records_by_player
    WHERE r.timeline = l.timeline AND r.npc = :npc AND r.player = :player AND r.kind = 'session' AND r.seq <= l.through
    ORDER BY r.session DESC, r.seq DESC LIMIT 1)"""
"""The newest end of a conversation on one timeline: one seek, for sessions only rise there."""

SESSION = f"WITH {LINEAGE} SELECT MAX({_ENDS.format(column='session')}) FROM lineage l"

LAST_END = f"""WITH {LINEAGE} SELECT r.seq, r.session, r.provenance FROM records r
WHERE r.seq = (SELECT MAX({_ENDS.format(column="seq")}) FROM lineage l)"""
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

ANSWER = f"""WITH {LINEAGE}
SELECT k.answer FROM keys k CROSS JOIN records r CROSS JOIN lineage l
WHERE k.key = :key AND r.seq = k.seq AND l.timeline = r.timeline AND r.seq <= l.through ORDER BY r.seq LIMIT 1"""

UNTOLD = """SELECT 1 FROM turns t WHERE t.seq = :seq AND t.mark = '' AND NOT EXISTS (
    SELECT 1 FROM derivations d CROSS JOIN records e WHERE d.source = t.seq AND e.seq = d.seq AND e.kind = 'episode')"""
"""One row for a turn that was said in earnest and that no episode tells, whatever can be seen."""

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
