"""Compacting changes where records hang and nothing that anybody sees; it may be killed after any step."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from searches import examples
from store_scene import GAME, exchange, texts

from npc_memory.store import Store, compaction
from npc_memory.store.compaction import LABELLED, MOST_FOREBEARS, step
from npc_memory.store.lineage import lineage_of
from npc_memory.store.seen import Seen
from npc_memory.store.view import View


def forebears(store):
    return len(store._seen.lineage.spans) - 1


def shown(view):
    """All that can be seen from one place."""
    return (
        [turn.id for turn in view.turns("marta")],
        [one.id for one in view.episodes("marta")],
        list(view.state().items()),
        view.game_time(),
        view.exchange_count("marta"),
        view.newest_seq(),
    )


def everything(store):
    """What each save and each timeline of the store shows."""
    found = {one.save.save_id: shown(store.save_view(one.save.save_id)) for one in store.save_tree()}
    return found, shown(store), [shown(store.at(seq)) for seq in range(0, store.newest_seq() + 1, 37)]


def tree_is_sound(store):
    assert store.check() == []
    rows = store._database.query("SELECT timeline, parent, fork_seq FROM branches")
    fork = {row["timeline"]: -1 if row["fork_seq"] is None else row["fork_seq"] for row in rows}
    for row in rows:
        assert row["parent"] is None or fork[row["parent"]] < row["fork_seq"]
        oldest = store._database.scalar("SELECT MIN(seq) FROM records WHERE timeline = ?", (row["timeline"],))
        assert oldest is None or oldest > fork[row["timeline"]]
    sql = "SELECT COUNT(*) FROM state_changes s JOIN records r ON r.seq = s.seq WHERE r.timeline <> s.timeline"
    assert store._database.number(sql) == 0


def set_state(store, key, value):
    with store.transaction() as write:
        write.state(authority=GAME, key=key, value=value)
        write.clock(authority=GAME, game_time=store.game_time() + 1)


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_chain_of_loads_becomes_short_and_shows_the_same(beyond):
    with Store.open(":memory:", world="w") as store:
        for number in range(12):
            exchange(store, f"line {number}", "aye")
            set_state(store, f"k{number % 5}", number)
            store.save("quick")
            for _ in range(beyond):
                exchange(store, f"lost {number}", "oh")
            store.load("quick")
        assert forebears(store) == 12
        before = everything(store)
        steps = 0
        while store.compact_step():
            steps += 1
            assert everything(store) == before
        tree_is_sound(store)
        assert steps >= 9
        assert forebears(store) == MOST_FOREBEARS
        exchange(store, "on", "and on")
        assert texts(store)[-2:] == ["on", "and on"]


moves = st.lists(
    st.tuples(st.sampled_from(["play", "save", "load", "compact", "reopen"]), st.integers(0, 99)),
    min_size=5,
    max_size=40,
)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(moves)
def test_any_game_shows_the_same_compacted(tmp_path_factory, moves):
    path = tmp_path_factory.mktemp("compaction") / "w.db"
    store = Store.open(path, world="w")
    models, slots, current, count = {}, [], [], 0
    for move, number in moves:
        if move == "play":
            count += 1
            said = exchange(store, f"{count}", "aye")
            current = [*current, said[0].id, said[1].id]
        elif move == "save":
            slot = f"s{number % 6}"
            models[store.save(slot).save_id] = current
            slots = sorted({*slots, slot})
        elif move == "load" and slots:
            known = sorted(models)
            target = known[number % len(known)]
            before = current
            current = models[store.load(target).save_id]
            if "auto" in {one.slot for one in store.saves()} and store.find_save("auto").save_id not in models:
                models[store.find_save("auto").save_id] = before
        elif move == "compact":
            with store._database.lock, store._database.transaction():
                step(store._database, store._seen.lineage, most=1)
            store._seen.relabel(lineage_of(store._database, store.timeline, ""))
        elif move == "reopen":
            store.close()
            store = Store.open(path, world="w")
        assert [turn.id for turn in store.turns("marta")] == current
    for save_id, turns in models.items():
        assert [turn.id for turn in store.save_view(save_id).turns("marta")] == turns
    tree_is_sound(store)
    store.close()


def test_a_long_past_is_moved_in_steps_that_each_may_be_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr(compaction, "RECORDS_A_STEP", 20)
    path = tmp_path / "w.db"
    draw = random.Random(3)
    with Store.open(path, world="w") as store:
        for number in range(MOST_FOREBEARS + 3):
            for _ in range(10):
                exchange(store, f"line {number}", "aye")
            store.save("quick")
            for _ in range(draw.choice([0, 9])):
                exchange(store, "lost", "oh")
            store.load("quick")
        before = everything(store)
    steps = 0
    while True:
        with Store.open(path, world="w") as store:
            assert everything(store) == before
            if not store.compact_step():
                break
            steps += 1
    assert steps > 3, "three joins, none in a single step"


def test_every_table_that_names_a_timeline_is_relabelled():
    with Store.open(":memory:", world="w") as store:
        tables = [row[0] for row in store._database.query("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        named = {
            table
            for table in tables
            if "timeline" in {row[1] for row in store._database.query(f"PRAGMA table_info({table})")}
        }
    assert named - {"branches", "heads", "saves"} == set(LABELLED)


def test_a_view_of_the_past_goes_along():
    with Store.open(":memory:", world="w") as store:
        for number in range(8):
            exchange(store, f"{number}", "aye")
            store.save("quick")
            store.load("quick")
        past = store.at(store.newest_seq() - 5)
        before = shown(past)
        store.compact()
        assert shown(past) == before


class Overtaken:
    """A lock that somebody else gets first, the ``th`` time it is asked for: the store is compacted meanwhile."""

    def __init__(self, store, th):
        self.store, self.lock, self.left, self.depth = store, store._database.lock, th, 0
        store._database.lock = self

    def __enter__(self):
        self.lock.acquire()
        self.depth += 1
        if self.depth == 1:
            self.left -= 1
            if self.left == 0:
                while self.store.compact_step():
                    pass

    def __exit__(self, *_):
        self.depth -= 1
        self.lock.release()


READS = {
    "turns": lambda store: store.turns("marta"),
    "dialogue": lambda store: store.dialogue("marta", "p1"),
    "episodes": lambda store: store.episodes("marta"),
    "beliefs": lambda store: store.beliefs("marta"),
    "triples": lambda store: store.triples("marta"),
    "relationship": lambda store: store.relationship_changes("marta", "p1"),
    "state": lambda store: store.state(),
    "actors": lambda store: store.actors(),
    "events": lambda store: store.events(),
    "audits": lambda store: store.audits(),
    "game_time": lambda store: store.game_time(),
    "exchange_count": lambda store: store.exchange_count("marta"),
    "newest_seq": lambda store: store.newest_seq(),
    "newest_turn": lambda store: store.newest_turn("marta"),
    "last_npc_seq": lambda store: store.last_npc_seq("marta"),
    "past": lambda store: store.at(store.newest_seq() - 3).turns("marta"),
}


def long_past():
    store = Store.open(":memory:", world="w")
    for number in range(8):
        exchange(store, f"line {number}", "aye")
        set_state(store, f"k{number}", number)
        with store.transaction() as write:
            write.actor(authority=GAME, actor=f"a{number}", name="Rolf")
            write.event(authority=GAME, kind="sight", text=f"event {number}", audience=("marta",))
            write.belief(authority=GAME, npc="marta", text=f"belief {number}")
            write.triple(authority=GAME, npc="marta", subject="p1", relation="sells", object=f"thing {number}")
            write.relationship(authority=GAME, npc="marta", other="p1", kind="trust", amount=1)
        store.save("quick")
        store.load("quick")
    return store


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_read_that_compacting_overtakes_misses_nothing(read):
    th, overtaken = 0, True
    while overtaken:
        th += 1
        with long_past() as store:
            before, spans = read(store), store._seen.lineage.spans
            store._seen.forget()
            Overtaken(store, th)
            assert read(store) == before
            overtaken = store._seen.lineage.spans != spans
    assert th > 1, "nothing overtook it"


def test_a_past_that_compacting_overtakes_while_it_is_looked_up_misses_nothing(monkeypatch):
    th, overtaken = 0, True
    while overtaken:
        th, overtaken = th + 1, False
        with long_past() as store:
            expected, seq = store.at(store.newest_seq() - 3).turns("marta"), store.newest_seq() - 3
            left = [th]

            def lineage(seen, store=store, left=left):
                found = seen._lineage
                left[0] -= 1
                if left[0] == 0:
                    while store.compact_step():
                        pass
                return found  # as it was a moment ago

            with monkeypatch.context() as patch:
                patch.setattr(Seen, "lineage", property(lineage))
                past = Seen.past(store._seen, seq)
            assert View(store._database, past).turns("marta") == expected, th
            overtaken = left[0] <= 0
        assert th < 50
    assert th > 1, "it is looked up at least once"
