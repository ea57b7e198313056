"""Noun phrases, read backwards from their last word: determiner, modifiers, head, possessor, attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from npc_memory.reply.guard.english import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    NEGATIONS,
    NOBODY,
    OPENERS,
    PREPOSITIONS,
    PRONOUNS,
    STOPWORDS,
    TITLES,
)
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["Phrase", "phrase_before", "singular"]

_LONGEST = 6
_IRREGULAR = {
    "men": "man",
    "women": "woman",
    "children": "child",
    "feet": "foot",
    "watchmen": "watchman",
    "thieves": "thief",
    "knives": "knife",
    "pence": "penny",
    "news": "news",
    "silvers": "silver",
    "always": "always",
}
_ATTRIBUTE = frozenset(
    "of in at on under below beneath behind over to near from by across beside for inside above".split()
)
_DIRECTIONS = frozenset("straight right out up down go ride walk drive head left look come step".split())
_NO_NOUN = (PRONOUNS | PREPOSITIONS | OPENERS | AUXILIARIES | NEGATIONS | ADVERBS) - {"no", "that", "this"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """``head`` in the singular; ``names``: the capitalised words at its end; ``mods`` stand before the head, ``of``
    are the content words of what is attached behind it; ``owner`` the words of its possessor; ``start`` and ``end``
    are word positions. A pronoun is a phrase of its own.
    """

    head: str
    start: int
    end: int
    det: str = ""
    names: tuple[str, ...] = ()
    mods: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    owner: tuple[str, ...] = ()
    plural: bool = False
    pronoun: bool = False

    @property
    def negative(self) -> bool:
        """Whether it denies what is said of it: "no king", "nobody"."""
        return self.det in ("no", "neither") or self.head in NOBODY


def singular(word: str) -> str:
    """``word`` without its plural ending.

    >>> [singular(word) for word in ("guards", "watches", "glass", "duties", "men")]
    ['guard', 'watch', 'glass', 'duty', 'man']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def phrase_before(words: Sequence[Word], end: int) -> Phrase | None:
    """The noun phrase whose last word is ``words[end - 1]``, with what it is attached to; None if there is none."""
    inner = _bare(words, end)
    steps = 0
    while inner and inner.start > 1 and words[inner.start - 1].text in _ATTRIBUTE and steps < 2:
        outer = _bare(words, inner.start - 1)
        if outer is None or outer.pronoun or outer.head in _DIRECTIONS:
            break
        if outer.start and not (outer.det or outer.names or outer.owner):
            break  # "happened to the bridge": a verb, no noun
        said = frozenset(_content(words[inner.start : end])) | outer.of
        inner = replace(outer, end=end, of=said)
        steps += 1
    return inner


def _bare(words: Sequence[Word], end: int) -> Phrase | None:
    if end <= 0 or not words[end - 1].alpha:
        return None
    last = words[end - 1].text
    if (last in PRONOUNS and last not in ("this", "that")) or last in NOBODY:
        return Phrase(last, end - 1, end, pronoun=True)
    if last in _NO_NOUN or last in DETERMINERS:
        return None
    start = end - 1
    owner: tuple[str, ...] = ()
    det = ""
    while start > 0 and end - start < _LONGEST:
        before = words[start - 1]
        if before.text in DETERMINERS:
            start -= 1
            det = before.text
            break
        if before.text == POSSESSIVE:
            holder = _bare(words, start - 1)
            if holder is None:
                break
            start, owner = holder.start, tuple(_content(words[holder.start : start - 1]))
            break
        if not before.alpha or before.text in _NO_NOUN:
            break
        start -= 1
    first = start + (1 if det else 0)
    inside = [word for word in words[first:end] if word.alpha]
    if owner:
        mark = max(i for i in range(start, end) if words[i].text == POSSESSIVE)
        inside = list(words[mark + 1 : end])
    if not inside:
        return None
    names = _names(inside)
    mods = frozenset(singular(word.text) for word in inside[: len(inside) - max(1, len(names))])
    head = singular(inside[-1].text)
    return Phrase(head, start, end, det, names, mods, frozenset(), owner, head != inside[-1].text)


def _names(inside: Sequence[Word]) -> tuple[str, ...]:
    """The run of capitalised words at the end; the first of the text counts before a name or alone."""
    found: list[str] = []
    for word in reversed(inside):
        if not word.capital:
            break
        found.append(word.text)
    names = tuple(reversed(found))
    if len(names) == 1 and inside[-1].first and (names[0] in STOPWORDS or names[0] in TITLES):
        return ()
    return names


def _content(words: Sequence[Word]) -> list[str]:
    return [singular(word.text) for word in words if word.alpha and word.text not in STOPWORDS]
