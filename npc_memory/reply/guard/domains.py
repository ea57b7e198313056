"""Which office words mean: "the innkeeper", "keeps the inn" and "leads it" about the inn are one."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.reply.guard.cast import Cast
from npc_memory.reply.guard.english import DETERMINERS, PERSONS, PREPOSITIONS, STOPWORDS
from npc_memory.reply.guard.lexicon import PREDICATE_WORDS
from npc_memory.reply.guard.nouns import singular
from npc_memory.reply.guard.props import Mentions
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["LEADS", "SAME", "SAME_PLACE", "asked_office", "domain_at", "nouns_of", "office_at"]

LEADS = frozenset(
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
    "priestess": "temple",
}
SAME = {
    "blacksmith": "smith",
    "tavern": "inn",
    "stag": "inn",
    "house": "inn",
    "town": "here",
    "city": "here",
    "realm": "here",
}
SAME_PLACE = {noun: key for noun, key in SAME.items() if key in ("inn",)}
_BE = frozenset("is are am was were be remains".split())


def nouns_of(office: str) -> list[str]:
    """The nouns that alone name who holds ``office``, sorted: "innkeeper" for who keeps the inn."""
    domain = office.partition(":")[2]
    return sorted(noun for noun, led in _WHOLE.items() if led == domain and office.startswith("lead:"))


def office_at(words: Sequence[Word], i: int, cast: Cast) -> str:
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
        return f"is:{SAME.get(text, text)}"
    return f"is:{SAME[text]}" if text in SAME and SAME[text] in PERSONS else ""


def domain_at(words: Sequence[Word], i: int, cast: Cast, mentions: Mentions) -> str:
    if i < len(words) and words[i].text in ("it", "here", "this", "them"):
        if words[i].text == "here":
            return "here"
        subject = mentions.who("it")
        return SAME.get(subject.key, subject.key) if subject else ""
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
    return SAME.get(head, head)


def asked_office(words: Sequence[Word], cast: Cast, mentions: Mentions) -> str:
    """The office that "who …?" asks for, "" if it asks for none."""
    texts = [word.text for word in words]
    if "who" not in texts:
        return ""
    i = texts.index("who")
    rest = words[i + 1 :]
    for j, word in enumerate(rest):
        if word.text in LEADS:
            found = domain_at(rest, j + 1, cast, mentions)
            return f"lead:{found}" if found else ""
        if (office := office_at(rest, j, cast)) and any(one.text in _BE for one in rest[:j]):
            return office
        if word.text in PREPOSITIONS:
            break
    return ""
