"""Counting tokens exactly, and knowing without counting which shortened texts cannot fit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Protocol

from npc_memory.inference.junction import Junction
from npc_memory.inference.pieces import Pieces
from npc_memory.inference.request import check_text
from npc_memory.inference.segmentation import Segmentation

__all__ = ["LONGEST_FORM", "MARKER", "TokenCounter"]

MARKER = " … "
"""What stands between head and tail of a shortened text."""
LONGEST_FORM = 4000
"""No shortened form has more characters of its text."""


class Counts(Protocol):
    """What a counter needs of an engine; a ``Vocabulary`` has it too."""

    def count(self, text: str) -> int:
        """Return the exact number of tokens of one segment."""

    def pieces(self) -> Pieces | None:
        """Return what the vocabulary's tokens can stand for, or None if that bounds nothing."""


class TokenCounter:
    """Exact costs of segments in tokens of ``engine``; usable as a working memory's counter, from any thread."""

    def __init__(self, engine: Counts) -> None:
        self._engine = engine

    def __call__(self, text: str) -> int:
        """Return the exact number of tokens of one segment (a true attribute ``control``: with special tokens)."""
        return self._engine.count(text)

    def most(self, before: str, text: str, after: str, budget: int) -> int | None:
        """Return an n such that no form of ``text`` with more characters fits; None if no bound is known.

        The form of n characters, n from 1 to ``min(len(text) - 1, 4000)``, is ⌈2n/3⌉ of the head, " … " and ⌊n/3⌋ of
        the tail. It fits if ``before + form + after``, one segment without special tokens, costs at most ``budget``
        tokens. Forms of n characters and less may fit or not: they have to be counted. 0: no form fits at all.

        No tokenizer is asked (the vocabulary is fetched and indexed at the first call): see ``_Bound``.
        Raises ``RequestInvalid`` for lone surrogates, ``EngineCrashed``.
        """
        for part in (before, text, after):
            check_text(part)
        return None if self._bound is None else self._bound.most(before, text, after, budget)

    @cached_property
    def _bound(self) -> _Bound | None:
        pieces = self._engine.pieces()
        return None if pieces is None else _Bound(pieces)


class _Bound:
    """A lower bound of the tokens of every form of a text.

    The tokenizer cuts the form's bytes into pieces; bytes that are no piece may be dropped (``Pieces``). Call X what
    stands before the marker M, and Y what stands after it. A token lies inside X, inside Y, or touches M.

    - Those inside X cover X up to some a: the whole of it, or all but the beginning of the one piece that reaches into
      M. So they are at least ``left`` many: the least of F(a) over these a, with F(a) the fewest pieces covering X[:a].
    - Those inside Y, the same from the right: at least ``right`` many.
    - Those that touch M: at least ``Junction.touching`` many.

    The three kinds are disjoint, so a form with left + touching + right > budget costs more than the budget. The sum
    need not grow with n; therefore the answer is the largest n for which it is within the budget. A space put before
    the text (SPM) is one more byte that a piece may cover or not.
    """

    def __init__(self, pieces: Pieces) -> None:
        self._escaped = pieces.escaped
        self._segmentation = Segmentation(pieces.spellings)
        self._junction = Junction(self._segmentation, MARKER.encode())

    def most(self, before: str, text: str, after: str, budget: int) -> int:
        longest = min(len(text) - 1, LONGEST_FORM)
        room = budget - self._junction.touching
        if room < 0 or longest < 1:
            return 0
        lefts = list(self._lefts(self._plain(before), self._plain(text[: _head(longest)]), room))
        tail = text[len(text) - _tail(longest) :]
        rights = list(self._rights(self._plain(tail), self._plain(after), room))
        return next((n for n in range(longest, 0, -1) if lefts[_head(n)] + rights[_tail(n)] <= room), 0)

    def _plain(self, text: str) -> str:
        return text.replace("\u2581", " ") if self._escaped else text

    def _lefts(self, before: str, head: str, room: int) -> Iterator[int]:
        """For 0, 1, … characters of head: the fewest tokens inside ``before`` and them."""
        blank = " " if self._escaped else ""
        data = f"{blank}{before}{head}".encode()
        costs = self._segmentation.from_left(data, range(len(blank) + 1), room)
        first = len(f"{blank}{before}".encode())
        return (self._junction.left(data, costs, end) for end in accumulate(_sizes(head), initial=first))

    def _rights(self, tail: str, after: str, room: int) -> Iterator[int]:
        """For 0, 1, … characters of tail, counted from its end: the fewest tokens inside them and ``after``."""
        data = f"{tail}{after}".encode()
        costs = self._segmentation.from_right(data, room)
        ends = accumulate(_sizes(tail[::-1]), lambda at, size: at - size, initial=len(tail.encode()))
        return (self._junction.right(data, costs, start) for start in ends)


def _head(n: int) -> int:
    return -(-2 * n // 3)


def _tail(n: int) -> int:
    return n // 3


def _sizes(text: str) -> Iterator[int]:
    return map(len, map(str.encode, text))
