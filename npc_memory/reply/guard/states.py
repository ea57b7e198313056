"""Reads what a clause says of the state of somebody or something: dead or well, burned or standing, open or shut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from npc_memory.reply.guard.acts import act_end, recent, role_end
from npc_memory.reply.guard.cast import Cast
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.english import (
    ADVERBS,
    AUXILIARIES,
    COPULA_AFTER,
    DETERMINERS,
    NEGATIONS,
    OPENERS,
    PREPOSITIONS,
    PRONOUNS,
)
from npc_memory.reply.guard.lexicon import EVENTS, OBJECT_VERBS, PREDICATES, VERBS, Sense
from npc_memory.reply.guard.links import Link, link_before, may_be
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.words import Word

__all__ = ["states"]

_OBJECTS = DETERMINERS | frozenset("him her it them me us you".split())
_BE = frozenset("is are am was were be been being".split())
_HEALTH = frozenset(("health",))
_LONG_AGO = frozenset("ago once then earlier".split())
_DAYS = frozenset("night day eve feast".split())
_LINKING = frozenset("stands stand lies lie sits sit holds keeps remains works run runs".split())
_AFTER = COPULA_AFTER | PREPOSITIONS | ADVERBS | PRONOUNS | OPENERS | NEGATIONS | AUXILIARIES | DETERMINERS
_AFTER |= frozenset(
    "day night thanks thank anyway though day days tomorrow yes indeed sir love dear friend guest child".split()
)
_SEEN = frozenset("saw see seen found find left keep kept have has had with met watched make made".split())
_MARKERS = frozenset("well fine good right clear there so".split())
_EUPHEMISM = frozenset(
    "crypt grave tomb earth forever eternal peace stone ground temple gods fathers ancestors soil coffin".split()
)
_REST = frozenset("asleep sleeps sleeping resting safe in".split())


def states(
    clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None, *, asked: bool
) -> Iterator[tuple[Prop, Link]]:
    """Each state proposition of ``clause``. ``carried`` is the link of the clause before, whose subject goes on."""
    words = clause.words
    if carried and clause.opener == "but":
        carried = replace(carried, negative=False)  # "not sleeping but dead"
    hits = list(_hits(words))
    for n, (start, end, senses) in enumerate(hits):
        form = " ".join(word.text for word in words[start:end])
        following = hits[n + 1][0] if n + 1 < len(hits) else -1
        if form in _LINKING and following >= 0 and _filler_only(words[end:following]):
            continue
        verb = form in VERBS or senses is ACTING
        if not verb and end - start == 1 and _attributive(words, end):
            continue
        if form in OBJECT_VERBS and _has_object(words, start, end):
            continue
        link = link_before(words, start, cast, mentions, carried, verb=verb or asked)
        if link is None or not _said(clause, link, words, start, end, verb, asked):
            continue
        link = _negated_behind(link, words, end)
        for sense in senses:
            if link.subject is None and sense.respect == "life" and form in _PLAIN_LIFE and words[start - 1 :]:
                link = _nobody_else(link, words, mentions)
            if link.subject is None or (
                sense.respect == "life" and form.split()[0] in _REST and _has(words, _EUPHEMISM)
            ):
                continue
            if (
                form == "good"
                and sense.respect == "life"
                and (link.copula or not link.inherited)
                and not _has(words, _HEALTH)
            ):
                continue  # good by character; only "How is he?" - "Good." is about health
            if not may_be(link.subject, sense.respect):
                continue
            if form in _MANNERS and sense.respect == "life":
                yield from _manner(form, link, clause, words, end)
            if link.negative and (form in _MANNERS or senses is ACTING):
                continue
            if not _holds_now(sense, form, link, words):
                continue
            matched = " ".join(word.text for word in words[link.start : end])
            event = form in EVENTS and not link.present
            yield (
                Prop(
                    link.subject,
                    sense.respect,
                    sense.pole,
                    not link.negative,
                    matched,
                    clause.stance,
                    event,
                    event and _dated(words),
                ),
                link,
            )


_DAILY = frozenset(
    (("at", "dusk"), ("at", "night"), ("after", "dark"), ("by", "night"), ("every", "night"), ("at", "dawn"))
)
_FORMER = frozenset(("once", "formerly"))
_MANNERS = frozenset(
    "killed murdered slain poisoned assassinated drowned strangled stabbed executed hanged beheaded".split()
)
"""Ways to die: who did not die of one may have died of another."""


def _manner(form: str, link: Link, clause: Clause, words: Sequence[Word], end: int) -> Iterator[tuple[Prop, Link]]:
    """That he died of it, or did not: who is poisoned is murdered."""
    if link.subject is None or link.unsure or link.future:
        return
    matched = " ".join(word.text for word in words[link.start : end])
    for manner in ("poisoned", "murdered") if form == "poisoned" else (form,):
        yield Prop(link.subject, f"manner:{manner}", "yes", not link.negative, matched, clause.stance), link


_PLAIN_LIFE = frozenset("lives alive dead living breathes breathing killed murdered poisoned die died dies".split())


def _nobody_else(link: Link, words: Sequence[Word], mentions: Mentions) -> Link:
    """As in "He lives", when the talk has named no man at all: the one whose death or life everybody speaks of."""
    if words[link.start].text in ("he", "she") and (subject := mentions.famous(words[link.start].text)):
        return replace(link, subject=subject)
    return link


ACTING = (Sense("life", "alive"),)


def _hits(words: Sequence[Word]) -> Iterator[tuple[int, int, tuple[Sense, ...]]]:
    i = 0
    while i < len(words):
        if end := role_end(words, i):
            yield i, end, ACTING
            i = end - 1
        elif not words[i].proper:
            for size in (5, 4, 3, 2, 1):
                key = tuple(word.text for word in words[i : i + size])
                if key == ("lives",) and i + 1 < len(words) and words[i + 1].text == "on":
                    continue  # "lives on in our hearts"
                if len(key) == size and key in PREDICATES and not (i == 0 and key in (("there",), ("here",))):
                    yield i, i + size, PREDICATES[key]
                    i += size - 1
                    break
            else:
                if end := act_end(words, i):
                    yield i, end, ACTING
        i += 1


def _said(clause: Clause, link: Link, words: Sequence[Word], start: int, end: int, verb: bool, asked: bool) -> bool:
    """Whether the words are joined as subject and predicate."""
    if asked or (verb and not link.inherited):
        return True
    if link.inherited:
        alone = end - start == len(words)
        if alone and words[start].text in _MARKERS and clause.opener == "" and clause.closer == ",":
            return False
        following = words[end].text if end == start + 1 and end < len(words) else ""
        return not (following in DETERMINERS | PRONOUNS and start == 0 and not link.copula)
    if link.copula:
        return True
    before = words[link.start - 1].text if link.start else ""
    return link.start == 0 or before in _SEEN


def _has_object(words: Sequence[Word], start: int, end: int) -> bool:
    """Whether a participle is an active verb: "Jory buried him" says nothing of Jory's health."""
    following = words[end] if end < len(words) else None
    acts = not _has(words[max(0, start - 3) : start], _BE)
    return acts and following is not None and (following.text in _OBJECTS or following.proper)


