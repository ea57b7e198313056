"""The tree of all saves: which save each was played on from, and how much was written in between.

Every save and every fork is looked at once: what was visible where a timeline forked is worked out once for all that
hang on it. So a game with thousands of saves costs thousands of steps and four statements.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from npc_memory.memory import SaveInfo, SaveNode
from npc_memory.store.database import Database
from npc_memory.store.failures import damaged
from npc_memory.store.rows import canonical

__all__ = ["nodes"]

Key = tuple[int, int]
"""Where a save lies among all: the number of the last record it shows, and its own."""

BEFORE_ALL: Key = (-1, -1)


class _Branch(NamedTuple):
    """``parent`` (None: it is a first one) and the last record shared with it."""

    parent: int | None
    fork: int


class _Past(NamedTuple):
    """What is visible at one moment: how many records, and the newest save."""

    records: int
    save: Key


def nodes(
    database: Database, owner: str, rows: Iterable[sqlite3.Row], info: Callable[[sqlite3.Row], SaveInfo]
) -> tuple[SaveNode, ...]:
    """The saves of these ``rows`` in order; ``info`` makes their descriptions."""
    rows = list(rows)
    tree = _Tree(database, owner, rows)
    head = database.query("SELECT save FROM heads WHERE owner = ? ORDER BY id DESC LIMIT 1", (owner,))
    current = head[0]["save"] if head else None
    ids = {row["id"]: str(row["save_id"]) for row in rows}
    found = []
    for row in rows:
        parent, records = tree.played_on_from(row["timeline"], (row["after_seq"], row["id"]))
        found.append(
            SaveNode(save=info(row), parent=ids.get(parent[1], ""), records=records, playing=row["id"] == current)
        )
    return tuple(found)


class _Tree:
    def __init__(self, database: Database, owner: str, rows: list[sqlite3.Row]) -> None:
        self._where = database.where
        sql = "SELECT timeline, parent, fork_seq FROM branches WHERE owner = ?"
        self._branches = {int(t): _Branch(parent, int(fork or 0)) for t, parent, fork in database.query(sql, (owner,))}
        self._saves: dict[int, list[Key]] = {}
        self._timelines = {int(row["id"]): int(row["timeline"]) for row in rows}
        for row in rows:
            self._saves.setdefault(row["timeline"], []).append((row["after_seq"], row["id"]))
        for saves in self._saves.values():
            saves.sort()
        self._counts = self._counted(database)
        self._forks: dict[int, _Past] = {}

    def played_on_from(self, timeline: int, save: Key) -> tuple[Key, int]:
        """The newest save before this one that it shows, and how many records came after that."""
        before = self._newest(timeline, (save[0], save[1] - 1))
        records = self._records(timeline, save[0])
        if before == BEFORE_ALL:
            return before, records
        return before, records - self._records(self._timelines[before[1]], before[0])

    def _newest(self, timeline: int, until: Key) -> Key:
        saves = self._saves.get(timeline, [])
        at = bisect_right(saves, until)
        return max(saves[at - 1] if at else BEFORE_ALL, self._at_fork(timeline).save)

    def _records(self, timeline: int, seq: int) -> int:
        return self._at_fork(timeline).records + self._counts[timeline, seq]

    def _at_fork(self, timeline: int) -> _Past:
        """What is visible where ``timeline`` begins."""
        way = [timeline]
        while way[-1] not in self._forks and (parent := self._branch(way[-1]).parent) is not None:
            # A timeline forks later than its parent did: else it is no tree, and the way may have no end.
            grand = self._branch(parent)
            if grand.parent is not None and self._branch(way[-1]).fork <= grand.fork:
                raise damaged(self._where, "a timeline hangs nowhere")
            way.append(parent)
        self._forks.setdefault(way[-1], _Past(0, BEFORE_ALL))
        for parent, child in pairwise(reversed(way)):
            fork = self._branch(child).fork
            save = self._newest(parent, (fork, 2**63))
            self._forks[child] = _Past(self._records(parent, fork), save)
        return self._forks[timeline]

    def _branch(self, timeline: int) -> _Branch:
        if timeline not in self._branches:
            raise damaged(self._where, "a timeline hangs nowhere")
        return self._branches[timeline]

    def _counted(self, database: Database) -> dict[tuple[int, int], int]:
        """How many records each timeline has of its own up to each save and each fork: every record is counted once."""
        places = {(timeline, seq) for timeline, saves in self._saves.items() for seq, _ in saves}
        places |= {(one.parent, one.fork) for one in self._branches.values() if one.parent is not None}
        asked, last = [], (0, 0)
        for place in sorted(places):
            asked.append([*place, last[1] if last[0] == place[0] else -1])
            last = place
        found: dict[tuple[int, int], int] = {}
        for (timeline, seq, since), row in zip(asked, database.query(_COUNTS, (canonical(asked),)), strict=True):
            found[timeline, seq] = found.get((timeline, since), 0) + int(row[0])
        return found


_COUNTS = """SELECT (SELECT COUNT(*) FROM records r WHERE r.timeline = json_extract(j.value, '$[0]')
    AND r.seq > json_extract(j.value, '$[2]') AND r.seq <= json_extract(j.value, '$[1]'))
FROM json_each(?) j ORDER BY j.key"""
