"""Who holds an office according to an answer: "Brann does.", "It is me.", "No one.", "A man from the west"."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.english import ADVERBS, FEMALE, MALE, NOBODY, PERSONS
from npc_memory.reply.guard.nouns import Phrase, phrase_before
from npc_memory.reply.guard.offices import OFFICE
from npc_memory.reply.guard.props import Prop
from npc_memory.reply.guard.reader import Read
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["holder_in"]

_HELD = frozenset("do does is am are did will was".split())
_INTRO = frozenset("it that this is was would be well oh ah why".split())
_DENIED = frozenset("not never no ask".split())
_VAGUE = frozenset(
    "question one story matter thing best way truth time place secret answer name same owner boss leader smith captain"
    " innkeeper ferryman keeper master guildmaster head priestess priest other word moment".split()
)
_AGENTS = ("man", "woman", "er", "or", "ess", "ist")
_BEINGS = frozenset("dragon ghost god goddess demon wizard witch devil cat dog wolf spirit giant elf dwarf".split())
_ANYBODY = frozenset("man woman lady fellow lad widow girl boy friend person old-man gentleman widower".split())


def holder_in(one: Read, office: str, cast: Cast, holders: frozenset[str]) -> Prop | None:
    """The proposition that an answer to "who …?" makes about ``office``, whose real ``holders`` are known."""
    if any(cast.person(word.text) in holders or word.text in holders for word in one.words):
        return None  # she names the right one, whatever else she says
    for clause in one.clauses[:3]:
        texts = [word.text for word in clause.words]
        if clause.stance != "asserted" or (texts[:1] != ["no"] and _DENIED & set(texts)):
            continue
        words = _bare(clause.words)
        if words and (value := _holder(words, cast, holders)):
            return Prop(Subject(office), OFFICE, value, True, " ".join(word.text for word in words))
    return None


def _bare(words: Sequence[Word]) -> Sequence[Word]:
    i = 0
    while i < len(words) and (words[i].text in _INTRO or words[i].text in ADVERBS):
        i += 1
    return words[i:]


def _holder(words: Sequence[Word], cast: Cast, holders: frozenset[str]) -> str:
    texts = [word.text for word in words]
    short = len(texts) == 1 or (len(texts) == 2 and texts[1] in _HELD)
    if short and texts[0] in NOBODY:
        return "?nobody"
    if short and texts[0] in ("i", "me"):
        mine = cast.subject(Phrase("me", 0, 1, pronoun=True))
        return mine.key if mine else ""
    if short and texts[0] == "you":
        return "?you"
    for i, word in enumerate(words[:4]):
        key = cast.person(word.text) if word.capital else ""
        following = texts[i + 1] if i + 1 < len(texts) else ""
        if key and following != POSSESSIVE and (not following or following in _HELD or i == 0 or i + 2 >= len(texts)):
            return key
    return _described(words, cast, holders)


def _described(words: Sequence[Word], cast: Cast, holders: frozenset[str]) -> str:
    end = len(words) - 1 if len(words) > 1 and words[-1].text in _HELD else len(words)
    phrase = phrase_before(words, end)
    if (
        phrase is None
        or phrase.start
        or phrase.pronoun
        or not (phrase.det in ("the", "a", "an", "my", "our") or phrase.owner)
    ):
        return ""
    subject = cast.subject(phrase)
    if subject is None:
        return ""
    if cast.is_person(subject.key):
        return subject.key
    if (
        phrase.head in _VAGUE
        or any(cast.bears(key, phrase.head) for key in holders)
        or not (phrase.head in PERSONS or phrase.head in _BEINGS or phrase.head.endswith(_AGENTS))
    ):
        return ""
    if phrase.head in _ANYBODY and not phrase.owner:
        sex = "he" if phrase.head in MALE else "she" if phrase.head in FEMALE else ""
        known = {cast.gender(key) for key in holders}
        return f"?{phrase.head}" if sex and known and not known & {sex, ""} else ""
    return subject.key if subject.person or phrase.head in PERSONS or not phrase.plural else ""
