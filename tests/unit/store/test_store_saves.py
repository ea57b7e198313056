"""Save slots: a name for a place in the tree; loading hides what came after and loses nothing."""

from __future__ import annotations

import sqlite3

import pytest
from store_scene import GAME, exchange, texts

from npc_memory.errors import InvalidInput, Superseded, UnknownId
from npc_memory.memory import SaveInfo
from npc_memory.store import Continued, Store, saves


class WallClock:
    """Real time that a test sets."""

    def __init__(self):
        self.now = 1_700_000_000_000

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return WallClock()


@pytest.fixture
def store(clock):
    with Store.open(":memory:", world="w", world_version="1.0", wall_clock=clock) as opened:
        yield opened


def tick(store, game_time):
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=game_time)


def rows(store):
    return store._database.number("SELECT COUNT(*) FROM records")


def test_a_save_says_what_it_is(store, clock):
    tick(store, 300)
    made = store.save("day 3", "before the inn")
    assert made == SaveInfo(
        slot="day 3",
        save_id=made.save_id,
        game_time=300,
        real_time=clock.now,
        note="before the inn",
        world_version="1.0",
    )
    assert store.saves() == (made,)
    assert store.find_save("day 3") == store.find_save(made.save_id) == made
    assert store.slot == "day 3"


def test_loading_hides_the_future_and_the_newer_save_brings_it_back(store):
    tick(store, 300)
    exchange(store, "day 3", "aye")
    old = store.save("old")
    tick(store, 500)
    exchange(store, "day 5", "the king died")
    new = store.save("new")
    exchange(store, "unsaved", "oh")
    written = rows(store)

    assert store.load("old") == old
    assert (texts(store), store.game_time(), store.slot) == (["day 3", "aye"], 300, "old")
    assert rows(store) == written, "a load copies nothing"
    tick(store, 400)
    exchange(store, "another day 4", "hm")
    assert store.load(new.save_id) == new
    assert (texts(store), store.game_time()) == (["day 3", "aye", "day 5", "the king died"], 500)
    store.load("auto")
    assert texts(store) == ["day 3", "aye", "another day 4", "hm"]


def test_what_a_load_leaves_is_in_the_automatic_slot_and_not_lost_by_loading_again(store):
    exchange(store, "a", "b")
    store.save("one")
    exchange(store, "unsaved", "x")
    store.load("one")
    (auto,) = [one for one in store.saves() if one.automatic]
    assert auto.slot == "auto"
    store.load("one")
    store.load("one")
    assert store.find_save("auto") == auto, "there was nothing new to keep"
    assert store.load("auto").save_id == auto.save_id
    assert texts(store)[-2:] == ["unsaved", "x"]


def test_loading_what_the_automatic_slot_holds_keeps_both(store):
    exchange(store, "a", "b")
    store.save("one")
    exchange(store, "first", "x")
    store.load("one")
    exchange(store, "second", "y")
    for expected in ("first", "second", "first"):
        assert store.load("auto").slot in ("", "auto")
        assert texts(store)[2] == expected
        exchange(store, "more", "z")


def test_an_overwritten_slot_names_the_newer_save_and_the_older_stays_loadable(store):
    exchange(store, "a", "b")
    first = store.save("quick")
    exchange(store, "c", "d")
    second = store.save("quick")
    assert [one.save_id for one in store.saves()] == [second.save_id] != [first.save_id]
    store.load(first.save_id)
    assert (texts(store), store.slot) == (["a", "b"], "")
    assert store.find_save(first.save_id).slot == ""


def test_the_same_place_saved_twice_is_two_saves(store):
    assert store.save("one").save_id != store.save("two").save_id


def test_two_copies_of_a_file_never_give_two_saves_one_id(tmp_path, clock):
    first = tmp_path / "a.db"
    with Store.open(first, world="w", wall_clock=clock) as store:
        exchange(store, "a", "b")
    second = tmp_path / "b.db"
    second.write_bytes(first.read_bytes())
    made = []
    for path in (first, second):
        clock.now += 1
        with Store.open(path, world="w", wall_clock=clock) as store:
            made.append(store.save("one").save_id)
    assert made[0] != made[1]


