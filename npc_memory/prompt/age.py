"""How long ago something was, in words and in game time (promise P7)."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["age_words", "number_word", "plain_time", "times_words"]

_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)

OFTEN = 10
"""So many times are "often"."""

_HOUR, _DAY = 60, 24 * 60
_MONTH, _YEAR = 30 * _DAY, 365 * _DAY


def number_word(n: int) -> str:
    """``n`` as an English word up to twenty, in digits beyond."""
    return _WORDS[n] if 0 <= n < len(_WORDS) else str(n)


def times_words(n: int) -> str:
    """How often something was, from two times on: "twice", "three times", "often"."""
    return "twice" if n == 2 else f"{number_word(n)} times" if n < OFTEN else "often"


def _ago(n: int, unit: str) -> str:
    if n == 1:
        return f"{'an' if unit == 'hour' else 'a'} {unit} ago"
    return f"{number_word(n)} {unit}s ago"


@lru_cache(maxsize=4096)
def age_words(minutes: int) -> str:
    """Words for an age in game minutes: "twelve days ago"; "" for now and for the future (an age is never negative).

    Whole units, rounded down: minutes under an hour are "moments ago", then hours, days (up to 59), months of 30 and
    years of 365 days.
    """
    if minutes <= 0:
        return ""
    if minutes < _HOUR:
        return "moments ago"
    if minutes < _DAY:
        return _ago(minutes // _HOUR, "hour")
    if minutes < 2 * _MONTH:
        return _ago(minutes // _DAY, "day")
    if minutes < _YEAR:
        return _ago(minutes // _MONTH, "month")
    return _ago(minutes // _YEAR, "year")


def plain_time(minutes: int) -> str:
    """Game time in the plain calendar: minute 0 is "Day 1, 00:00"."""
    day, rest = divmod(minutes, _DAY)
    return f"Day {day + 1}, {rest // _HOUR:02d}:{rest % _HOUR:02d}"
