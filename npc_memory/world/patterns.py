"""Contradiction patterns: regular expressions that are certain to finish.

Python's ``re`` has no timeout and can take exponential time. So a pattern is refused unless a simple upper bound on the
ways it can match from one position stays small: the bound of a sequence is the product of its parts, of alternatives
the sum, of a repeated part one more than the repeats it allows (of a part with ways of its own: that bound to the power
of the repeats). Back-references and look-behind conditions are outside the bound and refused.
"""

from __future__ import annotations

import re
import warnings

__all__ = ["MAX_PATTERN_CHARS", "MAX_WAYS", "PatternRefused", "compile_pattern"]

MAX_PATTERN_CHARS = 200

MAX_WAYS = 20_000
"""Most ways a pattern may match from one position; an unlimited repeat counts as 400 (a long sentence)."""

_UNLIMITED = 400
_GROUP = re.compile(r"\(\?(?::|=|!|<=|<!|P<[A-Za-z_]\w*>)")
_COUNT = re.compile(r"\{(\d*)(,?)(\d*)\}")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL)


class PatternRefused(ValueError):
    """Why a pattern cannot be used, and the ``cure``. The loader turns it into a problem with file and line."""

    def __init__(self, message: str, cure: str) -> None:
        super().__init__(message)
        self.message, self.cure = message, cure


def compile_pattern(source: str) -> re.Pattern[str]:
    """``source`` compiled, ignoring case. Raises ``PatternRefused`` when it cannot be used safely."""
    if len(source) > MAX_PATTERN_CHARS:
        raise PatternRefused(f"the pattern has more than {MAX_PATTERN_CHARS} characters", "split it into several")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a FutureWarning means: this will be read differently one day
            compiled = re.compile(source, re.IGNORECASE)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        raise PatternRefused(
            f"the pattern {source!r} is no regular expression: {error}",
            "mend it; put it in single quotes so that \\b stays \\b",
        ) from error
    if compiled.search(""):
        raise PatternRefused(
            f"the pattern {source!r} matches empty text", "it would contradict every line: require a word"
        )
    if (ways := _Scan(source).ways()) > MAX_WAYS:
        raise PatternRefused(
            f"the pattern {source!r} may take too long (bound {min(ways, 10**9):,}, limit {MAX_WAYS:,})",
            "use limited repeats such as .{0,40} instead of .*, a blank instead of \\s+, no repeat inside a repeat",
        )
    return compiled


class _Scan:
    """One pass over a pattern that already compiles."""

    def __init__(self, source: str) -> None:
        self._source, self._at = source, 0

    def ways(self) -> int:
        return self._alternatives()

    def _alternatives(self) -> int:
        total, sequence = 0, 1
        while self._at < len(self._source) and self._source[self._at] != ")":
            if self._source[self._at] == "|":
                self._at += 1
                total, sequence = total + sequence, 1
            else:
                sequence = _capped(sequence * self._repeated())
        return _capped(total + sequence)

    def _repeated(self) -> int:
        ways = self._one()
        repeats, optional = self._quantifier()
        if repeats == 1:
            return _capped(ways + optional)
        if ways > 1:
            return _capped(min(ways + optional, MAX_WAYS + 1) ** min(repeats, 40))
        return min(repeats, _UNLIMITED) + 1

    def _quantifier(self) -> tuple[int, int]:
        """The most repeats, and 1 if none at all will do."""
        rest = self._source[self._at : self._at + 1]
        count = _COUNT.match(self._source, self._at)
        if rest and rest in "*+?":
            self._at += 1
            most, optional = (1, 1) if rest == "?" else (10**6, 1)
        elif count and (count[1] or count[2]):
            self._at = count.end()
            most = int(count[3]) if count[3] else 10**6 if count[2] else int(count[1])
            fixed = not count[2] or count[1] == count[3]
            if fixed:  # exactly n: one way, unless its part has ways of its own
                self._lazy()
                return (most, 0) if most > 1 else (1, 0)
            optional = 1
        else:
            return 1, 0
        self._lazy()
        return most, optional

    def _lazy(self) -> None:
        if self._source[self._at : self._at + 1] in ("?", "+"):
            self._at += 1

    def _one(self) -> int:
        char = self._source[self._at]
        if char == "(":
            return self._group()
        if char == "[":
            self._class()
        elif char == "\\":
            escape = _ESCAPE.match(self._source, self._at)
            if escape is None or escape[0][1:2].isdigit():
                raise PatternRefused(f"the pattern {self._source!r} refers back to a group", "spell both parts out")
            self._at = escape.end()
        else:
            self._at += 1
        return 1

    def _group(self) -> int:
        self._at += 1
        if self._source[self._at : self._at + 1] == "?":
            opened = _GROUP.match(self._source, self._at - 1)
            if opened is None:
                raise PatternRefused(
                    f"the pattern {self._source!r} uses a rare kind of group",
                    "use (…), (?:…), (?=…) or (?!…); case is ignored anyway",
                )
            self._at = opened.end()
        ways = self._alternatives()
        self._at += 1
        return ways

    def _class(self) -> None:
        self._at += 1
        if self._source[self._at] == "^":
            self._at += 1
        if self._source[self._at] == "]":
            self._at += 1
        while self._source[self._at] != "]":
            self._at += 2 if self._source[self._at] == "\\" else 1
        self._at += 1


def _capped(ways: int) -> int:
    return min(ways, 10**9)
