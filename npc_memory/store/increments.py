"""Statements for what has come since, and for a few records out of many: reading grows with the news, not the past."""

from __future__ import annotations

from npc_memory.memory import DEPRECATED
from npc_memory.store.queries import ALIVE, DETAILS, LINEAGE, revised
from npc_memory.store.rows import HEADER

__all__ = [
    "BELIEFS",
    "DEPRECATIONS",
    "DIALOGUE",
    "EPISODES",
    "HEARD_EPISODES",
    "HEARD_LINES",
    "HEARD_RETIRED",
    "LINES",
    "RETIRED",
    "TURNS",
    "WORDINGS",
    "numbered",
]

DIALOGUE = "r.npc = :npc AND r.player = :player AND r.kind = 'turn' AND r.session = :session AND r.seq > :since"
"""Condition: the turns of one conversation after ``:since``."""

TURNS = "r.npc = :npc AND r.kind = 'turn' AND r.seq > :since"
"""Condition: the turns of one NPC after ``:since``."""

EPISODES = "r.npc = :npc AND r.kind = 'episode' AND r.seq > :since"
"""Condition: the episodes of one NPC after ``:since``."""

BELIEFS = "r.npc = :npc AND r.kind = 'belief' AND r.seq > :since"
"""Condition: the beliefs of one NPC after ``:since``."""

_WORDS = f"""WITH {LINEAGE} SELECT r.seq, d.text, {{of}} FROM lineage l CROSS JOIN records r CROSS JOIN {{table}}
WHERE r.timeline = l.timeline AND r.seq <= l.through AND d.seq = r.seq AND {{where}} ORDER BY r.seq"""

WORDINGS = {
    "episode": _WORDS.format(of="'', ''", table="episodes d", where=EPISODES),
    "belief": _WORDS.format(
        of="COALESCE(b.slot, ''), d.subject",
        table="beliefs d LEFT JOIN belief_details b ON b.seq = r.seq",
        where=BELIEFS,
    ),
}
"""What one NPC's memories of a kind after ``:since`` say, retired ones too; of a belief also what of whom."""

_HEARD = """FROM lineage l CROSS JOIN hearings h CROSS JOIN records r{join}
WHERE h.timeline = l.timeline AND h.npc = :npc AND h.kind = '{kind}' AND h.seq > :since AND h.seq <= l.through
    AND r.seq = h.seq AND {more} ORDER BY h.seq"""
"""What one NPC overheard after ``:since``, whosever memory it lies in."""

LINES = f"""WITH {LINEAGE}
SELECT r.seq, r.speaker, r.game_time, r.npc, 0 AS heard FROM lineage l CROSS JOIN records r INDEXED BY records_by_player
WHERE r.timeline = l.timeline AND r.seq <= l.through AND {DIALOGUE} AND {ALIVE} ORDER BY r.seq"""
"""The turns of one conversation after ``:since``, in brief."""

HEARD_LINES = f"""WITH {LINEAGE} SELECT r.seq, r.speaker, r.game_time, r.npc, 1 AS heard
{_HEARD.format(join="", kind="turn", more=f"h.player = :player AND {ALIVE}")}"""

HEARD_EPISODES = f"""WITH {LINEAGE} SELECT {HEADER}, {DETAILS["episodes"]}
{_HEARD.format(join=" CROSS JOIN episodes d", kind="episode", more=f"d.seq = h.seq AND {ALIVE}")}"""

HEARD_RETIRED = f"""WITH {LINEAGE} SELECT h.seq, d.target
{_HEARD.format(join=" CROSS JOIN retirements d", kind="retirement", more="d.seq = h.seq")}"""

RETIRED = f"""WITH {LINEAGE}
SELECT r.seq, x.target FROM lineage l CROSS JOIN records r CROSS JOIN retirements x
WHERE r.timeline = l.timeline AND r.seq <= l.through AND r.npc = :npc AND r.kind = 'retirement' AND r.seq > :since
    AND x.seq = r.seq ORDER BY r.seq"""
"""Retirements in one NPC's memory after ``:since``: their number and that of what they retired."""

DEPRECATIONS = f"""WITH {LINEAGE}
SELECT {HEADER}, 'belief' AS target_kind, x.target, x.reason
FROM lineage l CROSS JOIN records r CROSS JOIN retirements x
WHERE r.timeline = l.timeline AND r.seq <= l.through AND r.npc = :npc AND r.kind = 'retirement' AND r.seq > :since
    AND x.seq = r.seq AND x.reason = '{DEPRECATED}' ORDER BY r.seq"""
"""Retirements of one NPC's beliefs because of newer ones."""


def numbered(table: str) -> str:
    """Those of the records ``:seqs`` (a JSON list) that are in ``table``, visible and not retired, in order."""
    return (
        f"WITH {LINEAGE} SELECT {HEADER}, {DETAILS[table]}"
        f" FROM json_each(:seqs) j CROSS JOIN records r CROSS JOIN {table} d CROSS JOIN lineage l"
        f"{revised(table)}"
        f" WHERE r.seq = j.value AND d.seq = r.seq AND l.timeline = r.timeline AND r.seq <= l.through AND {ALIVE}"
        f" ORDER BY r.seq"
    )
