"""The way from a predicate back to its subject: auxiliaries, adverbs, negations, and whom a pronoun means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.english import ADVERBS, AUXILIARIES, NEGATIONS, PAST
from npc_memory.reply.guard.nouns import phrase_before
from npc_memory.reply.guard.props import Mentions
from npc_memory.reply.guard.words import Word

__all__ = ["Link", "link_before", "may_be"]

_REACH = 12
_PERSONAL = frozenset("life liberty wake guilt sought".split())
_EITHER = frozenset("presence grief war".split())
_UNSURE = frozenset("would could might may should ought".split())
_ANYONE = frozenset("anyone anybody someone somebody nobody".split())


@dataclass(frozen=True, slots=True)
class Link:
    """What stands between a subject and what is said of it."""

    subject: Subject | None
    negative: bool
    past: bool
    unsure: bool
    future: bool
    copula: bool
    never: bool
    inherited: bool
    start: int
    recent: bool = False
    present: bool = False


def link_before(
    words: Sequence[Word], at: int, cast: Cast, mentions: Mentions, carried: Link | None, *, verb: bool
) -> Link | None:
    """Go left from a predicate at ``at`` over auxiliaries, adverbs and negations to its subject."""
    i, negative, seen = at, False, set()
    while i > 0 and at - i < _REACH:
        text = words[i - 1].text
        if text in NEGATIONS and (text not in ("none", "nobody", "nothing", "neither") or i > 1):
            negative = not negative
        elif text not in AUXILIARIES and text not in ADVERBS and not (text.endswith("ly") and len(text) > 4):
            break
        seen.add(text)
        i -= 1
    copula = bool(seen & AUXILIARIES) or verb
    known = {
        "past": (bool(seen & PAST) and not seen & {"been"}) or "had" in seen,
        "unsure": bool(seen & _UNSURE),
        "future": bool(seen & {"will", "shall"}),
        "copula": copula,
        "never": "never" in seen,
        "present": bool(seen & {"is", "are", "am", "has", "have"}),
    }
    if i == 0:
        goes_on = carried is not None and carried.subject is not None
        subject = carried.subject if carried and goes_on else mentions.topic
        if subject is None:
            return None
        flip = bool(carried and carried.negative and not seen)
        if carried and not seen:
            known["past"], known["recent"] = carried.past, carried.recent
        return Link(subject, negative is not flip, inherited=True, start=0, **known)
    phrase = phrase_before(words, i)
    if phrase is None or (phrase.head.endswith("ing") and not phrase.det and not phrase.names):
        return None
    subject = mentions.who(phrase.head) if phrase.pronoun else cast.subject(phrase)
    if phrase.head in _ANYONE:
        subject = Subject("*", True)
    if phrase.pronoun and subject is None:
        return Link(None, negative is not phrase.negative, inherited=False, start=phrase.start, **known)
    return Link(subject, negative is not phrase.negative, inherited=False, start=phrase.start, **known)


def may_be(subject: Subject, respect: str) -> bool:
    """Whether such a thing can be said of it: persons die, bridges burn."""
    return respect in _EITHER or subject.person is (respect in _PERSONAL)
