"""What somebody holds is found by its words and by what of whom it tells, exactly as reading everything would find it:
within what is written, when that is taken back, on other timelines, under other ids and after an erasure.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_kit import open_mind
from searches import examples

from npc_memory.memory import Authority
from npc_memory.sayings import MOST_GONE, Sayings, beliefs_of, beliefs_saying, episodes_saying
from npc_memory.store import Store, Writer

GAME = Authority.GAME
NPCS, TEXTS, SUBJECTS = ("marta", "brann", "mask"), ("a", "b"), ("", "osric", "hood")


class _Undone(Exception):
    """Nothing of it is to stay."""


WRITES = st.one_of(
    st.tuples(st.just("belief"), st.sampled_from(NPCS), st.sampled_from(TEXTS), st.sampled_from(SUBJECTS)),
    st.tuples(st.just("episode"), st.sampled_from(NPCS), st.sampled_from(TEXTS), st.just("")),
    st.tuples(st.just("retire"), st.sampled_from(NPCS), st.sampled_from(TEXTS), st.just("")),
    st.tuples(st.just("look"), st.sampled_from(NPCS), st.just(""), st.just("")),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["kept", "taken back", "in part"]), st.lists(WRITES, min_size=1, max_size=4)),
        st.tuples(st.sampled_from(["save", "load", "alias", "reborn", "forget", "look"]), st.just([])),
    ),
    max_size=14,
)


def write(store: Store, writer: Writer, what: str, npc: str, text: str, subject: str) -> None:
    if what == "belief":
        about = {"subject": subject, "slot": "home"} if subject else {}
        writer.belief(authority=GAME, npc=npc, text=text, value=text, **about)
    elif what == "episode":
        writer.episode(authority=GAME, npc=npc, text=text)
    elif what == "retire":
        for one in (*store.beliefs_saying(npc, text)[:1], *store.episodes_saying(npc, text)[:1]):
            writer.retire(authority=GAME, target=one.id)
    same(store, (npc,))


def same(store: Store, npcs: tuple[str, ...] = NPCS) -> None:
    for npc, text in itertools.product(npcs, TEXTS):
        assert beliefs_saying(store, npc, text) == store.beliefs_saying(npc, text)
        assert episodes_saying(store, npc, text) == store.episodes_saying(npc, text)
    for npc in npcs:
        for subjects in (("osric",), ("osric", "hood")):
            read = [one for one in store.beliefs_in(npc, "home") if one.subject in subjects]
            assert list(beliefs_of(store, npc, "home", subjects)) == read


def run(store: Store, how: str, writes: list[tuple[str, str, str, str]], timelines: Iterator[int]) -> None:
    try:
        with store.transaction() as writer:
            for at, one in enumerate(writes):
                if how != "in part" or at % 2:
                    write(store, writer, *one)
                    continue
                try:
                    with store.transaction():
                        write(store, writer, *one)
                        raise _Undone
                except _Undone:
                    same(store, (one[1],))
            if how == "taken back":
                raise _Undone
    except _Undone:
        pass
    if how == "save":
        store.fork()
    elif how == "load":
        store.switch(next(timelines))
    elif how in ("alias", "reborn"):
        with store.transaction() as writer:
            if how == "reborn":
                writer.rebirth(authority=GAME, actor="mask")
            elif store.identities().ids("mask") == ("mask",):
                writer.alias(authority=GAME, actor="mask", alias_of="brann")
            same(store)
    elif how == "forget":
        store.forget("hood")


@settings(max_examples=examples(25), deadline=None)
@given(STEPS)
def test_what_is_found_is_what_is_there(steps):
    with Store.open(":memory:", world="w") as store:
        timelines = itertools.cycle([store.timeline])
        for how, writes in steps:
            run(store, how, writes, timelines)
            if how == "look":
                same(store)
        same(store)
        with store.transaction():
            same(store)


def test_what_counts_no_more_is_not_looked_at_again_and_counts_again_where_nothing_was_said_of_it():
    with open_mind() as mind:

        def moves(places: range) -> None:
            for number in places:
                mind.believe("marta", f"Osric is at {number}.", subject="osric", slot="post", value=str(number))

        moves(range(3 * MOST_GONE))
        with mind.store.reading():
            known = mind.store.growing(Sayings).of(mind.store, "marta", "belief")
            assert known.there.view.sum() <= MOST_GONE + 1
        (held,) = beliefs_of(mind.store, "marta", "post", ["osric"])
        mind.save("before")
        moves(range(100, 100 + 2 * MOST_GONE))
        assert beliefs_of(mind.store, "marta", "post", ["osric"])[0].value != held.value
        mind.load("before")
        assert beliefs_of(mind.store, "marta", "post", ["osric"]) == (held,)
        assert len(mind.beliefs("marta")) == 1
