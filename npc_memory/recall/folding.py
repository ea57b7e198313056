"""When two memories tell the same once more: the same people, the same kind of thing, the same words in the same order.

Case, punctuation and a few fillers ("the", "again", "please") make no difference; every other word does, and so no
number, no name and no "not" is ever folded away, in any language. A question is never the same as a statement.
Equality has no threshold, so it needs no rounding, and whatever folds with two memories makes those two fold.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from hashlib import blake2b

__all__ = ["FILLERS", "fold_key"]

FILLERS = frozenset(
    """a again ah and just now oh please so the then very
    ach bitte das der ein eine jetzt nun sehr und wieder
    и же ну опять пожалуйста снова""".split()
)
"""Words that make no difference, in English, German and Russian: none of them is a number, a name or a negation, or
turns round what is said, in any of the three.
"""

ASKING = "?؟"

MOST_SPACED = 20_000
"""Letters that are remembered for what they are; nobody writes in so many."""


class _Spaced(dict[int, int]):
    """Letters, their marks and numbers make words; all else stands between them. Each is looked up once."""

    def __missing__(self, code: int) -> int:
        if len(self) >= MOST_SPACED:
            self.clear()
        self[code] = found = code if unicodedata.category(chr(code))[0] in "LMN" else ord(" ")
        return found


_SPACED = _Spaced()


def fold_key(kind: str, people: Iterable[str], text: str) -> int:
    """The same number, not 0, for memories that tell the same once more. ``people``: who had a part in it, in order."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    asking = str(sum(map(plain.count, ASKING)))
    words = [word for word in plain.translate(_SPACED).split() if word not in FILLERS]
    told = "\x1f".join([kind, asking, *people, "", *words])
    return int.from_bytes(blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") | 1
