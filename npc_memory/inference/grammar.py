"""A look at a GBNF grammar before llama.cpp parses it: what would hang or crash the native parser is refused here.

llama.cpp's parser takes ``"a"{2,1}`` for four thousand million repetitions, an empty grammar for none at all, and
recurses once per bracket. Everything else is left to it.
"""

from __future__ import annotations

import re
from itertools import accumulate

from npc_memory.errors import RequestInvalid

__all__ = ["check_grammar"]

MAX_REPEAT = 2000
MAX_DEPTH = 64
_OPAQUE = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|#[^\n]*', re.DOTALL)
_REPEAT = re.compile(r"\{([^}]*)\}?")
_RANGE = re.compile(r"\s*(\d+)\s*(?:,\s*(\d*)\s*)?")


def check_grammar(text: str) -> None:
    """Raise ``RequestInvalid`` for a grammar the native parser must not be given."""
    if not text.strip() or "\0" in text:
        raise _refused("it is empty or holds a NUL")
    bare = _OPAQUE.sub(" ", text)
    for found in _REPEAT.finditer(bare):
        bounds = _RANGE.fullmatch(found[1])
        if bounds is None or not found[0].endswith("}"):
            raise _refused(f"{found[0]} is no repetition")
        low, high = int(bounds[1]), int(bounds[2] or bounds[1])
        if high < low or high > MAX_REPEAT:
            raise _refused(f"{found[0]} must count upwards, to {MAX_REPEAT} at most")
    depths = list(accumulate((letter == "(") - (letter == ")") for letter in bare))
    if depths[-1] != 0 or min(depths) < 0 or max(depths) > MAX_DEPTH:
        raise _refused(f"its brackets do not pair, or nest deeper than {MAX_DEPTH}")


def _refused(why: str) -> RequestInvalid:
    return RequestInvalid(f"the grammar cannot be used: {why}", hint="mend the grammar (GBNF with a rule named root)")
