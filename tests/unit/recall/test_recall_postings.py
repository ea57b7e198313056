"""What is sorted in and what was added last are searched as one, and neither knows of what is gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import recall_oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from recall_oracle import ALIKE, Memory
from searches import examples

from npc_memory.recall import Index, Vocabulary, postings

WORDS = (
    *ALIKE,
    "勇者は",
    "é",
    "don't",
    "goat",
    "cow",
    "governor",
)
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
lives = st.lists(st.tuples(texts, st.integers(0, 200), st.integers(0, 3)), max_size=30)


@pytest.fixture(autouse=True, scope="module")
def _sorted_often() -> Iterator[None]:
    """So few postings are sorted in at once that a short life has several such times."""
    before = postings.LEAST_SORTED, postings.SHARE_SORTED
    postings.LEAST_SORTED, postings.SHARE_SORTED = 6, 3
    yield
    postings.LEAST_SORTED, postings.SHARE_SORTED = before


def filled(life: list[tuple[str, int, int]]) -> Index:
    index = Index(Vocabulary(), str)
    for number, (text, time, scene) in enumerate(life):
        index.add(number, text, weight=0.3, game_time=time, scene=scene)
    return index


def remembered(life: list[tuple[str, int, int]], here: list[int]) -> list[Memory]:
    return [Memory(str(number), life[number][0], life[number][1], scene=life[number][2]) for number in here]


@settings(deadline=None, max_examples=examples(100))
@given(lives, texts, st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)), st.integers(0, 30))
def test_searches_are_those_of_the_plain_computation(
    life: list[tuple[str, int, int]], query: str, gone: set[int], later: set[int], shared: int
) -> None:
    index = filled(life)
    index.remove(gone)
    here = [number for number in range(len(life)) if number not in gone]
    branch = index.until(shared)
    branched = [number for number in here if number <= shared]
    for one, numbers in ((index, here), (branch, branched)):
        more = [*life, *[(f"bridge {query}", 300 + n, 1) for n in range(4)]]
        for number in range(len(life), len(more)):  # both go on, apart from each other
            one.add(number, more[number][0], weight=0.3, game_time=more[number][1], scene=1)
        one.remove(later)
        left = remembered(more, [n for n in (*numbers, *range(len(life), len(more))) if n not in later])
        found = [(score, str(number)) for score, number in one.best(query, 400, 50)]
        assert found == recall_oracle.best(query, left, 400, 50)
    assert index.held() == {n: len(recall_oracle.fresh_terms(more[n][0])) for n in index.held()}


def test_there_is_something_of_both_kinds() -> None:
    index = filled([("king bridge rolf", 0, 0)] * 3)
    assert 0 < len(index._postings._sorted.memories) < 9


@settings(deadline=None, max_examples=examples(50))
@given(lives, st.integers(0, 30))
def test_a_branch_leaves_the_trunk_as_it_was(life: list[tuple[str, int, int]], shared: int) -> None:
    index = filled(life)
    before = index.best("king bridge", 400, 50)
    branch = index.until(shared)
    branch.add(99, "king bridge another", weight=0.3, game_time=0, scene=1)
    branch.remove(range(0, 20, 2))
    assert index.best("king bridge", 400, 50) == before