def test_saves_outlive_the_process_and_say_what_is_played(tmp_path):
    with Store.open(tmp_path / "w.db", world="w", world_version="1") as store:
        exchange(store, "a", "b")
        made = store.save("one", "note")
        exchange(store, "c", "d")
        store.load("one")
    with Store.open(tmp_path / "w.db", world="w", world_version="2") as store:
        assert store.find_save("one") == made
        assert (store.slot, texts(store), made.world_version) == ("one", ["a", "b"], "1")
        assert store.save("two").world_version == "2"


def test_renaming_and_deleting(store):
    exchange(store, "a", "b")
    one, two = store.save("one"), store.save("two")
    assert store.rename_save("one", "first").save_id == one.save_id
    assert [save.slot for save in store.saves()] == ["first", "two"]
    with pytest.raises(InvalidInput):
        store.rename_save("first", "two")
    assert store.rename_save("first", "first").slot == "first"
    assert store.delete_save("two").save_id == two.save_id
    for name in ("two", two.save_id, "one"):
        with pytest.raises(UnknownId):
            store.load(name)
    assert (store.slot, texts(store)) == ("", ["a", "b"])
    assert store.check() == []


@pytest.mark.parametrize("slot", ["", "auto", "save-0123456789abcdef0123", "a\nb", 5])
def test_what_cannot_name_a_slot_is_refused(store, slot):
    with pytest.raises(InvalidInput):
        store.save(slot)
    kept = store.save("kept")
    with pytest.raises(InvalidInput):
        store.rename_save("kept", slot)
    assert store.saves() == (kept,)


def test_saves_of_owners_never_meet(store):
    exchange(store, "a", "b")
    mine = store.save("one")
    ann = store.for_owner("ann")
    assert ann.saves() == ()
    for name in ("one", mine.save_id):
        with pytest.raises(UnknownId):
            ann.load(name)
        with pytest.raises(UnknownId):
            ann.delete_save(name)
    exchange(ann, "hers", "b")
    assert ann.save("one").save_id != mine.save_id
    ann.load("one")
    assert (texts(ann), texts(store), store.epoch) == (["hers", "b"], ["a", "b"], 0)


def test_all_stores_of_an_owner_move_together(store):
    exchange(store, "a", "b")
    store.save("one")
    exchange(store, "c", "d")
    other = store.for_owner("")
    other.load("one")
    assert texts(store) == texts(other) == ["a", "b"]
    exchange(store, "e", "f")
    assert texts(other)[-1] == "f"


def test_work_of_an_earlier_epoch_is_not_stored(store):
    store.save("one")
    begun = store.epoch
    with store.transaction(begun) as write:
        write.clock(authority=GAME, game_time=1)
    store.load("one")
    with pytest.raises(Superseded), store.transaction(begun) as write:
        write.clock(authority=GAME, game_time=2)
    assert (store.game_time(), store.epoch) == (0, begun + 1)


def test_a_load_within_a_transaction_is_refused(store):
    store.save("one")
    with store.transaction(), pytest.raises(InvalidInput):
        store.load("one")


def test_a_failing_load_or_save_changes_nothing(store, monkeypatch):
    exchange(store, "a", "b")
    store.save("one")
    exchange(store, "c", "d")
    before = (store.saves(), store.timeline, store.epoch, store.slot)

    def broken():
        raise RuntimeError

    monkeypatch.setattr(store, "_wall_clock", broken)
    for attempt in (lambda: store.load("one"), lambda: store.save("two")):
        with pytest.raises(RuntimeError):
            attempt()
    assert (store.saves(), store.timeline, store.epoch, store.slot) == before


def test_the_tree_shows_from_which_save_each_was_played_on(store):
    exchange(store, "a", "b")
    one = store.save("one")
    exchange(store, "c", "d")
    two = store.save("two")
    store.load("one")
    auto = [node.save for node in store.save_tree() if node.save.automatic]
    exchange(store, "e", "f")
    exchange(store, "g", "h")
    three = store.save("three")
    found = {node.save.save_id: (node.parent, node.records, node.playing) for node in store.save_tree()}
    assert found == {
        one.save_id: ("", 3, False),
        two.save_id: (one.save_id, 3, False),
        three.save_id: (one.save_id, 6, True),
        auto[0].save_id: (two.save_id, 0, False),
    }


