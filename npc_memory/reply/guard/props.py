"""Propositions: what a clause says of whom, in a form in which two clauses can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npc_memory.reply.guard.attitudes import Stance
from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.english import FEMALE, MALE, PERSONS
from npc_memory.reply.guard.nouns import Phrase, phrase_before
from npc_memory.reply.guard.synonyms import SYNONYMS
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["Mentions", "Prop"]


@dataclass(frozen=True, slots=True)
class Prop:
    """``subject`` is, in some ``respect``, of some ``value``; or is not, when not ``positive``.

    ``event``: it is told as something that happened once, so that what is so today may be otherwise; ``then``: and
    the sentence says when.
    """

    subject: Subject
    respect: str
    value: str
    positive: bool
    matched: str
    stance: Stance = "asserted"
    event: bool = False
    then: bool = False


class Mentions:
    """Whom and what the talk has mentioned, newest last; pronouns and left-out subjects mean one of them.

    ``topic`` is what the last sentence was about; ``asked``: the player speaks, so that "you" is the NPC; ``weather``
    and ``where`` say what he asks for.
    """

    def __init__(self, cast: Cast, known: frozenset[str]) -> None:
        self._cast, self._known = cast, known
        self._seen: list[Subject] = []
        self.topic: Subject | None = None
        self.asked = False
        self.weather = False
        self.where = ""

    def note(self, words: Sequence[Word]) -> list[Subject]:
        """Remember whom and what ``words`` mention; return them in order."""
        found: list[Subject] = []
        for i, word in enumerate(words):
            following = words[i + 1].text if i + 1 < len(words) else ""
            if not self._is_known(word) or following == POSSESSIVE:
                continue
            if i + 1 < len(words) and self._is_known(words[i + 1]):
                continue
            phrase = phrase_before(words, i + 1)
            if phrase and (subject := self._cast.subject(phrase)):
                found.append(subject)
        self._seen.extend(found)
        return found

    def who(self, pronoun: str) -> Subject | None:
        """Whom "he", "she", "it", "they", "I" or "you" means here."""
        if pronoun in ("i", "me", "you"):
            own = (pronoun == "you") is self.asked
            return self._cast.subject(Phrase("me", 0, 1, pronoun=True)) if own else None
        if pronoun in ("it", "this", "that", "there"):
            return next((one for one in reversed(self._seen) if not one.person), None)
        if pronoun in ("they", "them"):
            return next((one for one in reversed(self._seen) if one.plural or one.key.endswith("s")), None)
        if pronoun in ("everyone", "everybody"):
            return Subject("town", det="the")
        sex = {"he": "he", "him": "he", "himself": "he", "she": "she", "her": "she", "herself": "she"}.get(pronoun)
        if sex is None:
            return None
        return next((one for one in reversed(self._seen) if one.person and self._sex(one) in (sex, "")), None)

    def famous(self, pronoun: str) -> Subject | None:
        """The monarch, if he or she is a "he" or "she" and nobody the pronoun could mean has been mentioned."""
        key = self._cast.monarch
        if key and self._cast.gender(key) == pronoun and not any(one.person for one in self._seen):
            return self._cast.named(key)
        return None

    def last(self) -> Subject | None:
        return self._seen[-1] if self._seen else None

    def all(self) -> Sequence[Subject]:
        return tuple(self._seen)

    def _sex(self, subject: Subject) -> str:
        noun = subject.key.lstrip("?")
        if noun in MALE:
            return "he"
        return "she" if noun in FEMALE else self._cast.gender(subject.key)

    def _is_known(self, word: Word) -> bool:
        text = word.text
        if text in self._known or text in PERSONS or SYNONYMS.get(text) in self._known or self._cast.person(text):
            return True
        return bool(self._cast.alias(text)) or (
            text.endswith("s") and (text[:-1] in self._known or text[:-1] in PERSONS)
        )
