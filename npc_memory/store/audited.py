"""Whose black boxes: found by all ids an NPC or a player has or had, and not by what an id meant before."""

from __future__ import annotations

from itertools import product

from npc_memory.memory import Identities
from npc_memory.store import queries
from npc_memory.store.database import Database
from npc_memory.store.lineage import FOREVER

__all__ = ["audited"]


def audited(
    database: Database, lineage: str, known: Identities, npc: str | None, player: str | None, limit: int | None
) -> list[int]:
    """Numbers of the audit records on ``lineage``, in order: those of one NPC or player if given (None: of all), who
    are who ``known`` says; only the newest ``limit`` of them if given.
    """
    named = {name: id for name, id in (("npc", npc), ("player", player)) if id is not None}
    where = "".join(f" AND r.{name} = :{name}" for name in named)
    where = f"r.kind = 'audit' AND r.seq > :since AND r.seq <= :until{where}"
    sql = f"{queries.select('audits', where, newest_first=True, numbers=True)} LIMIT :limit"
    found: set[int] = set()
    for beings in product(*map(known.same, named.values())):
        parameters = {
            "lineage": lineage,
            "since": max((one.since for one in beings), default=0),
            "until": min((one.until for one in beings), default=FOREVER),
            "limit": -1 if limit is None else limit,
            **{name: one.id for name, one in zip(named, beings, strict=True)},
        }
        found |= {int(row["seq"]) for row in database.query(sql, parameters)}
    newest = sorted(found)
    return newest if limit is None else newest[max(0, len(newest) - limit) :]
