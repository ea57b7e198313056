"""Shortening: head, a marker, tail; the longest that fits (sentence 7 of the design)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from npc_memory.memory import Turn
from npc_memory.prompt import Page
from npc_memory.prompt.page import Segments
from npc_memory.working_memory.meter import Meter

__all__ = ["LINE_SHARE", "MARKER", "fit_line", "shorten_exchange", "shortened"]

MARKER = " … "
MAX_LINE = 4000
"""A line that must be shortened is cut to so many characters first."""
LINE_SHARE = 4
"""The player's line gets one part in four of what the other mandatory parts leave."""


def shortened(text: str, n: int) -> str:
    """``n`` characters of ``text``: ⌈2n/3⌉ of its head, the marker, ⌊n/3⌋ of its tail; whole if it has no more."""
    if len(text) <= n:
        return text
    head, tail = -(-2 * n // 3), n // 3
    return text[:head] + MARKER + text[len(text) - tail :]


def _lengths(longest: int, most: int | None) -> Iterator[int]:
    """The lengths to try, longest first.

    Token counts are not monotone in length, so each one has to be tried, but for those beyond ``most``, of which it is
    known that they cannot fit.
    """
    longest = min(longest - 1, MAX_LINE)
    return iter(range(longest if most is None else min(longest, most), 0, -1))


def _most(meter: Meter, render: Callable[[str], Segments], text: str, others: int, budget: int) -> int | None:
    """A length beyond which no form of ``text`` fits, if one is known. ``others``: cost of what is rendered besides."""
    whole = next((one for one in render(text) if text in one), None)
    if whole is None:
        return None  # The text was changed to keep control tokens out; nothing is known about its forms then.
    after = "\n" if whole.endswith("\n") else ""
    before = whole[: len(whole) - len(text) - len(after)]
    return meter.most(before, text, after, budget - others)


def fit_line(page: Page, meter: Meter, rest: int) -> tuple[str, Segments] | None:
    """The player's line within a quarter of ``rest``, whole or shortened, and its segments.

    Where the name alone leaves no room for a word in that quarter it is charged beside it; where it would take half of
    ``rest`` it is left out: nothing a player is called may cost him his words. None if not even the marker fits.
    """
    fitted = _fit_line(page, meter, rest // LINE_SHARE, named=True)
    if fitted is not None:
        return fitted
    label = meter.cost(page.player_line(""))
    named = label <= rest // 2
    if not named:
        label = meter.cost(page.player_line("", named=False))
    fitted = _fit_line(page, meter, label + max(0, rest - label) // LINE_SHARE, named=named)
    if fitted is not None:
        return fitted
    form = MARKER.strip()
    marked = page.player_line(form, named=named)
    return (form, marked) if meter.cost(marked) <= rest else None


def _fit_line(page: Page, meter: Meter, room: int, *, named: bool) -> tuple[str, Segments] | None:
    text = page.snapshot.player_line

    def render(form: str) -> Segments:
        return page.player_line(form, named=named)

    if meter.cost(render(text)) <= room:
        return text, render(text)
    for n in _lengths(len(text), _most(meter, render, text, 0, room)):
        form = shortened(text, n)
        if sum(map(meter.trial, render(form))) <= room:
            return form, render(form)
    return None


def shorten_exchange(page: Page, meter: Meter, exchange: Sequence[Turn], budget: int) -> tuple[Turn, ...] | None:
    """``exchange`` shortened to ``budget``, longest turn first; None if that is not to be had.

    First only the longest turn is cut; if even one character of it is too many, the two longest are cut to one length,
    and so on.
    """
    ranked = sorted(range(len(exchange)), key=lambda at: (-len(exchange[at].text), at))
    for cut in range(1, len(exchange) + 1):
        chosen = set(ranked[:cut])
        longest = len(exchange[ranked[0]].text) if cut == 1 else len(exchange[ranked[cut - 1]].text) + 1
        most = _most_of_turn(page, meter, exchange, ranked[0], budget) if cut == 1 else None
        for n in _lengths(longest, most):
            turns = tuple(
                replace(turn, text=shortened(turn.text, n)) if at in chosen else turn
                for at, turn in enumerate(exchange)
            )
            if sum(map(meter.trial, page.exchange(turns))) <= budget:
                return turns
    return None


def _most_of_turn(page: Page, meter: Meter, exchange: Sequence[Turn], at: int, budget: int) -> int | None:
    def render(form: str) -> Segments:
        turns = [replace(turn, text=form) if n == at else turn for n, turn in enumerate(exchange)]
        return page.exchange(turns)

    whole = render(exchange[at].text)
    holding = [segment for segment in whole if exchange[at].text in segment]
    if len(holding) != 1:
        return None
    others = sum(meter.cost((segment,)) for segment in whole if segment is not holding[0])
    return _most(meter, lambda form: tuple(holding), exchange[at].text, others, budget)
