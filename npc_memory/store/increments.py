"""Statements for what has come since, and for a few records out of many: reading grows with the news, not the past."""

from __future__ import annotations

from npc_memory.store.queries import ALIVE, DETAILS, LINEAGE, revised
from npc_memory.store.rows import HEADER

__all__ = ["BELIEFS", "DIALOGUE", "EPISODES", "RETIRED", "numbered"]

DIALOGUE = "r.npc = :npc AND r.player = :player AND r.kind = 'turn' AND r.session = :session AND r.seq > :since"
"""Condition: the turns of one conversation after ``:since``."""

EPISODES = "r.npc = :npc AND r.kind = 'episode' AND r.seq > :since"
"""Condition: the episodes of one NPC after ``:since``."""

BELIEFS = "r.npc = :npc AND r.kind = 'belief' AND r.seq > :since"
"""Condition: the beliefs of one NPC after ``:since``."""

RETIRED = f"""WITH {LINEAGE}
SELECT r.seq, x.target FROM lineage l CROSS JOIN records r CROSS JOIN retirements x
WHERE r.timeline = l.timeline AND r.seq <= l.through AND r.npc = :npc AND r.kind = 'retirement' AND r.seq > :since
    AND x.seq = r.seq ORDER BY r.seq"""
"""Retirements in one NPC's memory after ``:since``: their number and that of what they retired."""


def numbered(table: str) -> str:
    """Those of the records ``:seqs`` (a JSON list) that are in ``table``, visible and not retired, in order."""
    return (
        f"WITH {LINEAGE} SELECT {HEADER}, {DETAILS[table]}"
        f" FROM json_each(:seqs) j CROSS JOIN records r CROSS JOIN {table} d CROSS JOIN lineage l"
        f"{revised(table)}"
        f" WHERE r.seq = j.value AND d.seq = r.seq AND l.timeline = r.timeline AND r.seq <= l.through AND {ALIVE}"
        f" ORDER BY r.seq"
    )
