"""Game minutes in words: the same on every machine, before minute 0 too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.world import Calendar, load_world
from npc_memory.world.calendar import MINUTES_PER_DAY, ordinal

CALENDAR = Calendar(
    text="{part}|{day}|{day_number}|{month}|{year}|{weekday}|{clock}|{days}",
    months=(("Ash", 2), ("Oak", 3)),
    year=100,
    parts=((300, "morning"), (1200, "night")),
    week=("One", "Two"),
    ordinals=("primus",),
)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0, "night|primus|1|Ash|100|One|00:00|1"),
        (300, "morning|primus|1|Ash|100|One|05:00|1"),
        (MINUTES_PER_DAY + 1199, "morning|second|2|Ash|100|Two|19:59|2"),
        (2 * MINUTES_PER_DAY + 1200, "night|primus|1|Oak|100|One|20:00|3"),
        (5 * MINUTES_PER_DAY, "night|primus|1|Ash|101|Two|00:00|6"),
        (-1, "night|third|3|Oak|99|Two|23:59|0"),
    ],
)
def test_words(minutes, words):
    assert CALENDAR.words(minutes) == words


@given(st.integers(-(2**62), 2**62))
def test_any_minute_has_words_and_one_year_later_only_the_year_differs(minutes):
    now, later = CALENDAR.words(minutes).split("|"), CALENDAR.words(minutes + 10 * MINUTES_PER_DAY).split("|")
    assert int(later[4]) == int(now[4]) + 2
    assert (later[:4], later[5:7]) == (now[:4], now[5:7])


@given(st.integers(0, 5 * MINUTES_PER_DAY - 1))
def test_no_day_of_the_first_year_is_worded_longer_than_the_longest(minutes):
    calendar = Calendar("{part} {day} {month} {clock}", CALENDAR.months, 1, CALENDAR.parts)
    assert len(calendar.words(minutes)) <= len(calendar.longest())


@pytest.mark.parametrize(
    ("n", "word"),
    [(1, "first"), (12, "twelfth"), (20, "twentieth"), (21, "twenty-first"), (90, "ninetieth"), (99, "ninety-ninth"),
     (101, "101st"), (111, "111th"), (122, "122nd"), (-3, "-3th")],
)  # fmt: skip
def test_ordinals(n, word):
    assert ordinal(n) == word


def test_emberfall_and_perigee_tell_the_time_their_own_way():
    emberfall = load_world("emberfall")
    assert emberfall.time_text(emberfall.start_time) == "It is the evening of the third day of Harvestmoon, 412."
    assert load_world("perigee").time_text(125_840) == "Ship's time 09:20, drift day 88."


def test_a_world_without_a_calendar_leaves_the_wording_to_the_prompt(make_pack):
    assert load_world(make_pack({"world.yaml": WORLD})).time_text(90) == ""


WORLD = """\
id: mill
name: The Mill
version: 2
places: [{id: mill, name: m}, {id: yard, name: y}]
factions: [{id: millers, name: m}]
"""
