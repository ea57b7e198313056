"""What every scoring formula owes: newer and more relevant win, nothing else counts, and no number is lost."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searches import examples

from npc_memory.errors import InvalidInput
from npc_memory.recall import Index, Vocabulary
from npc_memory.recall.scoring import (
    DAY,
    FORMULAS,
    OLDEST,
    Blend,
    Fading,
    Formula,
    Signals,
    TemporalDecay,
    formula_named,
    score,
)

HOUR = 60
ASKING = ("blend", "temporal_decay", "generative")
"""The formulas that know what was asked."""

every = pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
fractions = st.floats(0, 1)
counts = st.integers(1, 50)


def test_the_formulas_are_those_that_are_documented() -> None:
    assert list(FORMULAS) == ["blend", "temporal_decay", "generative", "salience"]
    assert formula_named("blend") == Blend(0.85, 0.10, 0.05)
    with pytest.raises(InvalidInput, match="recency_only"):
        formula_named("recency_only")


def test_the_numbers_of_the_formulas() -> None:
    one = {"relevance": 0.8, "importance": 0.6}
    assert score(FORMULAS["blend"], **one, age=DAY) == round(0.85 * 0.8 + 0.1 * 0.6 + 0.05 / 2, 6)
    assert score(FORMULAS["generative"], **one, age=10 * HOUR) == round(0.5 * 0.8 + 0.3 * 0.6 + 0.2 * 0.995**10, 6)
    decay = 0.75 * 0.8 + 0.25 * math.exp(-math.log(2) / 30 * 7)
    assert score(FORMULAS["temporal_decay"], **one, age=7 * DAY) == round(decay, 6)
    salient = 0.4 * 0.995**10 + 0.3 * 3 / 4 + 0.3 * 0.6
    assert score(FORMULAS["salience"], **one, age=10 * HOUR, count=3) == round(salient, 6)


@every
@settings(deadline=None, max_examples=examples(60))
@given(
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-(2**70), 2**70),
    st.integers(-(2**70), 2**70),
)
def test_a_score_is_a_fraction_for_any_input(
    formula: Formula, match: float, importance: float, age: int, count: int
) -> None:
    found = score(formula, relevance=match, importance=importance, age=age, count=count)
    assert 0 <= found <= 1
    assert found == round(found, 6)


@every
@settings(deadline=None, max_examples=examples(60))
@given(fractions, fractions, counts, st.integers(0, 60 * DAY), st.integers(DAY, 60 * DAY))
def test_newer_wins_all_else_equal(
    formula: Formula, match: float, importance: float, count: int, age: int, more: int
) -> None:
    one = {"relevance": match, "importance": importance, "count": count}
    assert score(formula, **one, age=age) > score(formula, **one, age=age + more)


@every
@settings(deadline=None, max_examples=examples(60))
@given(fractions, fractions, counts, st.integers(-(2**70), 2**70), st.integers(0, 2**70))
def test_older_is_never_better(
    formula: Formula, match: float, importance: float, count: int, age: int, more: int
) -> None:
    one = {"relevance": match, "importance": importance, "count": count}
    assert score(formula, **one, age=age) >= score(formula, **one, age=age + more)


@pytest.mark.parametrize("formula", [FORMULAS[name] for name in ASKING], ids=ASKING)
@settings(deadline=None, max_examples=examples(60))
@given(st.floats(0, 0.99), st.floats(0.001, 1), fractions, st.integers(-DAY, OLDEST))
def test_more_relevant_wins_all_else_equal(
    formula: Formula, match: float, more: float, importance: float, age: int
) -> None:
    better = min(1.0, match + more)
    one = {"importance": importance, "age": age}
    assert score(formula, relevance=better, **one) > score(formula, relevance=match, **one)


@settings(deadline=None, max_examples=examples(60))
@given(fractions, fractions, st.integers(0, OLDEST), st.integers(1, 50))
def test_salience_goes_by_frequency_and_not_by_relevance(importance: float, match: float, age: int, count: int) -> None:
    one = {"importance": importance, "age": age}
    salience = FORMULAS["salience"]
    assert score(salience, **one, count=count + 1) > score(salience, **one, count=count)
    assert score(salience, relevance=match, **one) == score(salience, **one)


@pytest.mark.parametrize("name", ["blend", "generative", "salience"])
@settings(deadline=None, max_examples=examples(60))
@given(fractions, st.floats(0, 0.99), st.floats(0.001, 1), st.integers(0, OLDEST))
def test_more_important_wins_all_else_equal(name: str, match: float, importance: float, more: float, age: int) -> None:
    one = {"relevance": match, "age": age}
    better = min(1.0, importance + more)
    assert score(FORMULAS[name], importance=better, **one) > score(FORMULAS[name], importance=importance, **one)


@every
@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.tuples(fractions, fractions, st.integers(0, OLDEST), counts), min_size=1, max_size=20), st.data())
def test_a_score_does_not_hang_on_the_other_memories(
    formula: Formula, memories: list[tuple[float, float, int, int]], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(memories) - 1))
    together = formula(Signals.of(*zip(*memories, strict=True)))
    alone = formula(Signals.of(*([value] for value in memories[at])))
    assert together[at] == alone[0]


WORDS = st.lists(st.sampled_from(["king", "bridge", "rolf", "the", "勇者は"]), max_size=6).map(" ".join)
lives = st.lists(st.tuples(WORDS, st.integers(0, 90 * DAY), fractions), max_size=12)


@every
@settings(deadline=None, max_examples=examples(60))
@given(lives, lives, WORDS, st.integers(0, 99 * DAY))
def test_rows_of_another_npc_and_of_another_timeline_change_nothing(
    formula: Formula,
    life: list[tuple[str, int, float]],
    other: list[tuple[str, int, float]],
    query: str,
    now: int,
) -> None:
    def index(vocabulary: Vocabulary, memories: list[tuple[str, int, float]]) -> Index:
        made = Index(vocabulary, str, formula)
        for number, (text, time, weight) in enumerate(memories):
            made.add(number, text, weight=weight, game_time=time)
        return made

    alone = index(Vocabulary(), life).best(query, now, 8)
    shared = Vocabulary()
    index(shared, other)  # another NPC's, whose words come first
    beside = index(shared, life)
    assert beside.best(query, now, 8) == alone
    for number, (text, time, weight) in enumerate(other, start=len(life)):  # a future that is then abandoned
        beside.add(number, text, weight=weight, game_time=time)
    beside.remove(range(len(life), len(life) + len(other)))
    assert beside.best(query, now, 8) == alone


@settings(deadline=None, max_examples=examples(60))
@given(st.sampled_from([0.9999164611258403, 0.5, 1.0, 0.0, 0.9999999]), st.integers(0, OLDEST))
def test_fading_is_the_power(a_minute: float, age: int) -> None:
    left = float(Fading(a_minute).left(np.array([age]))[0])
    assert left == pytest.approx(a_minute**age, rel=1e-9, abs=1e-300)


def test_half_is_left_after_a_half_life_and_an_hour_leaves_0_995() -> None:
    ages = np.array([0, 7 * DAY, 14 * DAY])
    assert Fading.halving(7 * DAY).left(ages) == pytest.approx([1, 0.5, 0.25], rel=1e-9)
    hour = Fading(0.9999164611258403).left(np.array([HOUR]))[0]
    assert Fraction(hour) == pytest.approx(Fraction(995, 1000), rel=1e-12)


@pytest.mark.parametrize("half_life", [0, -1.0, math.nan, math.inf])
def test_a_half_life_is_above_zero(half_life: float) -> None:
    with pytest.raises(InvalidInput, match="half-life"):
        TemporalDecay(half_life=half_life)


@pytest.mark.parametrize("weights", [(1.0, 0.5, 0.0), (math.nan, 0.0, 0.0), (-0.1, 0.5, 0.5)])
def test_weights_add_up_to_one_at_most(weights: tuple[float, float, float]) -> None:
    with pytest.raises(InvalidInput, match="weights"):
        Blend(*weights)
