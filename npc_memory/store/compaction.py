"""Shortening a lineage: its timelines are joined, a few records at a time, and nobody sees any difference.

Every save that is loaded and played on adds a span to the lineage, and every read seeks once a span. So the two
neighbours that cost least are made one: first what hangs on the older one beyond the fork moves to a timeline of its
own, then the records of the younger one move over. Each step is a transaction that leaves a sound tree in which every
save and every timeline shows what it showed, so it may be the last one before a kill. The timeline that is played on
is left alone: records are being written to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from npc_memory.store.database import Database
from npc_memory.store.lineage import FOREVER, Lineage, fork_timeline, own_newest
from npc_memory.store.rows import canonical

__all__ = ["LABELLED", "MOST_FOREBEARS", "RECORDS_A_STEP", "step"]

MOST_FOREBEARS = 3
"""Timelines a lineage may have besides the one that is played on."""

RECORDS_A_STEP = 400
"""Records that one step moves at most: some 10 ms."""

COUNTED = 20_000
"""Records up to which two neighbours are told apart by what they cost."""

LABELLED = ("records", "state_changes", "hearings", "triples")
"""The tables whose rows name their timeline."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Neighbours in a lineage: ``child`` hangs on ``parent`` after ``fork`` and is seen up to ``through``."""

    child: int
    parent: int
    fork: int
    through: int


def step(database: Database, lineage: Lineage, most: int = MOST_FOREBEARS) -> bool:
    """Do a little within the transaction that is open; False when there is nothing (more) to do."""
    spans = lineage.spans[1:]
    if len(spans) <= max(1, most):
        return False
    pairs = [Pair(child, parent, fork, through) for (child, through), (parent, fork) in pairwise(spans)]
    pair = min(pairs, key=lambda one: _cost(database, one))
    if own_newest(database, pair.parent, FOREVER) > pair.fork:
        _clear(database, lineage.owner, pair)
    else:
        _join(database, pair)
    return True


def _cost(database: Database, pair: Pair) -> int:
    """How many records are to be moved to make one of the two."""
    counted = "SELECT COUNT(*) FROM (SELECT 1 FROM records WHERE timeline = ? AND seq > ? AND seq <= ? LIMIT ?)"
    beyond = database.number(counted, (pair.parent, pair.fork, FOREVER, COUNTED))
    return beyond + database.number(counted, (pair.child, pair.fork, pair.through, COUNTED))


def _clear(database: Database, owner: str, pair: Pair) -> None:
    """Move what the parent holds beyond the fork, newest first, to a timeline that goes on where the parent ends."""
    sql = "SELECT seq FROM records WHERE timeline = ? AND seq > ? ORDER BY seq DESC LIMIT ?"
    moved = [int(row[0]) for row in database.query(sql, (pair.parent, pair.fork, RECORDS_A_STEP))]
    _clip(database, pair.parent, moved[0])
    heir = _heir(database, owner, pair, moved[0])
    end = max(pair.fork, own_newest(database, pair.parent, moved[-1] - 1))
    _label(database, moved, heir)
    _hang(database, heir, pair.parent, end)
    for_all = {"from": pair.parent, "to": heir, "end": end, "child": pair.child}
    database.execute("UPDATE saves SET timeline = :to WHERE timeline = :from AND after_seq > :end", for_all)
    database.execute(
        "UPDATE branches SET parent = :to WHERE parent = :from AND fork_seq > :end AND timeline NOT IN (:to, :child)",
        for_all,
    )


def _heir(database: Database, owner: str, pair: Pair, newest: int) -> int:
    """A timeline that shows all of the parent and can go on with what it held; a new one if there is none."""
    found = database.scalar(
        "SELECT timeline FROM branches WHERE parent = ? AND fork_seq >= ? AND timeline <> ? ORDER BY timeline LIMIT 1",
        (pair.parent, newest, pair.child),
    )
    return int(found) if found is not None else fork_timeline(database, owner, (pair.parent, newest))


def _join(database: Database, pair: Pair) -> None:
    """Move the oldest records of the child to the parent, which holds none beyond the fork."""
    _clip(database, pair.parent, pair.fork)
    sql = "SELECT seq FROM records WHERE timeline = ? AND seq <= ? ORDER BY seq LIMIT ?"
    moved = [int(row[0]) for row in database.query(sql, (pair.child, pair.through, RECORDS_A_STEP))]
    end = moved[-1] if len(moved) == RECORDS_A_STEP else pair.through
    _label(database, moved, pair.parent)
    for_all = {"from": pair.child, "to": pair.parent, "end": end}
    database.execute("UPDATE saves SET timeline = :to WHERE timeline = :from AND after_seq <= :end", for_all)
    database.execute("UPDATE branches SET parent = :to WHERE parent = :from AND fork_seq <= :end", for_all)
    _hang(database, pair.child, pair.parent, end)


def _clip(database: Database, timeline: int, newest: int) -> None:
    """Who hangs on ``timeline`` later than its ``newest`` record sees no more than up to that, and must not see what
    may come to lie there.
    """
    database.execute("UPDATE saves SET after_seq = ? WHERE timeline = ? AND after_seq > ?", (newest, timeline, newest))
    database.execute("UPDATE branches SET fork_seq = ? WHERE parent = ? AND fork_seq > ?", (newest, timeline, newest))


def _label(database: Database, moved: list[int], timeline: int) -> None:
    """These records belong to ``timeline`` from now on."""
    for table in LABELLED:
        database.execute(
            f"UPDATE {table} SET timeline = ? WHERE seq IN (SELECT value FROM json_each(?))",
            (timeline, canonical(moved)),
        )


def _hang(database: Database, timeline: int, parent: int, fork: int) -> None:
    database.execute("UPDATE branches SET parent = ?, fork_seq = ? WHERE timeline = ?", (parent, fork, timeline))
