"""Who and what the claims speak of, and under which words: "King Aldric", "the king", "Aldric", "he"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from npc_memory.reply.guard.english import FEMALE, MALE, PERSONS, TITLES
from npc_memory.reply.guard.nouns import Phrase, singular
from npc_memory.reply.guard.synonyms import plain
from npc_memory.reply.guard.words import POSSESSIVE, Word, words

__all__ = ["Cast", "Subject", "same"]

_FAMILY = frozenset("mother father sister brother husband wife son daughter".split())
_BODY = frozenset("body corpse bone remain coffin grave tomb health name".split())
_MONARCH = frozenset("majesty sovereign monarch liege grace".split())
_OTHERS = frozenset(
    "new next other southern northern eastern western former previous foreign first last late-night second third young"
    " elder neighbouring another different future would-be false puppet".split()
)
_PLAIN = frozenset(
    "old new great big little poor dear good whole entire same very own wooden stone damned bloody cursed fine blessed"
    " heavy mighty only our entire beloved lovely late once famous long iron oak main broad cold dark high deep dead"
    " river town city local bad only ruined burned burnt blackened charred broken beautiful free empty spare"
    " vacant available single".split()
)
_GENERIC = frozenset(
    "door room road key stall house cell window fire water way place river-bank bed chair wall".split()
)
_POSSESSORS = frozenset("my your his her their its".split())


@dataclass(frozen=True, slots=True)
class Subject:
    """``key`` is the same for everything that means the same; ``person``; what the words around it said besides."""

    key: str
    person: bool = False
    mods: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    det: str = ""
    named: bool = False
    plural: bool = False


def same(claimed: Subject, said: Subject) -> bool:
    """Whether ``said`` may mean what the claim speaks of."""
    if claimed.key != said.key or said.det in ("another", "every", "any", "each", "such", "what", "which"):
        return False
    if said.person:
        return said.named or (not (said.mods & _OTHERS) and said.det not in ("a", "an", "some") and not said.plural)
    if said.det in ("a", "an") and claimed.det not in ("a", "an", ""):
        return False
    if said.det in _POSSESSORS and claimed.det not in _POSSESSORS and (claimed.mods or claimed.key in _GENERIC):
        return False
    known = claimed.mods | claimed.of
    if claimed.key in _GENERIC and claimed.mods and not (said.mods | said.of) & known:
        return False
    return (said.mods - _PLAIN) | said.of <= known | _PLAIN


class Cast:
    """Read from the claims' own words. ``own_key`` is who says "I", "" if unknown."""

    def __init__(self, texts: Sequence[str], names: Mapping[str, str], own_name: str) -> None:
        self._groups: list[set[str]] = []
        self._alias: dict[str, str] = {}
        self._owned: dict[tuple[str, str], str] = {}
        self._titles: set[tuple[str, str]] = set()
        self.monarch = ""
        self.led: dict[str, str] = {}
        self._gender: dict[str, str] = {}
        self.places: frozenset[str] = frozenset()
        parsed = [words(text) for text in texts]
        for name in [*(names[id] for id in sorted(names)), own_name]:
            self._add_name([word.text for word in words(name) if word.alpha])
        self.vocabulary = frozenset(singular(word.text) for found in parsed for word in found if word.alpha)
        for found in parsed:
            self._learn_names(found)
        self._people = {name: min(group) for group in self._groups for name in group}
        for found in parsed:
            self._learn_aliases(found)
        self.own_key = next((self._people[w.text] for w in words(own_name) if w.text in self._people), "")
        self.places = frozenset(w.text for found in parsed for w in found if w.proper and w.text not in self._people)

    def person(self, word: str) -> str:
        """The key of a name, "" when nobody of the cast is called that."""
        return self._people.get(word, "")

    def is_person(self, key: str) -> bool:
        """Whether ``key`` is somebody with a name."""
        return key in self._people.values()

    def learn_holder(self, noun: str, key: str) -> None:
        """From now on ``noun`` alone means who holds that office: "the innkeeper"."""
        if self.is_person(key):
            self._alias.setdefault(noun, key)

    def bears(self, key: str, title: str) -> bool:
        """Whether somebody is called by that title."""
        return (title, key) in self._titles

    def relatives(self) -> list[str]:
        """Who is named as somebody's kin, sorted."""
        return sorted(set(self._owned.values()))

    def owned(self, noun: str) -> str:
        """Whom she means by "my daughter", "" if the claims name none."""
        return self._owned.get((self.own_key, noun), "")

    def alias(self, noun: str) -> str:
        """Whom or what a noun alone stands for, "" if nobody in particular."""
        return self._alias.get(noun, "")

    def gender(self, key: str) -> str:
        """As in "he", "she", "it" or "" when unknown."""
        return self._gender.get(key, "")

    def titled(self, text: str) -> list[tuple[str, str]]:
        """(title, key) for each "King Aldric" in ``text``."""
        found = words(text)
        pairs = [(a.text, self._people.get(b.text, "")) for a, b in pairwise(found) if a.text in TITLES and a.capital]
        return [(title, key) for title, key in pairs if key]

    def named(self, key: str) -> Subject:
        """The person of that key."""
        return Subject(key, True, named=True)

    def subject(self, phrase: Phrase) -> Subject | None:
        """Whom or what a phrase means, None for pronouns (but "I") and for somebody's somebody."""
        if phrase.pronoun:
            mine = phrase.head in ("i", "me", "myself")
            return Subject(self.own_key or "?me", True, named=True) if mine else None
        for name in phrase.names:
            if key := self._people.get(name):
                return Subject(key, True, phrase.mods, phrase.of, phrase.det, named=True)
        if phrase.det == "my" and (owned := self._owned.get((self.own_key, phrase.head))):
            return Subject(owned, True, named=True)
        if phrase.owner and phrase.head in _BODY:  # what is said of his health or his grave is said of him
            holder = next((self._people.get(w) or self._alias.get(w) for w in reversed(phrase.owner)), None)
            return self.named(holder) if holder and self.is_person(holder) else None
        if phrase.owner and phrase.head in PERSONS:
            holder = next((self._people.get(w) or self._alias.get(w) for w in reversed(phrase.owner)), None)
            owned = self._owned.get((holder or "", phrase.head), "")
            if not owned and self._alias.get(phrase.head) and phrase.head not in _FAMILY | TITLES:
                owned = self._alias[phrase.head]
            return Subject(owned, True, named=True) if owned else Subject(f"?{phrase.head}", True)
        if phrase.head in _FAMILY and phrase.det in ("my", "your", "his", "her", "our", "their", "a", ""):
            return Subject(f"?{phrase.head}", True)
        head = plain(phrase.head, self.vocabulary)
        mods = frozenset(plain(word, self.vocabulary) for word in phrase.mods)
        if head == "door" and len(mods) == 1:
            (head,), mods = mods, frozenset()
        if (key := self._alias.get(head)) and key in self._people.values():
            return Subject(key, True, mods, phrase.of, phrase.det, plural=phrase.plural)
        key = self._alias.get(head, head)
        person = head in PERSONS
        return Subject(f"?{key}" if person else key, person, mods, phrase.of, phrase.det, bool(phrase.names))

    def _add_name(self, parts: Iterable[str]) -> None:
        parts = [part for part in parts if part not in TITLES]
        if not parts or parts[-1] in PERSONS:
            return
        group = set(parts)
        for other in [one for one in self._groups if one & group]:
            group |= other
            self._groups.remove(other)
        self._groups.append(group)

    def _learn_names(self, found: Sequence[Word]) -> None:
        for i, word in enumerate(found):
            if not word.capital or word.text in TITLES:
                continue
            before = found[i - 1] if i else None
            if before and (before.text in TITLES or before.text in _FAMILY) and word.text not in PERSONS:
                self._add_name([word.text])
            following = found[i + 1] if i + 1 < len(found) else None
            if following and following.capital and any({word.text, following.text} & group for group in self._groups):
                self._add_name([word.text, following.text])

    def _learn_aliases(self, found: Sequence[Word]) -> None:
        for i, word in enumerate(found):
            key = self._people.get(word.text)
            before = found[i - 1].text if i else ""
            if key and before in TITLES and found[i - 1].capital:
                self._name_title(before, key)
            elif key and before in _FAMILY and i > 2 and found[i - 2].text == POSSESSIVE:
                self._owned[self._people.get(found[i - 3].text, ""), before] = key
                self._learn_gender(before, key)
            if word.text == "," and i and (key := self._people.get(found[i - 1].text) or self._thing(found, i - 1)):
                self._learn_apposition(found, i + 1, key)
            if key and i + 2 < len(found) and found[i + 1].text == "is":
                self._learn_office(found, i + 2, key)

    def _name_title(self, title: str, key: str) -> None:
        self._titles.add((title, key))
        self._learn_gender(title, key)
        if title not in _FAMILY:
            self._alias.setdefault(title, key)
            if title in ("king", "queen", "emperor"):
                self.monarch = self.monarch or key
                self._alias.update(dict.fromkeys(_MONARCH, key))

    def _learn_gender(self, noun: str, key: str) -> None:
        if noun in MALE or noun in FEMALE:
            self._gender[key] = "he" if noun in MALE else "she"

    def _thing(self, found: Sequence[Word], i: int) -> str:
        return singular(found[i].text) if found[i].capital and found[i].alpha else ""

    def _learn_apposition(self, found: Sequence[Word], i: int, key: str) -> None:
        """As in "Tamsin, the king's cupbearer, …" and "the Gilded Stag, the only inn in town"."""
        ahead = i
        while ahead < len(found) and ahead < i + 5 and (found[ahead].alpha or found[ahead].text == POSSESSIVE):
            noun = singular(found[ahead].text)
            following = found[ahead + 1].text if ahead + 1 < len(found) else "."
            if noun in PERSONS and following in (",", ".", "of") and key in self._people.values():
                self._alias.setdefault(noun, key)
                return
            if found[ahead].capital:
                return
            if following in ("in", ".") and key not in self._people.values() and found[i].text == "the":
                self._alias.setdefault(key, noun)
                return
            ahead += 1

    def _learn_office(self, found: Sequence[Word], i: int, key: str) -> None:
        """As in "Brann is the smith", "Ysolde Hale is captain of the watch"."""
        if found[i].text == "the":
            i += 1
        following = found[i + 1].text if i + 1 < len(found) else "."
        if following == "of":
            led = next((singular(w.text) for w in found[i + 2 : i + 6] if w.alpha and w.text not in ("the", "our")), "")
            last = next((singular(a.text) for a, b in pairwise(found[i + 2 :]) if not b.alpha), led)
            self.led.setdefault(found[i].text, last)
        if i < len(found) and following in (".", "of") and found[i].text in PERSONS:
            self._alias.setdefault(found[i].text, key)