def _dated(words: Sequence[Word]) -> bool:
    """Whether the clause says when, and it was not just now: "burned on Lantern Night", "sank years ago"."""
    if recent(words):
        return False
    return _has(words, _LONG_AGO) or any(word.proper and word.text in _DAYS for word in words)


def _negated_behind(link: Link, words: Sequence[Word], end: int) -> Link:
    rest = [word.text for word in words[end : end + 2]]
    if rest[:2] == ["no", "more"] or (rest[:1] == ["not"] and len(words) == end + 1):
        return replace(link, negative=not link.negative)
    return link


def _holds_now(sense: Sense, form: str, link: Link, words: Sequence[Word]) -> bool:
    """Whether what is said holds at present, and is said for certain."""
    if link.unsure:
        return False
    if link.future:
        return sense.respect == "life"
    if link.past and form not in EVENTS and not link.never:
        return sense.respect == "life" and (recent(words) or link.recent)
    if sense.respect == "access" and any((a.text, b.text) in _DAILY for a, b in pairwise(words)):
        return False  # "the gate is closed at dusk" is a rule and not a report
    return not _has(words, _FORMER) or (form not in EVENTS and not link.past)


def _attributive(words: Sequence[Word], end: int) -> bool:
    if end >= len(words):
        return False
    following = words[end]
    return following.alpha and following.text not in _AFTER and not following.text.endswith("ly")


def _filler_only(words: Sequence[Word]) -> bool:
    return all(word.text in ADVERBS or word.text in NEGATIONS or word.text.endswith("ly") for word in words)


def _has(words: Sequence[Word], some: frozenset[str]) -> bool:
    return any(word.text in some for word in words)
