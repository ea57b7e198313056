"""Where somebody or something is, lies, was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.english import DETERMINERS, STOPWORDS
from npc_memory.reply.guard.links import Link, link_before
from npc_memory.reply.guard.nouns import phrase_before, singular
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["AT", "place_at", "places", "places_differ"]

AT = "at"

_AT = frozenset("in at under behind on inside below beneath near by aboard within beside".split())
_PLACES = frozenset(
    "town home keep castle palace throne chamber room bed hall market stall inn kitchen cellar temple crypt"
    " smithy house"
    " square street dock harbour harbor forest wood garden tower village city court road willow cell prison"
    " dungeon church"
    " graveyard cemetery chapel ship boat attic yard field tree river barn mill cave cask pod cryopod medbay"
    " bridge deck"
    " quarter lab engine hold airlock bay bunk station shop stable tavern gate wall landing grave tomb country kingdom"
    " mountain sea capital chair meadow churchyard vault coffin ground island upstairs ditch well battlefield".split()
)
_AWAY = frozenset("southern northern eastern western south east west foreign far abroad".split())
_GRAVES = frozenset("crypt tomb grave vault".split())
_TIMES = frozenset(
    "night day morning evening noon midnight dawn dusk month year week moment spring summer winter".split()
)
_PUT = {"found": "found", "buried": AT, "laid": AT, "hid": AT}
_PLACED = frozenset(
    "lying sitting hiding waiting staying sleeping resting kept held hidden found buried left dead asleep".split()
)
_POSED = frozenset(
    "lies sits sleeps hides lives stays waits rests stands lay lie sit sleep hide died was is are".split()
)


def places(
    clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None, *, asked: bool
) -> Iterator[tuple[Prop, Link]]:
    """Each proposition of ``clause`` about a place. The value is the content words of the place."""
    words = clause.words
    for i, word in enumerate(words):
        if word.text not in _AT:
            continue
        place = place_at(words, i, cast)
        if not place:
            continue
        j, kind = i, AT
        while j > 0 and words[j - 1].text in _PLACED | _POSED - {"was", "is", "are"}:
            kind = "found" if words[j - 1].text in ("found", "died") or kind == "found" else AT
            j -= 1
        while j > 1 and words[j - 1].text in ("out", "down", "up", "over", "back"):
            j -= 1
        if (found := _put(words, i, cast)) is not None:
            prop = Prop(found[0], found[1], " ".join(sorted(place)), True, found[2], clause.stance)
            yield prop, Link(found[0], False, True, False, False, False, False, False, 0)
            continue
        link = link_before(words, j, cast, mentions, carried, verb=j < i or asked)
        if link is None or link.subject is None or link.unsure or not (link.copula or link.inherited):
            continue
        if link.inherited and not (carried or mentions.where or j < i):
            continue
        if link.inherited and mentions.where:
            kind = mentions.where
        lasting = j < i and words[j].text in ("buried", "hidden")
        if (link.past and kind == AT and not lasting) or link.future:
            continue
        matched = " ".join(one.text for one in words[link.start : i + 3])
        prop = Prop(link.subject, kind, " ".join(sorted(place)), not link.negative, matched, clause.stance)
        yield prop, link
        if place & _AWAY and not link.past:
            yield replace(prop, respect="presence", value="away"), link


def _put(words: Sequence[Word], i: int, cast: Cast) -> tuple[Subject, str, str] | None:
    """Whom they "found in the river" or "buried in the wood"."""
    phrase = phrase_before(words[:i], i)
    if phrase is None or phrase.pronoun or not phrase.start:
        return None
    verb, subject = words[phrase.start - 1].text, cast.subject(phrase)
    if subject is None or verb not in _PUT or (phrase.start > 1 and words[phrase.start - 2].text in ("not", "never")):
        return None
    return subject, _PUT[verb], " ".join(word.text for word in words[phrase.start - 1 : i + 3])


def place_at(words: Sequence[Word], i: int, cast: Cast) -> frozenset[str]:
    """The content words of the place behind the preposition at word ``i``, with what is attached; empty if no place."""
    end, real, chunk = i + 1, False, 0
    found: list[str] = []
    while end < len(words) and end < i + 12:
        word = words[end]
        if word.text in DETERMINERS or word.text == POSSESSIVE or word.text in _AT or word.text == "of":
            end, chunk = end + 1, len(found)
            continue
        if not word.alpha or word.text in STOPWORDS:
            break
        noun = singular(word.text)
        if noun in _TIMES:
            del found[chunk:]
            break
        real = real or noun in _PLACES or word.text in cast.places
        found.append(noun)
        end += 1
    return frozenset(found) if real and found else frozenset()


def places_differ(known: str, said: str) -> bool:
    """Whether no word of one place is a word of the other."""
    return not any(_alike(a, b) for a in known.split() for b in said.split())


def _alike(a: str, b: str) -> bool:
    if a in _GRAVES and b in _GRAVES:
        return True
    return a == b or (len(a) > 4 and len(b) > 4 and a[:5] == b[:5])
