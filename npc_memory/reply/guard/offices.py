"""Who is what: the smith, the captain of the watch, the one who keeps the inn, the one whose ferry it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.english import (
    ARTICLES,
    AUXILIARIES,
    DETERMINERS,
    PERSONS,
    PREPOSITIONS,
    STOPWORDS,
    TITLES,
)
from npc_memory.reply.guard.lexicon import PREDICATE_WORDS
from npc_memory.reply.guard.nouns import Phrase, phrase_before, singular
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.states import Link, link_before
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["IDENTITY", "OFFICE", "SAME_PLACE", "asked_office", "named_title", "office_subject", "offices", "titles"]

OFFICE = "office"
IDENTITY = "identity"

_LEADS = frozenset(
    f"{verb}{ending}"
    for verb in ("keep", "own", "run", "lead", "head", "rule", "command", "manage", "govern")
    for ending in ("", "s")
)
_LEADERS = frozenset("captain master head leader keeper chief owner ruler commander boss mistress abbot".split())
_WHOLE = {
    "guildmaster": "guild",
    "innkeeper": "inn",
    "landlady": "inn",
    "landlord": "inn",
    "barkeep": "inn",
    "ferryman": "ferry",
    "ferrymaster": "ferry",
    "ferrywoman": "ferry",
}
_SAME = {
    "blacksmith": "smith",
    "tavern": "inn",
    "stag": "inn",
    "house": "inn",
    "town": "here",
    "city": "here",
    "realm": "here",
}
SAME_PLACE = {noun: key for noun, key in _SAME.items() if key in ("inn",)}
_BE = frozenset("is are am was were be remains".split())
_PASSIVE = frozenset((verb, "by") for verb in "led run kept owned ruled headed managed commanded governed".split()) | {
    ("belongs", "to")
}
_STEADY = frozenset("never no not longer".split())


def offices(
    clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None, *, asked: bool
) -> Iterator[tuple[Prop, Link]]:
    """Each proposition of ``clause`` about who holds an office."""
    words = clause.words
    for i, word in enumerate(words):
        if word.text in _LEADS:
            found = _domain(words, i + 1, cast, mentions)
            if found and (link := link_before(words, i, cast, mentions, carried, verb=True)):
                yield from _held(f"lead:{found}", link, clause, i + 1)
        elif (word.text, words[i + 1].text if i + 1 < len(words) else "") in _PASSIVE:
            yield from _belongs(words, i, clause, cast, mentions, carried)
        elif office := _office_at(words, i, cast):
            yield from _is_office(words, i, office, clause, cast, mentions, carried, asked)
    yield from _owners(clause, cast)
    yield from _identity(clause, cast, mentions)


def _identity(clause: Clause, cast: Cast, mentions: Mentions) -> Iterator[tuple[Prop, Link]]:
    """ "I am not Captain Hale", "the smith is Osric"."""
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
    yield Prop(Subject(office), OFFICE, holder.key, not link.negative, matched, clause.stance), link


def _belongs(
    words: Sequence[Word], i: int, clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None
) -> Iterator[tuple[Prop, Link]]:
    link = link_before(words, i, cast, mentions, carried, verb=True)
    name = _name_at(words, i + 2, cast)
    if link and link.subject and name:
        key = _SAME.get(link.subject.key, link.subject.key)
        matched = _text(words[link.start : i + 3])
        yield Prop(Subject(f"lead:{key}"), OFFICE, name.key, not link.negative, matched, clause.stance), link


def _owners(clause: Clause, cast: Cast) -> Iterator[tuple[Prop, Link]]:
    words = clause.words
    for i, word in enumerate(words):
        if word.text == POSSESSIVE and 0 < i < len(words) - 1 and words[i + 1].text in ("ferry", "inn", "smithy"):
            if key := cast.person(words[i - 1].text):
                prop = Prop(
                    Subject(f"lead:{words[i + 1].text}"), OFFICE, key, True, _text(words[i - 1 : i + 2]), clause.stance
                )
                yield prop, Link(Subject(key, True), False, False, False, False, True, False, False, i - 1)


def _office_at(words: Sequence[Word], i: int, cast: Cast) -> str:
    """The office named at word ``i``: a leader's with what he leads, or a trade."""
    text = words[i].text
    following = words[i + 1].text if i + 1 < len(words) else ""
    if words[i].proper and i + 1 < len(words) and words[i + 1].proper:
        return ""  # "Captain Hale" is a name
    if text in _WHOLE:
        return f"lead:{_WHOLE[text]}"
    if text in _LEADERS and following == "of":
        found = _noun_from(words, i + 2, cast)
        return f"lead:{found}" if found else ""
    if text in cast.led and text in _LEADERS and following != POSSESSIVE:
        return f"lead:{cast.led[text]}"
    if text in PERSONS and text not in ("friend", "man", "woman", "stranger", "child") and following != POSSESSIVE:
        return f"is:{_SAME.get(text, text)}"
    return f"is:{_SAME[text]}" if text in _SAME and _SAME[text] in PERSONS else ""


def _domain(words: Sequence[Word], i: int, cast: Cast, mentions: Mentions) -> str:
    if i < len(words) and words[i].text in ("it", "here", "this", "them"):
        if words[i].text == "here":
            return "here"
        subject = mentions.who("it")
        return _SAME.get(subject.key, subject.key) if subject else ""
    return _noun_from(words, i, cast)


def _noun_from(words: Sequence[Word], i: int, cast: Cast) -> str:
    """The head of the noun phrase that begins at word ``i``."""
    if i < len(words) and words[i].text in ("a", "an", "another", "no", "every"):
        return ""
    while i < len(words) and words[i].text in DETERMINERS:
        i += 1
    end = i
    while end < len(words) and words[end].alpha and words[end].text not in STOPWORDS and end < i + 4:
        end += 1
    if end == i:
        return ""
    head = singular(words[end - 1].text)
    if words[end - 1].text in cast.places and end - i == 1 and not (i and words[i - 1].text == "the"):
        return "here"
    if head in PREDICATE_WORDS and end - i == 1:
        return ""
    head = cast.alias(head) or head
    return _SAME.get(head, head)


def _name_at(words: Sequence[Word], i: int, cast: Cast) -> Subject | None:
    while i < len(words) and (words[i].text in ("the", "old", "now", "young", "still") or words[i].text in TITLES):
        i += 1
    if i < len(words) and (key := cast.person(words[i].text)) and words[i].capital:
        return Subject(key, True, named=True)
    if i < len(words) and words[i].text == "me":
        return cast.subject(Phrase("me", i, i + 1, pronoun=True))
    return None


def titles(words: Sequence[Word]) -> Iterator[tuple[str, Word]]:
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
    return [(title, name.text, f"{title} {name.text}") for title, name in titles(words)]


def asked_office(words: Sequence[Word], cast: Cast, mentions: Mentions) -> str:
    """The office that "who …?" asks for, "" if it asks for none."""
    texts = [word.text for word in words]
    if "who" not in texts:
        return ""
    i = texts.index("who")
    rest = words[i + 1 :]
    for j, word in enumerate(rest):
        if word.text in _LEADS:
            found = _domain(rest, j + 1, cast, mentions)
            return f"lead:{found}" if found else ""
        if (office := _office_at(rest, j, cast)) and any(one.text in _BE for one in rest[:j]):
            return office
        if word.text in PREPOSITIONS:
            break
    return ""


def office_subject(office: str) -> Subject:
    return Subject(office)


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


_ = ARTICLES, phrase_before, _STEADY
