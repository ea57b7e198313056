"""A question finds what is told in other words of the same kind, and what is told in its own words first."""

from __future__ import annotations

import pytest

from npc_memory.recall import Index, Vocabulary
from npc_memory.recall.kinds import MARK, kinds_of
from npc_memory.recall.words import SHORTEST_PART, fresh_terms, likeness

TOLD = (
    "The goat ate a page of the log.",
    "Bex hides a jug of gin behind the flour.",
    "Nils mended the north wall.",
    "It rained on the market all day.",
)


def found(query: str, told: tuple[str, ...] = TOLD) -> int:
    index = Index(Vocabulary(), lambda number: f"{number:03}")
    for number, text in enumerate(told):
        index.add(number, text, weight=0.3, game_time=0)
    return index.best(query, 0, 1)[0][1]


@pytest.mark.parametrize(
    ("query", "expected"),
    [("Did any livestock harm the paperwork?", 0), ("Who has liquor?", 1), ("Who repaired it?", 2), ("Any storm?", 3)],
)
def test_other_words_of_the_same_kind_are_found(query, expected):
    assert found(query) == expected


@pytest.mark.parametrize("word", ["cow", "cattle", "mule"])
def test_a_word_of_its_own_outweighs_every_other_of_its_kind(word):
    rivals = ("The goat and the sheep and the ram and the hog went home.", f"A {word} went by.")
    assert found(f"What of the {word}?", rivals) == 1


def test_a_kind_is_no_word_and_makes_no_memory_longer():
    kinds = kinds_of(fresh_terms("goat governor gin wolf king cup"))
    assert len(kinds) == len(set(kinds)) == 5
    assert all(one.startswith(MARK) and len(one) < SHORTEST_PART for one in kinds)
    assert not any(likeness(one, word) or likeness(word, one) for one in kinds for word in ("livestock", "12", "kin"))
    assert fresh_terms(" ".join(kinds)) == tuple(one.removeprefix(MARK) for one in kinds)
    index = Index(Vocabulary(), str)
    index.add(1, TOLD[0], weight=0.3, game_time=0)
    assert index.held() == {1: len(fresh_terms(TOLD[0]))}


def test_nothing_of_one_kind_is_found_where_there_is_none():
    assert kinds_of(fresh_terms("Zorb and quux 12")) == ()
    assert kinds_of(()) == ()
