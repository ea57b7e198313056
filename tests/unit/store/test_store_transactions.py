"""All or nothing, also nested and from several threads; closed stores say so."""

from __future__ import annotations

import threading

import pytest
from store_scene import GAME, ask, exchange, say, texts

from npc_memory.errors import InvalidInput, StoreError
from npc_memory.store import Store


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "w.db", world="w") as opened:
        yield opened


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failed_transaction_leaves_nothing(store, error):
    exchange(store, "a", "b")
    newest = store.newest_seq()

    def fail():
        with store.transaction() as write:
            ask(write, "half")
            write.state(authority=GAME, key="k", value=1)
            write.actor(authority=GAME, actor="marta", name="Marta")
            raise error

    with pytest.raises(error):
        fail()
    assert (store.newest_seq(), texts(store), dict(store.state()), dict(store.actors())) == (newest, ["a", "b"], {}, {})
    assert exchange(store, "c", "d")[0].seq == newest + 1


def test_a_refused_record_leaves_the_others(store):
    with store.transaction() as write:
        ask(write, "a")
        with pytest.raises(InvalidInput):
            write.episode(authority=GAME, npc="marta", text="x", kind="")
        say(write, "b")
    assert (texts(store), store.episodes("marta"), store.check()) == (["a", "b"], (), [])


def test_an_inner_transaction_fails_alone_and_an_outer_one_takes_it_along(store):
    def fail():
        with store.transaction() as inner:
            ask(inner, "undone")
            inner.state(authority=GAME, key="k", value=1)
            raise RuntimeError

    with store.transaction() as outer:
        ask(outer, "kept")
        with pytest.raises(RuntimeError):
            fail()
        assert dict(store.state()) == {}
        with store.transaction() as inner:
            say(inner, "kept too")
    assert texts(store) == ["kept", "kept too"]

    def fail_outside():
        with store.transaction():
            with store.transaction() as inner:
                ask(inner, "gone with the outer one")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_outside()
    assert texts(store) == ["kept", "kept too"]


def test_a_writer_is_of_no_use_after_its_transaction(store):
    with store.transaction() as write:
        ask(write, "a")
    with pytest.raises(StoreError, match="outside a transaction"):
        say(write, "late")
    assert texts(store) == ["a"]


def test_threads_take_turns(store):
    failures = []

    def talk(npc):
        try:
            for number in range(10):
                exchange(store, f"{npc} {number}", "aye", npc=npc)
                seen = texts(store, npc=npc)
                assert len(seen) == 2 * (number + 1)
        except BaseException as exc:
            failures.append(exc)

    threads = [threading.Thread(target=talk, args=(f"npc{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.newest_seq() == 6 * 10 * 3
    for n in range(6):
        assert texts(store, npc=f"npc{n}")[::2] == [f"npc{n} {number}" for number in range(10)]
        assert store.last_npc_seq(f"npc{n}") == 30
    assert store.check() == []


def test_a_thread_never_sees_half_of_anothers_transaction(store):
    half, go, seen = threading.Event(), threading.Event(), []

    def write_slowly():
        with store.transaction() as write:
            ask(write, "a")
            half.set()
            go.wait(10)
            say(write, "b")

    def read():
        seen.append(texts(store))

    writer, reader = threading.Thread(target=write_slowly), threading.Thread(target=read)
    writer.start()
    assert half.wait(10)
    reader.start()
    reader.join(0.1)
    go.set()
    writer.join()
    reader.join()
    assert seen == [["a", "b"]]


def test_a_closed_store_says_so(tmp_path):
    store = Store.open(tmp_path / "w.db", world="w")
    exchange(store, "a", "b")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        texts(store)
    with pytest.raises(StoreError, match="closed"):
        exchange(store, "c", "d")
    with Store.open(tmp_path / "w.db", world="w") as again:
        assert texts(again) == ["a", "b"]


def test_a_store_in_memory_is_kept_nowhere():
    with Store.open(":memory:", world="w") as store:
        exchange(store, "a", "b")
        with Store.open(":memory:", world="other") as other:
            assert texts(other) == []