def test_a_thousand_loads_and_saves_without_playing_make_no_chain(store):
    exchange(store, "a", "b")
    for _ in range(50):
        store.save("quick")
        store.load("quick")
    assert len(store._seen.lineage.spans) == 2


def test_a_lineage_that_hangs_nowhere_is_damage(tmp_path):
    with Store.open(tmp_path / "w.db", world="w") as store:
        exchange(store, "a", "b")
        parent, child = store.timeline, store.fork()
    connection = sqlite3.connect(tmp_path / "w.db", isolation_level=None)
    connection.execute("UPDATE branches SET parent = ?, fork_seq = 99 WHERE timeline = ?", (child, parent))
    connection.close()
    with pytest.raises(Exception, match="hangs nowhere"):
        Store.open(tmp_path / "w.db", world="w")


class Sum(Continued):
    """Which numbers it was continued to."""

    def __init__(self):
        self.cuts = []

    def continued(self, shared):
        one = Sum()
        one.cuts = [*self.cuts, shared]
        return one


def test_what_is_kept_is_taken_over_as_far_as_it_is_shared(store):
    exchange(store, "a", "b")
    saved = store.newest_seq()
    store.save("old")
    exchange(store, "c", "d")
    newer = store.newest_seq()
    store.save("new")
    first = store.kept(Sum)
    assert store.kept(Sum) is first
    with store.transaction():
        aside = store.kept(Sum)
        assert aside is not first
        assert store.kept(Sum) is not aside
    store.load("old")
    assert store.kept(Sum).cuts == [saved]
    store.load("new")
    assert store.kept(Sum).cuts == [newer], "made from the one that shares most"
    assert first.cuts == []


def test_automatic_saves_do_not_pile_up(store, monkeypatch):
    monkeypatch.setattr(saves, "MOST_AUTOMATIC", 3)
    exchange(store, "a", "b")
    store.save("old")
    left = []
    for number in range(6):
        exchange(store, f"{number}", "aye")
        store.load("old")
        left.append(store.find_save("auto").save_id)
        if number == 0:
            store.rename_save("auto", "dear")
        if number == 1:
            store.load(left[1])  # and played on from
            exchange(store, "on", "aye")
    assert [one.save.save_id for one in store.save_tree() if one.save.automatic] == [left[0], *left[-3:]]
    store.load(left[4])
    exchange(store, "x", "y")
    monkeypatch.setattr(saves, "MOST_AUTOMATIC", 1)
    store.load("old")
    exchange(store, "x", "y")
    store.load("old")
    assert [one.save.slot for one in store.save_tree() if one.save.automatic] == ["dear", "auto"]


def test_the_automatic_save_that_is_played_on_from_stays(store, monkeypatch):
    monkeypatch.setattr(saves, "MOST_AUTOMATIC", 1)
    exchange(store, "a", "b")
    store.save("old")
    exchange(store, "c", "d")
    store.load("old")
    first = store.find_save("auto").save_id
    store.load(first)
    exchange(store, "e", "f")
    store.load("old")
    assert store.find_save("auto").save_id != first
    assert store.find_save(first).slot == "", "the load that fills the slot goes on from it"
    exchange(store, "g", "h")
    store.load("old")
    with pytest.raises(UnknownId):
        store.find_save(first)


def test_what_a_save_was_judged_for_is_known_until_something_is_erased(store):
    exchange(store, "a", "b")
    made = store.save("one", fits="this model")
    assert store.fits(made.save_id) == "this model"
    store.judge(made.save_id, "that model")
    assert store.fits(made.save_id) == "that model"
    store.load("one", fits="this model")
    exchange(store, "c", "d")
    store.load("one", fits="this model")
    assert store.fits(store.find_save("auto").save_id) == "this model"
    assert store.fits(store.save("two").save_id) == ""
    store.erase([store.turns("marta")[0].id])
    assert [store.fits(store.find_save(slot).save_id) for slot in ("one", "auto")] == ["", ""]
