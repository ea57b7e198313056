"""Who is what: the smith, the captain of the watch, the one who keeps the inn, the one whose ferry it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.domains import LEADS, SAME, domain_at, office_at
from npc_memory.reply.guard.english import AUXILIARIES, STOPWORDS, TITLES
from npc_memory.reply.guard.links import Link, link_before
from npc_memory.reply.guard.nouns import Phrase
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["IDENTITY", "OFFICE", "named_title", "offices"]

OFFICE = "office"
IDENTITY = "identity"

_OWNED = frozenset(("ferry", "inn", "smithy"))
_BE = frozenset("is are am was were be remains".split())
_PASSIVE = frozenset((verb, "by") for verb in "led run kept owned ruled headed managed commanded governed".split()) | {
    ("belongs", "to")
}


def offices(
    clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None, *, asked: bool
) -> Iterator[tuple[Prop, Link]]:
    """Each proposition of ``clause`` about who holds an office."""
    words = clause.words
    for i, word in enumerate(words):
        if word.text in LEADS:
            found = domain_at(words, i + 1, cast, mentions)
            if found and (link := link_before(words, i, cast, mentions, carried, verb=True)):
                yield from _held(f"lead:{found}", link, clause, i + 1)
        elif (word.text, words[i + 1].text if i + 1 < len(words) else "") in _PASSIVE:
            yield from _belongs(words, i, clause, cast, mentions, carried)
        elif office := office_at(words, i, cast):
            yield from _is_office(words, i, office, clause, cast, mentions, carried, asked)
    yield from _owners(clause, cast)
    yield from _identity(clause, cast, mentions)


def _identity(clause: Clause, cast: Cast, mentions: Mentions) -> Iterator[tuple[Prop, Link]]:
    """As in "I am not Captain Hale", "the smith is Osric"."""
    words = clause.words
    for i, word in enumerate(words):
        if word.text not in ("am", "is") or not i:
            continue
        name = _name_at(words, i + 2 if i + 1 < len(words) and words[i + 1].text == "not" else i + 1, cast)
        if name is None or POSSESSIVE in {one.text for one in words[i:]}:
            continue
        link = link_before(words, i + 1, cast, mentions, None, verb=True)
        if (
            link
            and link.subject
            and (cast.is_person(link.subject.key) or link.subject.key == "?me")
            and not link.unsure
        ):
            negative = link.negative is not (words[i + 1].text == "not")
            matched = _text(words[link.start : i + 3])
            yield Prop(link.subject, IDENTITY, name.key, not negative, matched, clause.stance), link


def _is_office(
    words: Sequence[Word],
    i: int,
    office: str,
    clause: Clause,
    cast: Cast,
    mentions: Mentions,
    carried: Link | None,
    asked: bool,
) -> Iterator[tuple[Prop, Link]]:
    start = i
    while start > 0 and words[start - 1].alpha and words[start - 1].text not in STOPWORDS | AUXILIARIES:
        if words[start - 1].capital and cast.person(words[start - 1].text):
            break
        start -= 1
    if start > 0 and words[start - 1].text in ("the", "a", "our", "your", "this", "an"):
        start -= 1
    link = link_before(words, start, cast, mentions, carried, verb=asked)
    if link and link.copula and link.subject and link.subject.person and not link.inherited:
        yield from _held(office, link, clause, i + 1)
    end = i + 1
    while end < len(words) and end < i + 4 and words[end].text not in _BE:  # "the captain of the watch is"
        end += 1
    if end < len(words) and words[end].text in _BE and clause.words:
        name = _name_at(words, end + 1, cast)
        if name:
            prop = Prop(Subject(office), OFFICE, name.key, True, _text(words[start : end + 2]), clause.stance)
            yield prop, Link(name, False, False, False, False, True, False, False, start)


def _held(office: str, link: Link, clause: Clause, end: int) -> Iterator[tuple[Prop, Link]]:
    holder = link.subject
    if holder is None or link.unsure or (link.past and not link.never):
        return
    matched = _text(clause.words[link.start : end])
    if holder.person and not link.negative:
        yield Prop(holder, "life", "alive", True, matched, clause.stance), link
    yield Prop(Subject(office), OFFICE, holder.key, not link.negative, matched, clause.stance), link


def _belongs(
    words: Sequence[Word], i: int, clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None
) -> Iterator[tuple[Prop, Link]]:
    link = link_before(words, i, cast, mentions, carried, verb=True)
    name = _name_at(words, i + 2, cast)
    if link and link.subject and name:
        key = SAME.get(link.subject.key, link.subject.key)
        matched = _text(words[link.start : i + 3])
        yield Prop(Subject(f"lead:{key}"), OFFICE, name.key, not link.negative, matched, clause.stance), link


def _owners(clause: Clause, cast: Cast) -> Iterator[tuple[Prop, Link]]:
    words = clause.words
    for i in range(1, len(words) - 1):
        owned = words[i + 1].text
        key = cast.person(words[i - 1].text) if words[i].text == POSSESSIVE and owned in _OWNED else ""
        if key:
            matched = _text(words[i - 1 : i + 2])
            prop = Prop(Subject(f"lead:{owned}"), OFFICE, key, True, matched, clause.stance)
            yield prop, Link(Subject(key, True), False, False, False, False, True, False, False, i - 1)


def _name_at(words: Sequence[Word], i: int, cast: Cast) -> Subject | None:
    while i < len(words) and (words[i].text in ("the", "old", "now", "young", "still") or words[i].text in TITLES):
        i += 1
    if i < len(words) and (key := cast.person(words[i].text)) and words[i].capital:
        return Subject(key, True, named=True)
    if i < len(words) and words[i].text == "me":
        return cast.subject(Phrase("me", i, i + 1, pronoun=True))
    return None


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _titles(words: Sequence[Word]) -> Iterator[tuple[str, Word]]:
    """Each capitalised title with the capitalised word behind it: ("captain", Hale)."""
    for i in range(len(words) - 1):
        name = words[i + 1]
        if (
            words[i].text in TITLES
            and words[i].capital
            and name.capital
            and name.alpha
            and name.text not in TITLES | STOPWORDS
        ):
            yield words[i].text, name


def named_title(words: Sequence[Word]) -> list[tuple[str, str, str]]:
    """(title, name, words) of each, for comparing with who bears the title."""
    return [(title, name.text, f"{title} {name.text}") for title, name in _titles(words)]
