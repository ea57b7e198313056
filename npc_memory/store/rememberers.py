"""Who remembers anything."""

from __future__ import annotations

from npc_memory.store.queries import LINEAGE
from npc_memory.store.view import View

__all__ = ["rememberers"]

_WHO = f"""WITH {LINEAGE}
SELECT r.npc FROM lineage l CROSS JOIN records r
WHERE r.timeline = l.timeline AND r.seq <= l.through AND r.kind IN ('episode', 'belief')
UNION SELECT h.npc FROM lineage l CROSS JOIN hearings h
WHERE h.timeline = l.timeline AND h.seq <= l.through AND h.kind = 'episode' ORDER BY 1"""


def rememberers(view: View) -> tuple[str, ...]:
    """The ids of the NPCs who have lived through, overheard or believed something that is visible here, sorted."""
    return tuple(str(row[0]) for row in view.seen_by(_WHO) if row[0])
