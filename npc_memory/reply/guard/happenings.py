"""Of what and on which day it happened: "died of fever", "burned on Lantern Night"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npc_memory.reply.guard.cast import Cast
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.english import STOPWORDS
from npc_memory.reply.guard.links import Link, link_before
from npc_memory.reply.guard.nouns import singular
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["CAUSE", "DAY", "happenings"]

CAUSE = "cause"
DAY = "day"

_DIED = frozenset("died dies die perished".split())
_KILLED = frozenset("killed slain murdered".split())
_EVENTS = _DIED | _KILLED | frozenset("burned burnt fire buried crowned poisoned fled drowned".split())
_WEAPONS = frozenset("dragon wolf wolves bear arrow sword knife lightning spear blade horse boar axe dagger".split())
_DAYS = frozenset("night day eve feast morning".split())


def happenings(clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None) -> Iterator[tuple[Prop, Link]]:
    """Each proposition of ``clause`` about a cause of death or the day of an event; the value is its content words."""
    words = clause.words
    for i, word in enumerate(words):
        if word.text not in _EVENTS:
            continue
        start = i - 1 if word.text == "fire" and i and words[i - 1].text == "caught" else i
        link = link_before(words, start, cast, mentions, carried, verb=True)
        if link is None or link.subject is None or link.negative or link.unsure or link.future:
            continue
        matched = " ".join(one.text for one in words[link.start : i + 4])
        for respect, value in ((CAUSE, _cause(words, i)), (DAY, _day(words, i, cast))):
            if value:
                yield Prop(link.subject, respect, " ".join(value), True, matched, clause.stance), link


def _cause(words: Sequence[Word], i: int) -> list[str]:
    text, rest = words[i].text, words[i + 1 :]
    following = rest[0].text if rest else ""
    if text == "poisoned":
        return ["poison"]
    if text in _KILLED and following == "by":
        found = _content(rest[1:5])
        return found if set(found) & _WEAPONS else []
    if text not in _DIED or not rest:
        return []
    if following in ("of", "from"):
        return _content(rest[1:5])
    if following.endswith("ing"):
        return _content(rest[:3])
    return ["sleep"] if [word.text for word in rest[:3]] in (["in", "his", "sleep"], ["in", "her", "sleep"]) else []


def _content(words: Sequence[Word]) -> list[str]:
    found: list[str] = []
    for word in words:
        if not word.alpha or (word.text in STOPWORDS and found):
            break
        if word.text not in STOPWORDS:
            found.append(singular(word.text))
    return found


def _day(words: Sequence[Word], i: int, cast: Cast) -> list[str]:
    """The name of the day in "on Lantern Night": capitalised, and nobody's name."""
    for j in range(i + 1, len(words) - 1):
        if words[j].text == "on" and words[j + 1].proper:
            found = []
            for word in words[j + 1 : j + 5]:
                if not (word.proper or word.text == POSSESSIVE) or cast.person(word.text):
                    break
                found.append(word.text)
            return [text for text in found if text not in _DAYS and text != POSSESSIVE]
    return []
