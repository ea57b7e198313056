"""Shortening a text: head, a marker, tail; the longest that fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

__all__ = ["MARKER", "MAX_LINE", "longest_fitting", "shortened"]

MARKER = " … "
MAX_LINE = 4000
"""A line that must be shortened is cut to so many characters first."""


def shortened(text: str, n: int) -> str:
    """``n`` characters of ``text``: ⌈2n/3⌉ of its head, the marker, ⌊n/3⌋ of its tail; whole if it has no more."""
    if len(text) <= n:
        return text
    head, tail = -(-2 * n // 3), n // 3
    return text[:head] + MARKER + text[len(text) - tail :]


def lengths(longest: int) -> Iterator[int]:
    """The lengths to try, longest first: token counts are not monotone in length, so each one has to be tried."""
    return iter(range(min(longest - 1, MAX_LINE), 0, -1))


def longest_fitting(text: str, fits: Callable[[str], bool], at_most: int | None = None) -> str | None:
    """The longest shortened form of ``text`` that ``fits``, or None.

    ``at_most``: no form with more characters than this can fit (in characters that is known beforehand).
    """
    longest = len(text) if at_most is None else min(len(text), at_most + 1)
    for n in lengths(longest):
        form = shortened(text, n)
        if fits(form):
            return form
    return None
