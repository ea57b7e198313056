"""Folds are taken along over loads, and show what reading everything would show."""

import pytest

from npc_memory.memory import Authority
from npc_memory.store import Store, folds
from npc_memory.store.seen import Seen


def put(store, **values):
    with store.transaction() as write:
        for key, value in values.items():
            write.state(authority=Authority.GAME, key=key, value=value)


def place(store, actor, where):
    with store.transaction() as write:
        write.actor(authority=Authority.GAME, actor=actor, place=where)


def tie(store, actor, alias_of):
    with store.transaction() as write:
        write.alias(authority=Authority.GAME, actor=actor, alias_of=alias_of)


def seen(store):
    """All that is folded; the same as what a store without a past of its own reads."""
    fresh = Store(store._database, Seen(store._seen.lineage), lambda: 0)
    found = []
    for one in (store, fresh):
        ids = {id: one.identities().ids(id) for id in ("p1", "p2", "p3")}
        found.append(([*one.state().items()], [*one.actors().items()], ids))
    assert found[0] == found[1]
    return found[0]


@pytest.fixture
def store():
    with Store.open(":memory:", world="w") as opened:
        yield opened


@pytest.fixture
def reads(monkeypatch):
    """How often a fold was read from nothing."""
    counted = []
    made = folds._whole

    def count(database, seen, folding, newest):
        counted.append(folding.kind)
        return made(database, seen, folding, newest)

    monkeypatch.setattr(folds, "_whole", count)
    return counted


def test_what_was_changed_beyond_a_save_is_as_it_was_and_comes_back(store, reads):
    put(store, a=1, b=1)
    place(store, "p1", "inn")
    tie(store, "p2", "p1")
    store.save("old")
    old = seen(store)
    put(store, a=2, b=None, c=3)
    place(store, "p1", "mill")
    place(store, "p3", "mill")
    tie(store, "p3", "p1")
    store.save("new")
    new = seen(store)
    assert dict(new[0]) == {("", "a"): 2, ("", "c"): 3}
    assert dict(old[0]) == {("", "a"): 1, ("", "b"): 1}
    del reads[:]
    for slot, expected in [("old", old), ("new", new), ("old", old), ("old", old), ("new", new)]:
        store.load(slot)
        store.state(), store.actors(), store.identities()
        assert reads == [], "taken along"
        assert seen(store) == expected
        del reads[:]


def test_another_future_is_added_to_what_is_shared(store):
    put(store, a=1)
    store.save("old")
    put(store, b=1)
    store.save("one")
    store.load("old")
    put(store, c=1)
    seen(store)
    store.load("one")
    assert dict(seen(store)[0]) == {("", "a"): 1, ("", "b"): 1}
    put(store, c=2)
    assert dict(seen(store)[0]) == {("", "a"): 1, ("", "b"): 1, ("", "c"): 2}


def test_a_fold_that_was_behind_when_it_was_left_catches_up(store):
    put(store, a=1)
    seen(store)
    put(store, a=2)
    store.save("old")
    put(store, a=3)
    store.load("old")
    assert dict(seen(store)[0]) == {("", "a"): 2}


def test_where_much_was_changed_all_is_read_anew(store, reads, monkeypatch):
    monkeypatch.setattr(folds, "MOST_TAKEN_BACK", 3)
    put(store, a=1)
    store.save("old")
    put(store, a=2, b=2, c=2, d=2)
    store.state()
    store.load("old")
    del reads[:]
    store.state()
    assert reads == ["state"]
    put(store, a=2, b=2, c=2)
    store.state()
    store.load("old")
    store.state()
    assert reads == ["state"]
    assert dict(seen(store)[0]) == {("", "a"): 1}


def test_what_part_of_a_transaction_took_back_is_not_seen_in_the_rest(store):
    put(store, a=1)
    before = store.state()
    with store.transaction():
        put(store, a=2)
        assert dict(store.state()) == {("", "a"): 2}
        with pytest.raises(RuntimeError):  # noqa: PT012
            with store.transaction():
                put(store, a=3)
                assert dict(store.state()) == {("", "a"): 3}
                raise RuntimeError
        assert dict(store.state()) == {("", "a"): 2}
    assert dict(store.state()) == {("", "a"): 2}
    assert dict(before) == {("", "a"): 1}


def test_a_transaction_that_fails_costs_no_reading_anew(store, reads):
    put(store, a=1)
    store.state()
    del reads[:]
    with store.rehearsal():
        put(store, a=2)
        assert dict(store.state()) == {("", "a"): 2}
    assert dict(store.state()) == {("", "a"): 1}
    put(store, a=4)
    assert dict(store.state()) == {("", "a"): 4}
    assert reads == []


def test_compacting_harms_nothing_that_is_kept(store, reads):
    for number in range(8):
        put(store, a=number, **{f"k{number}": 1})
        store.save(f"s{number}")
        store.state()
        store.load(f"s{max(0, number - 2)}")
        put(store, b=number)
        store.state()
    store.compact()
    for number in (7, 1, 6, 2, 7):
        store.load(f"s{number}")
        seen(store)
