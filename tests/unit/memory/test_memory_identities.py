"""Who is who: a fold over what was said, held against following each id by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.errors import AliasRefused
from npc_memory.memory import Being, Identities
from npc_memory.memory.identities import FOREVER

IDS = ("a", "b", "c", "д")


def test_with_nothing_said_every_id_is_its_own() -> None:
    known = Identities()
    assert known.same("勇者") == (Being("勇者", 0, FOREVER),)
    assert known.ids("勇者") == ("勇者",)
    assert known.at("勇者", 7) == known.now("勇者")
    assert known.tied() == ()


def test_an_alias_and_what_it_stands_for_are_the_same() -> None:
    known = Identities([(5, "b", "a")])
    assert known.same("a") == known.same("b") == (Being("a"), Being("b"))
    assert known.ids("b") == ("a", "b")
    assert known.at("b", 3) == known.now("a"), "also before it was said"
    assert known.tied() == ("a",)


def test_who_is_reborn_is_another_and_keeps_no_alias() -> None:
    known = Identities([(5, "b", "a"), (8, "b", ""), (20, "a", "")])
    assert known.same("b") == (Being("b", 8),)
    assert known.same("a") == (Being("a", 20),)
    assert known.at("b", 8) == known.at("b", 1) == known.at("a", 20) != known.now("a")
    assert known.at("b", 9) == known.now("b")
    assert known.known_as(known.at("a", 1)) == ()
    assert known.known_as(known.now("a")) == ("a",)


def test_an_alias_outlives_the_id_it_stood_for() -> None:
    known = Identities([(5, "b", "a"), (9, "a", "")])
    assert known.same("b") == (Being("a", 0, 9), Being("b"))
    assert known.ids("b") == ("b",)
    assert known.new_alias("c", "b")


@pytest.mark.parametrize(
    ("actor", "alias_of"), [("a", "a"), ("a", "b"), ("b", "b"), ("b", "c"), ("c", "b"), ("b", "д"), ("a", "c")]
)
def test_chains_and_circles_are_refused(actor: str, alias_of: str) -> None:
    known = Identities([(5, "b", "a")])
    with pytest.raises(AliasRefused) as caught:
        known.new_alias(actor, alias_of)
    assert caught.value.details == {"actor": actor, "alias_of": alias_of}
    assert caught.value.hint


def test_saying_it_again_changes_nothing() -> None:
    known = Identities([(5, "b", "a")])
    assert not known.new_alias("b", "a")
    assert known.new_alias("c", "a")


@given(st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(("", *IDS))), max_size=12))
def test_it_is_what_following_each_being_by_hand_gives(said: list[tuple[str, str]]) -> None:
    ties: list[tuple[int, str, str]] = []
    holder = {one: number for number, one in enumerate(IDS)}  # by id: the number of the being that has it now
    beings = len(IDS)
    meant: dict[tuple[str, int], int] = {}  # whom an id meant when a record was written
    for seq in range(1, len(said) * 2 + 1):
        if seq % 2:
            meant.update({(one, seq): holder[one] for one in IDS})
            continue
        actor, alias_of = said[seq // 2 - 1]
        if alias_of:
            try:
                if not Identities(ties).new_alias(actor, alias_of):
                    continue
            except AliasRefused:
                continue
            lost, kept = holder[actor], holder[alias_of]
            meant = {key: kept if number == lost else number for key, number in meant.items()}
            holder[actor] = kept
        else:
            holder[actor], beings = beings, beings + 1
        ties.append((seq, actor, alias_of))
    known = Identities(ties)
    for (one, seq), number in meant.items():
        for other in IDS:
            same = number == holder[other]
            assert (known.at(one, seq) == known.now(other)) == same
            assert any(being.id == one and being.knows(seq) for being in known.same(other)) == same
    for one in IDS:
        assert set(known.ids(one)) == {other for other in IDS if holder[other] == holder[one]}
        if known.plain(one):
            assert known.same(one) == (Being(one),)
            assert {known.at(one, seq) for seq in range(30)} == {(one, 0)}
            assert known.known_as((one, 0)) == (one,)
        else:
            assert any(one in tie for tie in ties)
