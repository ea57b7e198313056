"""Timelines: a fork shares the past, hides what came after, and loses nothing."""

from __future__ import annotations

import pytest
from store_scene import GAME, exchange, texts

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.store import Store
from npc_memory.store.lineage import FOREVER, Lineage, fork_point


@pytest.fixture
def store():
    with Store.open(":memory:", world="w") as opened:
        yield opened


def set_state(store, value):
    with store.transaction() as write:
        return write.state(authority=GAME, key="king", value=value)


def test_a_fork_hides_the_future_and_switching_brings_it_back(store):
    home = store.timeline
    exchange(store, "day 3", "aye")
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=300)
        write.actor(authority=GAME, actor="marta", place="inn")
        write.key(authority=GAME, key="k3", answer="3")
    saved = set_state(store, "alive")
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=500)
        write.actor(authority=GAME, actor="marta", place="gate")
        write.end_session(authority=GAME, npc="marta", player="p1")
        write.key(authority=GAME, key="k5", answer="5")
    exchange(store, "day 5", "the king died")
    set_state(store, "dead")
    later = seen(store)

    child = store.fork(seq=saved.seq)
    assert child == store.timeline != home
    assert texts(store) == ["day 3", "aye"]
    assert dict(store.state()) == {("", "king"): "alive"}
    assert (store.game_time(), store.session("marta", "p1"), store.exchange_count("marta")) == (300, 1, 1)
    assert (store.actors()["marta"].place, store.answer("k3"), store.answer("k5")) == ("inn", "3", None)
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=301)
    exchange(store, "another day 5", "the king lives")
    assert texts(store) == ["day 3", "aye", "another day 5", "the king lives"]

    store.switch(home)
    assert seen(store) == later
    store.switch(child)
    assert texts(store)[-1] == "the king lives"


def seen(store):
    return (
        texts(store),
        texts(store, session=1),
        dict(store.state()),
        dict(store.actors()),
        store.game_time(),
        store.session("marta", "p1"),
        store.exchange_count("marta"),
        store.episodes("marta"),
        store.last_npc_seq("marta"),
    )


def test_a_retirement_counts_only_where_it_happened(store):
    home = store.timeline
    _, _, episode = exchange(store, "a", "b")
    child = store.fork()
    with store.transaction() as write:
        write.retire(authority=GAME, target=episode.id)
    assert store.episodes("marta") == ()
    store.switch(home)
    assert store.episodes("marta") == (episode,)
    store.fork(timeline=child)
    assert store.episodes("marta") == ()


def test_nothing_of_another_timeline_can_be_named(store):
    exchange(store, "a", "b")
    before = store.newest_seq()
    asked, _, episode = exchange(store, "c", "d")
    store.fork(seq=before)
    for id in (asked.id, episode.id):
        with pytest.raises(UnknownId), store.transaction() as write:
            write.belief(authority=GAME, npc="marta", text="x", provenance=(id,))
        with pytest.raises(UnknownId), store.transaction() as write:
            write.retire(authority=GAME, target=id)
    with pytest.raises(UnknownId):
        store.turn(asked.id)
    assert store.derived_from(asked.id) == ()


def test_numbers_of_a_memory_go_on_from_the_fork(store):
    exchange(store, "a", "b")
    at = store.newest_seq()
    exchange(store, "c", "d")
    assert store.last_npc_seq("marta") == 6
    store.fork(seq=at)
    asked, _, _ = exchange(store, "e", "f")
    assert asked.npc_seq == 4


def test_a_thousand_loads_of_one_save_make_no_chain(store):
    exchange(store, "a", "b")
    at = store.newest_seq()
    for _ in range(50):
        store.fork(seq=at)
    assert len(store._seen.lineage.spans) == 2
    for round in range(20):
        exchange(store, f"{round}", "b")
        store.fork()
        store.fork()
    assert len(store._seen.lineage.spans) == 22


def test_the_current_timeline_is_remembered(tmp_path):
    path = tmp_path / "w.db"
    with Store.open(path, world="w") as store:
        exchange(store, "a", "b")
        at = store.newest_seq()
        exchange(store, "c", "d")
        child = store.fork(seq=at)
    with Store.open(path, world="w") as store:
        assert (store.timeline, texts(store)) == (child, ["a", "b"])


@pytest.mark.parametrize("seq", [-1, 99, True, "1"])
def test_a_fork_needs_a_record_to_hang_on(store, seq):
    with pytest.raises(InvalidInput):
        store.fork(seq=seq)


def test_the_timeline_cannot_change_within_a_transaction(store):
    with store.transaction():
        with pytest.raises(InvalidInput):
            store.fork()
        with pytest.raises(InvalidInput):
            store.switch(store.timeline)


def test_unknown_timelines_are_refused(store):
    with pytest.raises(UnknownId):
        store.switch(99)
    with pytest.raises(UnknownId):
        store.fork(timeline=99)


def test_owners_never_meet(tmp_path):
    path = tmp_path / "w.db"
    with Store.open(path, world="w", owner="ann") as store:
        asked, _, _ = exchange(store, "secret", "yes")
        set_state(store, "dead")
        anns, before = store.timeline, seen(store)
    with Store.open(path, world="w", owner="ben") as store:
        assert seen(store) == ([], [], {}, {}, 0, 1, 0, (), 0)
        assert store.audits() == ()
        for attempt in (
            lambda: store.turn(asked.id),
            lambda: store.switch(anns),
            lambda: store.fork(timeline=anns),
        ):
            with pytest.raises(UnknownId):
                attempt()
        exchange(store, "mine", "yes")
        assert store.dialogue("marta", "p1")[0].owner == "ben"
    with Store.open(path, world="w", owner="ann") as store:
        assert seen(store) == before


def test_fork_point_passes_over_what_shows_nothing_of_its_own():
    lineage = Lineage(3, "", ((3, FOREVER), (2, 20), (1, 10)))
    assert fork_point(lineage, 25) == (3, 25)
    assert fork_point(lineage, 20) == (2, 20)
    assert fork_point(lineage, 11) == (2, 11)
    assert fork_point(lineage, 10) == (1, 10)
    assert fork_point(lineage, 0) == (1, 0)


def test_the_past_of_a_lineage_is_cut_in_every_span():
    lineage = Lineage(3, "", ((3, FOREVER), (2, 20), (1, 10)))
    assert lineage.until(15).spans == ((3, 15), (2, 15), (1, 10))
