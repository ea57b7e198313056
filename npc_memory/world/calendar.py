"""Game minutes in the words of a world's own calendar. No locale, no clock: the same minutes, the same words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

__all__ = ["MINUTES_PER_DAY", "PLACEHOLDERS", "Calendar", "ordinal"]

MINUTES_PER_DAY = 24 * 60

PLACEHOLDERS = ("part", "day", "day_number", "month", "year", "weekday", "clock", "days")
"""What a calendar's ``text`` may hold in braces. ``day`` is an ordinal word, ``days`` counts from day 1 of minute 0."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_ONES = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def ordinal(n: int) -> str:
    """The English ordinal of ``n`` as a word up to 99, in digits beyond.

    >>> ordinal(3), ordinal(20), ordinal(41), ordinal(112)
    ('third', 'twentieth', 'forty-first', '112th')
    """
    if 0 <= n < 20:
        return _ONES[n]
    if 20 <= n < 100:
        tens, ones = divmod(n, 10)
        return f"{_TENS[tens]}-{_ONES[ones]}" if ones else f"{_TENS[tens][:-1]}ieth"
    suffix = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


@dataclass(frozen=True, slots=True)
class Calendar:
    """``text`` with placeholders; months as (name, days); parts of the day as (first minute, name), in order.

    Minute 0 is 00:00 of the first day of the first month of ``year``. Days have 24 hours of 60 minutes.
    """

    text: str
    months: tuple[tuple[str, int], ...]
    year: int = 1
    parts: tuple[tuple[int, str], ...] = field(default=())
    week: tuple[str, ...] = field(default=())
    ordinals: tuple[str, ...] = field(default=())

    def words(self, minutes: int) -> str:
        """The time ``minutes`` after minute 0 (negative: before it)."""
        days, minute = divmod(minutes, MINUTES_PER_DAY)
        year, day = divmod(days, sum(length for _, length in self.months))
        month = 0
        while day >= self.months[month][1]:
            day -= self.months[month][1]
            month += 1
        values = {
            "part": self._part(minute),
            "day": self.ordinals[day] if day < len(self.ordinals) else ordinal(day + 1),
            "day_number": str(day + 1),
            "month": self.months[month][0],
            "year": str(self.year + year),
            "weekday": self.week[days % len(self.week)] if self.week else "",
            "clock": f"{minute // 60:02d}:{minute % 60:02d}",
            "days": str(days + 1),
        }
        return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), self.text)

    def longest(self) -> str:
        """The longest wording of any day of the first year (a budget must hold on that day too)."""
        return _longest(self)

    def _part(self, minute: int) -> str:
        name = self.parts[-1][1] if self.parts else ""  # before the first part it is still the last of yesterday
        for first, part in self.parts:
            if minute >= first:
                name = part
        return name


@lru_cache(maxsize=16)
def _longest(calendar: Calendar) -> str:
    minutes = [first for first, _ in calendar.parts] or [0]
    days = range(sum(length for _, length in calendar.months))
    texts = (calendar.words(day * MINUTES_PER_DAY + minute) for day in days for minute in minutes)
    return max(texts, key=lambda text: (len(text), text))
