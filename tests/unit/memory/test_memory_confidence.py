"""How sure she is, in words and after others have told it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.memory.confidence import WITNESS, feeling, lowered, sureness, told

fractions = st.floats(0, 1)


@pytest.mark.parametrize(
    ("confidence", "word"),
    [(1, "knows"), (0.9, "knows"), (0.89, "believes"), (0.6, "believes"), (0.59, "thinks"), (0.4, "thinks"),
     (0.39, "is not sure"), (0, "is not sure")],
)  # fmt: skip
def test_a_confidence_has_its_word(confidence, word):
    assert sureness(confidence) == word


@pytest.mark.parametrize(
    ("sentiment", "word"),
    [(-1, "hates"), (-0.75, "hates"), (-0.74, "dislikes"), (-0.25, "dislikes"), (0, ""), (0.24, ""), (0.25, "likes"),
     (0.75, "loves")],
)  # fmt: skip
def test_a_sentiment_has_its_word(sentiment, word):
    assert feeling(sentiment) == word


@given(fractions)
def test_what_is_told_is_believed_less(confidence):
    assert 0 <= told(confidence) < confidence or told(confidence) == confidence == 0


@given(fractions, fractions)
def test_the_surer_the_teller_the_surer_the_hearer(one, other):
    assert told(min(one, other)) <= told(max(one, other))


@given(fractions)
def test_what_canon_denies_is_a_doubt(confidence):
    assert lowered(confidence) <= min(confidence, 0.2)
    assert sureness(lowered(confidence)) == "is not sure"


@given(fractions)
def test_confidences_are_whole_hundredths(confidence):
    for one in (told(confidence), lowered(confidence)):
        assert one == round(one * 100) / 100


def test_the_way_down_is_as_documented():
    chain = [WITNESS]
    while chain[-1]:
        chain.append(told(chain[-1]))
    assert chain[:6] == [0.95, 0.76, 0.6, 0.48, 0.38, 0.3]
    assert len(chain) < 20
