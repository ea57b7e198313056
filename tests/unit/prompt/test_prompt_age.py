"""Ages in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.prompt import age_words, plain_time

DAY = 24 * 60


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (-5, ""),
        (0, ""),
        (1, "moments ago"),
        (59, "moments ago"),
        (60, "an hour ago"),
        (23 * 60, "twenty-three hours ago".replace("twenty-three", "23")),
        (DAY, "a day ago"),
        (12 * DAY, "twelve days ago"),
        (59 * DAY, "59 days ago"),
        (60 * DAY, "two months ago"),
        (364 * DAY, "twelve months ago"),
        (365 * DAY, "a year ago"),
        (800 * DAY, "two years ago"),
    ],
)
def test_words(minutes: int, words: str) -> None:
    assert age_words(minutes) == words


@given(st.integers(-(2**63), 2**63 - 1))
def test_every_age_has_words_of_one_line(minutes: int) -> None:
    words = age_words(minutes)
    assert "\n" not in words
    assert bool(words) == (minutes > 0)


def test_plain_time_counts_days_from_one() -> None:
    assert plain_time(0) == "Day 1, 00:00"
    assert plain_time(4310) == "Day 3, 23:50"
