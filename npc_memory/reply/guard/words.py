"""Words of an English sentence: contractions taken apart, spans kept. One pass, linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from npc_memory.reply.guard.english import ADVERBS, COPULA_AFTER, PRONOUNS
from npc_memory.reply.guard.lexicon import PREDICATE_WORDS

__all__ = ["POSSESSIVE", "Word", "words"]

POSSESSIVE = "'s"
"""The mark of a possessor; an "'s" that stands for "is" has become "is"."""

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+(?:[.,]\d+)*|\S")
_QUOTES = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "*": " ", "_": " "}
)
_SUFFIXES = {"re": "are", "m": "am", "ve": "have", "ll": "will", "d": "would", "em": "them"}
_WHOLE = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "tis": ("it", "is"),
    "twas": ("it", "was"),
    "dunno": ("do", "not", "know"),
    "ne'er": ("never",),
    "o'": ("of",),
    "ma'am": ("madam",),
    "let's": ("let", "us"),
}
_LIKE_COPULA = ("ing", "ed")


@dataclass(frozen=True, slots=True)
class Word:
    """A word or mark, folded. ``start`` and ``end`` are its place in the text; ``capital``: written with a capital;
    ``first``: begins the text, so that a capital says nothing.
    """

    text: str
    start: int
    end: int
    capital: bool = False
    first: bool = False

    @property
    def proper(self) -> bool:
        """Whether its capital makes it a name."""
        return self.capital and not self.first

    @property
    def alpha(self) -> bool:
        return self.text[:1].isalpha()


def words(text: str) -> list[Word]:
    """The words and marks of ``text``.

    >>> [word.text for word in words("The king isn't well; he's dead.")]
    ['the', 'king', 'is', 'not', 'well', ';', 'he', 'is', 'dead', '.']
    """
    return _resolved(list(_split(text.translate(_QUOTES))))


def _split(text: str) -> Iterator[Word]:
    fresh = True
    for match in _TOKEN.finditer(text):
        raw, start, end = match[0], match.start(), match.end()
        if raw == "-" and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum():
            continue  # "twenty-four", "half-dead"
        if raw in "—–-":
            yield Word("—", start, end)
            continue
        if raw == "'" or not (raw[0].isalnum()):
            if raw == "'" and text[start - 1 : start] in ("s", "S") and not text[end : end + 1].isalnum():
                yield Word(POSSESSIVE, start, end)  # "the guards' house"
            elif raw != "'":
                yield Word(raw, start, end)
            continue
        folded = raw.casefold()
        parts = _parts(folded)
        for i, part in enumerate(parts):
            yield Word(part, start, end, i == 0 and raw[0].isupper(), fresh)
        fresh = False


def _parts(folded: str) -> tuple[str, ...]:
    if folded in _WHOLE:
        return _WHOLE[folded]
    if folded.endswith("n't") and len(folded) > 3:
        return folded[:-3], "not"
    head, mark, tail = folded.rpartition("'")
    if not mark or not head:
        return (folded,)
    if tail == "s":
        return head, POSSESSIVE
    return (head, _SUFFIXES[tail]) if tail in _SUFFIXES else (folded,)


def _resolved(found: list[Word]) -> list[Word]:
    """Each "'s" read as "is" where a predicate follows, as the possessor's mark where a noun does."""
    for i, word in enumerate(found):
        if word.text == POSSESSIVE and i and _is_copula(found, i):
            found[i] = Word("is", word.start, word.end)
    return found


def _is_copula(found: list[Word], i: int) -> bool:
    if found[i - 1].text in PRONOUNS or found[i - 1].text in ("that", "there", "here", "who", "what", "where", "how"):
        return True
    j = i + 1
    while j < len(found) and j < i + 4 and found[j].text in ADVERBS:
        j += 1
    following = found[j].text if j < len(found) else ""
    if not following or not following[0].isalpha():
        return j > i + 1
    if following in ("not", "never", "no", "a", "an", "the", "been", "in", "at", "on", "under", "my", "our", "your"):
        return True
    after = found[j + 1].text if j + 1 < len(found) else ""
    ends = not after or not after[0].isalpha() or after in COPULA_AFTER
    return ends and (following in PREDICATE_WORDS or following.endswith(_LIKE_COPULA))
