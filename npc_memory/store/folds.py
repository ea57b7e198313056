"""World state, actors, who is who: what the records of a kind come to, worked out once and carried on.

A fold holds all records of its kind up to a number. It grows by those that come after; on another timeline it is taken
back to what both timelines share, by looking again at what was changed beyond. So neither a load nor a long past makes
the first look slow. What is found so is what reading all records would find.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from npc_memory.memory import ActorRecord, StateValue
from npc_memory.store import fold_queries, rows
from npc_memory.store.database import Database
from npc_memory.store.fold_queries import NEWS
from npc_memory.store.lineage import moment
from npc_memory.store.queries import NEWEST
from npc_memory.store.rows import canonical
from npc_memory.store.seen import Fold, Left, Seen

__all__ = ["ACTORS", "IDENTITIES", "STATE", "Folding", "folded"]

MOST_TAKEN_BACK = 500
"""Changes up to which a fold is taken back; where there are more, all is read anew."""

Pair = tuple[Any, Any]
"""What is known by a key; None takes it out."""


@dataclass(frozen=True, slots=True)
class Folding:
    """How the records of a ``kind`` are folded. ``whole``: the statement that reads a fold from nothing; ``since``: the
    records after ``:since``, in order, with the same columns; ``pair``: key and value of a row.

    ``touched``: the keys of what was changed after ``:since``, as JSON can hold them; ``again``: those of the ``:keys``
    (a JSON list) that are there, as ``whole`` gives them; ``key``: one of ``touched`` as a fold has it. Without these
    three a key is the number of a record.
    """

    kind: str
    whole: str
    since: str
    pair: Callable[[sqlite3.Row], Pair]
    touched: str = ""
    again: str = ""
    key: Callable[[Any], Any] = lambda key: key


def folded(database: Database, seen: Seen, folding: Folding) -> Mapping[Any, Any]:
    """What the visible records of a kind come to now, in order of keys. Its parts must not be changed."""
    with database.lock:
        # Within a transaction a fold may hold what is yet taken back, so it is another one and lives as long.
        kept = seen.folds_within(database.span) if database.in_transaction else seen.folds
        known = kept.get(folding.kind) or seen.folds.get(folding.kind)
        if known is None or known.writes != database.writes:
            known = _current(database, seen, folding, known)
            kept[folding.kind] = known
        return known.found


def _current(database: Database, seen: Seen, folding: Folding, known: Fold | None) -> Fold:
    given = {"lineage": seen.parameter}
    newest = database.number(NEWEST, {**given, "npc": "", "kind": folding.kind})
    if known is None:
        known = _taken_over(database, seen, folding)
    if known is None:
        known = _whole(database, seen, folding, newest)
    if known.since < newest:
        since = database.read(folding.pair, folding.since, {**given, "since": known.since})
        known = _made(newest, since, known.found)
    return known._replace(writes=database.writes)


def _whole(database: Database, seen: Seen, folding: Folding, newest: int) -> Fold:
    """The fold read from nothing."""
    found = database.read(folding.pair, folding.whole, {"lineage": seen.parameter, "since": 0})
    return _made(newest, found, {})


def _taken_over(database: Database, seen: Seen, folding: Folding) -> Fold | None:
    """The fold of an earlier timeline, as far as it holds here."""
    for left in seen.left:
        known = left.folds.get(folding.kind)
        if known is None or not left.shared:
            continue
        if known.since <= left.shared:
            return known
        if not folding.touched:
            found = {key: value for key, value in known.found.items() if key <= left.shared}
            return Fold(left.shared, MappingProxyType(found))
        keys = _touched(database, seen.lineage.owner, folding, left)
        if keys is not None:
            again = database.read(folding.pair, folding.again, {"lineage": seen.parameter, "keys": canonical(keys)})
            gone = [(folding.key(key), None) for key in keys]
            return _made(left.shared, [*gone, *again], known.found)
    return None


def _touched(database: Database, owner: str, folding: Folding, left: Left) -> list[Any] | None:
    """The keys of what was changed beyond what is shared; None when that is much."""
    then = left.lineage or moment(database, owner, left.newest)
    if then is None:
        return None
    given = {"lineage": then.parameter(), "since": left.shared, "kind": folding.kind, "most": MOST_TAKEN_BACK + 1}
    if database.number(NEWS, given) > MOST_TAKEN_BACK:
        return None
    found = database.query(folding.touched, given)
    return [json.loads(one) for one in sorted({str(row[0]) for row in found})]


def _made(since: int, pairs: Sequence[Pair], known: Mapping[Any, Any]) -> Fold:
    if not pairs and isinstance(known, MappingProxyType):
        return Fold(since, known)
    merged = {**known, **dict(pairs)}
    return Fold(since, MappingProxyType({key: merged[key] for key in sorted(merged) if merged[key] is not None}))


def _slot(row: sqlite3.Row) -> tuple[tuple[str, str], StateValue | None]:
    return (row["scope"], row["key"]), rows.value_of(row["value"])


def _actor(row: sqlite3.Row) -> tuple[str, ActorRecord]:
    one = rows.actor(row)
    return one.actor, one


def _tie(row: sqlite3.Row) -> tuple[int, tuple[str, str]]:
    return int(row["seq"]), (str(row["player"]), str(row["alias_of"]))


STATE = Folding(
    "state",
    fold_queries.STATE,
    fold_queries.STATE_SINCE,
    _slot,
    fold_queries.STATE_TOUCHED,
    fold_queries.STATE_AGAIN,
    tuple,
)
"""World state: (scope, key) → value. Removed keys are absent."""

ACTORS = Folding(
    "actor",
    fold_queries.ACTORS,
    fold_queries.ACTORS_SINCE,
    _actor,
    fold_queries.ACTORS_TOUCHED,
    fold_queries.ACTORS_AGAIN,
)
"""The newest record of every actor, by actor id."""

IDENTITIES = Folding("identity", fold_queries.IDENTITIES, fold_queries.IDENTITIES, _tie)
"""Every tie: (actor, alias of) by the number of its record."""
