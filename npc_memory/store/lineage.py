"""Timelines and what can be seen from one: its own records and its forebears' up to each fork.

A timeline is forked from another after one of its records. Its lineage is a list of spans, newest first: this
timeline without end, its parent up to the fork, and so on. A record is visible when one span holds it, so loading
copies nothing and what lies in an abandoned future is not even looked at.

A timeline's own records all come after its fork, and it forks later than its parent did.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from npc_memory.errors import UnknownId
from npc_memory.store.database import Database
from npc_memory.store.failures import damaged

__all__ = [
    "FOREVER",
    "Lineage",
    "current_timeline",
    "fork_point",
    "fork_timeline",
    "lineage_of",
    "moment",
    "own_newest",
    "present",
    "set_head",
]

FOREVER = 2**63 - 1

_UP = """
WITH RECURSIVE up (depth, timeline, parent, fork_seq, through) AS (
    SELECT 0, timeline, parent, fork_seq, :forever FROM branches WHERE timeline = :timeline AND owner = :owner
    UNION ALL
    SELECT up.depth + 1, b.timeline, b.parent, b.fork_seq, MIN(up.through, up.fork_seq)
    FROM up JOIN branches b ON b.timeline = up.parent WHERE up.fork_seq > COALESCE(b.fork_seq, -1)
)
SELECT timeline, through, parent FROM up ORDER BY depth
"""


@dataclass(frozen=True, slots=True)
class Lineage:
    """What ``timeline`` of ``owner`` can see: ``spans`` of (timeline, last visible seq), newest first."""

    timeline: int
    owner: str
    spans: tuple[tuple[int, int], ...]

    def parameter(self) -> str:
        """The spans as the JSON text that queries take."""
        return json.dumps(self.spans, separators=(",", ":"))

    def until(self, seq: int) -> Lineage:
        """The same timeline as it was when ``seq`` was its newest record."""
        return Lineage(self.timeline, self.owner, tuple((one, min(through, seq)) for one, through in self.spans))

    def shared(self, other: Lineage) -> int:
        """The number up to which both see the same records, beyond which they have none in common."""
        if self.spans == other.spans:
            return FOREVER
        theirs = dict(other.spans)
        return next((min(through, theirs[one]) for one, through in self.spans if one in theirs), 0)


def lineage_of(database: Database, timeline: int, owner: str) -> Lineage:
    """The lineage of ``timeline``; ``UnknownId`` when this owner has none of that number."""
    rows = database.query(_UP, {"timeline": timeline, "owner": owner, "forever": FOREVER})
    if not rows:
        raise UnknownId("timeline", str(timeline))
    if rows[-1]["parent"] is not None:
        raise damaged(database.where, "a timeline hangs nowhere")
    return Lineage(timeline, owner, tuple((int(row[0]), int(row[1])) for row in rows))


def moment(database: Database, owner: str, seq: int) -> Lineage | None:
    """What was visible when the record of number ``seq`` was the newest; None when this owner has none of it."""
    sql = "SELECT timeline FROM records WHERE seq = ? AND owner = ?"
    found = database.scalar(sql, (seq, owner))
    return None if found is None else lineage_of(database, int(found), owner).until(seq)


def current_timeline(database: Database, owner: str) -> int | None:
    """The timeline this owner plays on; None before the first."""
    found = database.scalar("SELECT timeline FROM heads WHERE owner = ? ORDER BY id DESC LIMIT 1", (owner,))
    return None if found is None else int(found)


def set_head(database: Database, timeline: int, owner: str, save: int | None = None) -> None:
    """From now on this owner plays on ``timeline``, going on from the save of that number."""
    database.execute("INSERT INTO heads (owner, timeline, save) VALUES (?, ?, ?)", (owner, timeline, save))


def own_newest(database: Database, timeline: int, through: int) -> int:
    """The number of the newest record of ``timeline`` itself up to ``through``, 0 when there is none."""
    return database.number("SELECT MAX(seq) FROM records WHERE timeline = ? AND seq <= ?", (timeline, through))


def fork_point(lineage: Lineage, seq: int) -> tuple[int, int]:
    """Where a fork of ``lineage`` after ``seq`` hangs: the oldest timeline that shows the same records.

    A timeline without records of its own up to ``seq`` is passed over, so a thousand loads of one save make a
    thousand siblings and not a chain of a thousand.
    """
    spans = lineage.spans
    at = 0
    while at + 1 < len(spans) and seq <= spans[at + 1][1]:
        at += 1
    return spans[at][0], seq


def present(database: Database, lineage: Lineage) -> tuple[int, int]:
    """Where ``lineage`` stands now: the timeline of its newest record, and that record's number (0: it has none)."""
    for timeline, through in lineage.spans:
        if newest := own_newest(database, timeline, through):
            return timeline, newest
    return lineage.spans[-1][0], 0


def fork_timeline(database: Database, owner: str, parent: tuple[int, int] | None) -> int:
    """Begin a timeline, a child of ``parent`` (timeline, last shared seq) or an owner's first; return its number."""
    timeline, seq = parent if parent is not None else (None, None)
    child = database.execute("INSERT INTO timelines (owner) VALUES (?)", (owner,))
    database.execute(
        "INSERT INTO branches (timeline, owner, parent, fork_seq) VALUES (?, ?, ?, ?)", (child, owner, timeline, seq)
    )
    return child
