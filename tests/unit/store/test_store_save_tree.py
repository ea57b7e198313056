"""The tree of saves: what reading each save's whole lineage shows, at the cost of looking at each save once."""

from __future__ import annotations

import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_scene import exchange

from npc_memory.errors import StoreDamaged
from npc_memory.store import Store
from npc_memory.store.database import Database
from npc_memory.store.lineage import lineage_of


def by_lineages(store: Store) -> list[tuple[str, str, int]]:
    """Id, parent and records of each save, found by following each lineage to its beginning."""
    database, owner = store._database, store.owner_key
    rows = database.query("SELECT * FROM saves WHERE owner = ? ORDER BY id", (owner,))
    found = []
    for row in rows:
        spans = lineage_of(database, row["timeline"], owner).until(row["after_seq"]).spans
        through = dict(spans)
        key = (row["after_seq"], row["id"])
        past = [
            (one["after_seq"], one["id"], one["save_id"])
            for one in rows
            if one["after_seq"] <= through.get(one["timeline"], -1) and (one["after_seq"], one["id"]) < key
        ]
        since, _, parent = max(past, default=(0, 0, ""))
        sql = "SELECT COUNT(*) FROM records WHERE timeline = ? AND seq > ? AND seq <= ?"
        found.append((row["save_id"], parent, sum(database.number(sql, (one, since, last)) for one, last in spans)))
    return found


def shown(store: Store) -> list[tuple[str, str, int]]:
    return [(one.save.save_id, one.parent, one.records) for one in store.save_tree()]


SLOTS = st.sampled_from("abc")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("save", "load", "delete")), SLOTS),
        st.tuples(st.sampled_from(("play", "compact", "auto", "fork")), st.just("")),
    ),
    max_size=40,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_it_shows_what_each_lineage_shows(steps: list[tuple[str, str]]) -> None:
    with Store.open(":memory:", world="w") as store:
        for what, slot in steps:
            slots = {one.slot for one in store.saves()}
            if what == "play":
                exchange(store, "a", "b")
            elif what == "save":
                store.save(slot)
            elif what == "load" and slot in slots:
                store.load(slot)
            elif what == "auto" and "auto" in slots:
                store.load("auto")
            elif what == "delete" and slot in slots:
                store.delete_save(slot)
            elif what == "fork":
                store.fork(seq=store.newest_seq() // 2)
            elif what == "compact":
                store.compact_step()
        assert shown(store) == by_lineages(store)


def grown(store: Store, saves: int) -> None:
    """A chain of timelines, each played on from the one before it, each with five saves, four of them left behind."""
    timeline, last = store.timeline, 0
    database = store._database
    with database.transaction():
        for number in range(saves):
            if number % 5 == 0 and number:
                timeline = database.execute("INSERT INTO timelines (owner) VALUES ('')")
                database.execute("INSERT INTO branches VALUES (?, '', ?, ?)", (timeline, timeline - 1, last - 3))
            last = database.execute(
                "INSERT INTO records (kind, timeline, owner, npc, npc_seq, player, session, game_time, speaker,"
                " addressee, place, audience, provenance, authority)"
                " VALUES ('clock', ?, '', '', ?, '', 0, 0, '', '', '', '[]', '[]', 2)",
                (timeline, number + 1),
            )
            database.execute(
                "INSERT INTO saves (save_id, owner, timeline, after_seq, game_time, real_time, world_version,"
                " automatic, note) VALUES (?, '', ?, ?, 0, 0, '', 0, '')",
                (f"save-{number:020x}", timeline, last),
            )


def cost(saves: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Statements, and calls of functions, that the tree of so many saves takes."""
    counted: Counter[str] = Counter()
    with Store.open(":memory:", world="w") as store, monkeypatch.context() as patch:
        grown(store, saves)
        real = Database._bound
        patch.setattr(Database, "_bound", lambda self, *given: (counted.update(["sql"]), real(self, *given))[1])
        before = sys.getprofile()
        sys.setprofile(lambda frame, event, arg: counted.update([event]))
        try:
            tree = store.save_tree()
        finally:
            sys.setprofile(before)
        found = counted["sql"], counted["call"]
        assert len(tree) == saves
        assert {one.records for one in tree} == {1}, "each goes on from the one before it"
        if saves <= 500:
            assert shown(store) == by_lineages(store)
    return found


def test_five_thousand_saves_cost_ten_times_as_much_as_five_hundred(monkeypatch) -> None:
    (few, steps), (same, more) = cost(500, monkeypatch), cost(5000, monkeypatch)
    assert few == same <= 5
    assert more <= 11 * steps


def test_a_tree_that_is_none_is_damage() -> None:
    with Store.open(":memory:", world="w") as store:
        exchange(store, "a", "b")
        store.save("a")
        store.fork()
        exchange(store, "a", "b")
        store.fork()
        exchange(store, "a", "b")
        store.save("b")
        with store._database.transaction():
            store._database.execute("UPDATE branches SET fork_seq = 1 WHERE timeline = 3")
        with pytest.raises(StoreDamaged, match="hangs nowhere"):
            store.save_tree()
