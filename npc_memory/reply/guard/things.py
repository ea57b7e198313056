"""Whether there is such a thing, whether one can get across it, and what somebody did to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from npc_memory.reply.guard.acts import recent
from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.english import ADVERBS, AUXILIARIES, DETERMINERS, NEGATIONS, RECENT, STOPWORDS
from npc_memory.reply.guard.lexicon import OBJECT_VERBS, PASSAGE, POLES
from npc_memory.reply.guard.links import Link, link_before, may_be
from npc_memory.reply.guard.nouns import phrase_before
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.words import Word

__all__ = ["ANOTHER", "EXISTS", "object_from", "sighted", "things"]

EXISTS = "exists"
ANOTHER = "another"

_BE = frozenset("is are".split())
_NONE = frozenset(("no", "not", "never", "hardly", "nor"))
_WAY = frozenset("over across through by via along".split())
_STRAIGHT = frozenset("straight right just go ride walk drive head back on out up take".split()) | ADVERBS
_SIGNS = (("body", "whole"), ("access", "open"))
_MOVES = frozenset(
    f"{verb}{ending}"
    for verb in ("walk", "go", "ride", "drive", "get", "come", "travel", "roll", "run", "march", "goe")
    for ending in ("", "s")
)
_STROLLS = frozenset("walk stroll go be wander roam dance stay drink sing".split())
_NIGHT = frozenset("night dark midnight streets".split())
_ANYONE = frozenset("you i we anyone everyone everybody nobody one people".split())
_WHEN = frozenset("last next today yesterday tonight daily once ago again tomorrow".split())
_SIGHTS = frozenset("saw met found left watched visited".split())
_OURS = frozenset(("we", "i"))


def things(
    clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None, *, asked: bool
) -> Iterator[tuple[Prop, Link]]:
    """Each proposition of ``clause`` of that kind."""
    yield from _existence(clause, cast)
    yield from _passage(clause, cast, mentions, carried)
    yield from _way(clause, cast)
    yield from _permission(clause)
    yield from _objects(clause, cast, mentions, carried)
    yield from _let_go(clause, cast, mentions)


def object_from(
    words: Sequence[Word], i: int, cast: Cast, mentions: Mentions | None, actor: str = ""
) -> tuple[Subject | None, int]:
    """Whom or what the noun phrase that begins at word ``i`` means, and where it ends; a pronoun is never ``actor``."""
    if i < len(words) and words[i].text in ("it", "them", "him", "her", "there") and mentions:
        found = mentions.who(words[i].text)
        return None if found and found.key == actor else found, i + 1
    start = i
    while i < len(words) and (words[i].text in DETERMINERS or words[i].text in ("'s",)):
        i += 1
    end = i
    while end < len(words) and words[end].alpha and words[end].text not in STOPWORDS | _WHEN and end < i + 4:
        end += 1
    if end == i:
        return None, start
    names = next((n for n in range(i, end) if words[n].capital and cast.person(words[n].text)), -1)
    if names >= 0:
        while names + 1 < end and words[names + 1].capital:
            names += 1
        end = names + 1
    inside = words[start:end]
    while end > i:
        phrase = phrase_before(inside, end - start)
        subject = cast.subject(phrase) if phrase else None
        if subject and not words[end - 1].text.endswith("ly") and words[end - 1].text not in ADVERBS | RECENT:
            return subject, end
        end -= 1
    return None, start


def _let_go(clause: Clause, cast: Cast, mentions: Mentions) -> Iterator[tuple[Prop, Link]]:
    """As in "They let Osric go"."""
    words = clause.words
    for i, word in enumerate(words):
        if word.text in ("let", "set") and i and words[i - 1].text != "not":
            subject, end = object_from(words, i + 1, cast, mentions)
            if subject and subject.person and end < len(words) and words[end].text in ("go", "free"):
                matched = " ".join(one.text for one in words[i : end + 1])
                prop = Prop(subject, "liberty", "free", True, matched, clause.stance)
                yield prop, Link(subject, False, True, False, False, True, False, False, i)


def sighted(clause: Clause, cast: Cast, mentions: Mentions) -> Link | None:
    """The link to whom "I saw him yesterday" speaks of: what follows is said of him, and of then."""
    words = clause.words
    for i, word in enumerate(words):
        if word.text in _SIGHTS and i:
            subject, _ = object_from(words, i + 1, cast, mentions)
            return Link(subject, False, True, False, False, False, False, False, i, recent(words)) if subject else None
    return None


def _existence(clause: Clause, cast: Cast) -> Iterator[tuple[Prop, Link]]:
    words = clause.words
    texts = [word.text for word in words]
    for i, text in enumerate(texts):
        if texts[i : i + 3] == ["nothing", "left", "of"]:
            gone, end = object_from(words, i + 3, cast, None)
            if gone:
                prop = Prop(gone, "body", "ruined", True, " ".join(texts[i:end]), clause.stance)
                yield prop, Link(gone, False, False, False, False, True, False, False, i)
        negative, at = False, -1
        there = text == "there" and i + 1 < len(words) and (texts[i + 1] in _BE or (i > 0 and texts[i - 1] in _BE))
        had = text == "had" and "never" in texts[max(0, i - 2) : i]
        if there or ((text in ("have", "got") or had) and _OURS & set(texts[max(0, i - 3) : i])):
            at = i + 1
        elif text == "no" and all(one in ADVERBS for one in texts[:i]):
            at = i
        if at < 0:
            continue
        negative = had
        while at < len(words) and (texts[at] in _NONE or texts[at] in _BE or texts[at] in ADVERBS):
            negative = negative or texts[at] in _NONE
            at += 1
        if text != "there" and not negative:
            continue
        subject, end = object_from(words, at, cast, None)
        if subject is not None and text in ("have", "had") and (owned := cast.owned(subject.key.lstrip("?"))):
            subject = cast.named(owned)
        rest = words[end].text if end < len(words) else ""
        if subject is None or (text == "no" and rest in AUXILIARIES):
            continue
        bare = replace(subject, det="", plural=False)
        matched = " ".join(texts[i:end])
        link = Link(bare, negative, False, False, False, True, False, False, i)
        more = subject.det == "another" or subject.mods & {"other", "second"}
        yield Prop(bare, ANOTHER if more else EXISTS, "yes", not negative, matched, clause.stance), link


def _passage(clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None) -> Iterator[tuple[Prop, Link]]:
    """As in "You can cross the bridge", "nobody passes the gate", "take the bridge", "my cousin crossed it today"."""
    words = clause.words
    for i, word in enumerate(words):
        over = word.text in _MOVES and i + 1 < len(words) and words[i + 1].text in ("across", "over", "through")
        if word.text not in PASSAGE and not over:
            continue
        j = i + 1
        while j < len(words) and words[j].text in _WAY | {"straight", "right"}:
            j += 1
        subject, end = object_from(words, j, cast, mentions)
        if subject is None and j == len(words) and word.text in ("cross", "pass", "enter"):
            subject, end = mentions.who("it"), j  # "you can cross"
        if subject is None:
            continue
        link = link_before(words, i, cast, mentions, None, verb=True)
        near = {one.text for one in words[max(0, i - 5) : i]}
        able = near & {"can", "may", "could"}
        order = i == 0 or (i == 1 and words[0].text == "you") or all(one.text in _STRAIGHT for one in words[:i])
        lately = word.text.endswith("ed") and recent(words)
        daily = _habit(words, i, over, near)
        denied = word.text.endswith("es") and link is not None
        if (link is None and not order) or not (able or order or lately or denied or daily):
            continue
        negative = link.negative if link and not link.inherited else bool(near & NEGATIONS)
        yield from _signs(subject, not negative, clause, " ".join(one.text for one in words[max(0, i - 3) : end]))


def _habit(words: Sequence[Word], i: int, over: bool, near: set[str]) -> bool:
    """Whether somebody passes there these days: "carts roll over the bridge", "my wagons use it daily"."""
    if near & {"to", "would", "used", "did", "had", "was", "were", "will", "could", "might", "not", "never", "no"}:
        return False
    phrase = phrase_before(words[:i], i)
    if phrase is None or (phrase.pronoun and phrase.head not in ("i", "we", "they", "everyone", "everybody")):
        return False
    return over or words[i].text in ("use", "uses", "cross", "crosses")


def _permission(clause: Clause) -> Iterator[tuple[Prop, Link]]:
    """As in "You may walk the streets after dark": then there is no curfew."""
    texts = [word.text for word in clause.words]
    for i, text in enumerate(texts):
        if text not in _STROLLS or not _NIGHT & set(texts[i + 1 :]):
            continue
        near = set(texts[max(0, i - 4) : i])
        if not near & {"can", "may"} or not near & _ANYONE or "only" in texts:
            continue
        allowed = not near & (NEGATIONS | {"nobody"})
        curfew = Subject("curfew")
        prop = Prop(curfew, EXISTS, "yes", not allowed, " ".join(texts[max(0, i - 4) : i + 1]), clause.stance)
        yield prop, Link(curfew, allowed, False, False, False, True, False, False, 0)


def _way(clause: Clause, cast: Cast) -> Iterator[tuple[Prop, Link]]:
    """As in "Straight over the bridge." and "Not over that bridge"."""
    words = clause.words
    i = 0
    while i < len(words) and (words[i].text in _STRAIGHT or words[i].text == "not"):
        i += 1
    if i < len(words) and words[i].text in ("over", "across", "through"):
        subject, end = object_from(words, i + 1, cast, None)
        if subject and end >= len(words) - 1:
            negative = any(word.text == "not" for word in words[:i])
            yield from _signs(subject, not negative, clause, " ".join(word.text for word in words[:end]))


def _signs(subject: Subject, positive: bool, clause: Clause, matched: str) -> Iterator[tuple[Prop, Link]]:
    for respect, pole in _SIGNS:
        prop = Prop(subject, respect, pole, positive, matched, clause.stance)
        yield prop, Link(subject, not positive, False, False, False, True, False, False, 0)


def _objects(clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None) -> Iterator[tuple[Prop, Link]]:
    """As in "They closed the north gate", "nobody killed the king", "we still seek her"."""
    words = clause.words
    for i, word in enumerate(words):
        poles = OBJECT_VERBS.get(word.text)
        if poles is None or (i and words[i - 1].text in ("to", "the", "a")):
            continue
        j = i + 1
        while j < len(words) and words[j].text in ("for", "down", "up", "after"):
            j += 1
        link = link_before(words, i, cast, mentions, carried, verb=True)
        actor = link.subject.key if link and link.subject else ""
        subject, end = object_from(words, j, cast, mentions, actor)
        if subject is None or link is None or link.unsure or link.future:
            continue
        seen = {one.text for one in words[max(0, i - 4) : i]}
        if seen & {"is", "was", "were", "be", "been"} and not word.text.endswith("ing"):
            continue
        matched = " ".join(one.text for one in words[link.start : end])
        for respect in (one for one in POLES[poles] if may_be(subject, one)):
            yield (
                Prop(subject, respect, poles, not link.negative, matched, clause.stance),
                replace(link, subject=subject),
            )
