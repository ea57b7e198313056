"""All that the claims say, read once: propositions, numbers, names of title bearers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from npc_memory.reply.guard.cast import Cast, Subject
from npc_memory.reply.guard.claim import Claim
from npc_memory.reply.guard.compare import clash
from npc_memory.reply.guard.deeds import told_verbs
from npc_memory.reply.guard.domains import SAME_PLACE, nouns_of
from npc_memory.reply.guard.english import PERSONS, STOPWORDS
from npc_memory.reply.guard.lexicon import PREDICATE_WORDS
from npc_memory.reply.guard.nouns import singular
from npc_memory.reply.guard.offices import IDENTITY, OFFICE
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.quantities import HAVE, Quantity, context_of, quantities, stem
from npc_memory.reply.guard.reader import Reader
from npc_memory.reply.guard.things import ANOTHER, EXISTS
from npc_memory.reply.guard.worded import worded
from npc_memory.reply.guard.words import Word, words

__all__ = ["Knowledge", "Numbered", "knowledge"]

_GONE = frozenset(("ruined", "dead", "away", "off"))
_ALIVE = frozenset((OFFICE, "presence", "liberty", "wake", "at"))
_MONARCHS = frozenset(("king", "queen", "emperor", "empress"))


def _key_words(id: str) -> set[str]:
    """The words of a state entry's key; a number there is one of things that there are."""
    key = id.removeprefix("state:")
    return set() if key == id else {stem(part) for part in key.split("_") if part} | {HAVE}


def _consistent(props: list[tuple[Claim, Prop]]) -> list[tuple[Claim, Prop]]:
    """Without those that contradict one another: where the canon is at odds with itself, nobody can be right."""
    return [(claim, prop) for claim, prop in props if not _clashes(claim, prop, props)]


def _beside(props: list[tuple[Claim, Prop]], more: list[tuple[Claim, Prop]]) -> list[tuple[Claim, Prop]]:
    """With those of ``more`` that contradict nothing in ``props``: what only follows gives way to what is said."""
    return [*props, *((claim, prop) for claim, prop in more if not _clashes(claim, prop, props))]


def _clashes(claim: Claim, prop: Prop, props: list[tuple[Claim, Prop]]) -> bool:
    return any(
        other is not claim and said.event <= prop.event and (clash(prop, said) or clash(said, prop))
        for other, said in props
    )


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number that a claim says, and the words it stands among."""

    claim: Claim
    quantity: Quantity
    context: frozenset[str]


class Knowledge:
    """What one NPC knows, taken apart."""

    def __init__(self, claims: Sequence[Claim], names: Mapping[str, str], own_name: str) -> None:
        self._claims = claims
        texts = [worded(claim.text) for claim in claims]
        self.cast = Cast(texts, names, own_name)
        self.reader = Reader(self.cast, self._verbs(texts))
        self.props: list[tuple[Claim, Prop]] = []
        self.numbers: list[Numbered] = []
        self._only: list[tuple[Claim, Prop]] = []
        for claim, text in zip(claims, texts, strict=True):
            for one in self.reader.read(text, Mentions(self.cast, frozenset())):
                self.props += [(claim, prop) for prop in one.props if prop.stance == "asserted"]
                context = context_of(one.words) | _key_words(claim.id)
                self._note_only(claim, one.words)
                self.numbers += [Numbered(claim, found, context) for found in quantities(one.words)]
        for _, prop in self.props:
            if prop.respect == OFFICE and prop.positive:
                for noun in nouns_of(prop.subject.key):
                    self.cast.learn_holder(noun, prop.value)
        self.props = _consistent(self.props)
        self.props = _beside(self.props, self._implied())
        self.titles = self._titles(claims)
        keys = [prop.subject.key for _, prop in self.props]
        self.known = frozenset(keys) | {key.partition(":")[2] for key in keys if ":" in key}
        self.known -= PREDICATE_WORDS | STOPWORDS
        self.known |= {noun for noun, key in SAME_PLACE.items() if key in self.known}

    def _note_only(self, claim: Claim, told: Sequence[Word]) -> None:
        """As in "The only inn in town": there is one and no other."""
        for a, b in pairwise(told):
            if a.text == "only" and b.alpha and b.text not in STOPWORDS | PERSONS:
                noun = singular(b.text)
                self._only.append((claim, Prop(Subject(noun), ANOTHER, "yes", False, noun)))
                one = Quantity(1, frozenset((noun,)), False, noun, 0)
                self.numbers.append(Numbered(claim, one, context_of(told) | {HAVE}))

    def _telling(self, name: str) -> list[Claim]:
        """The first claim that names somebody."""
        told = (claim for claim in self._claims if name in {word.text for word in words(claim.text)})
        return [claim for claim in [next(told, None)] if claim]

    def _verbs(self, texts: Sequence[str]) -> frozenset[str]:
        reader = Reader(self.cast)
        found: set[str] = set()
        for text in texts:
            for one in reader.read(text, Mentions(self.cast, frozenset())):
                found.update(verb for clause in one.clauses for verb in told_verbs(clause, self.cast))
        return frozenset(found)

    def _implied(self) -> list[tuple[Claim, Prop]]:
        """Who holds an office lives; what is spoken of as being there exists."""
        gone = {prop.subject.key for _, prop in self.props if prop.positive and prop.value in _GONE}
        dead = {prop.subject.key for _, prop in self.props if prop.positive and prop.value == "dead"}
        gone |= {prop.subject.key for _, prop in self.props if prop.respect == EXISTS}
        found: list[tuple[Claim, Prop]] = []
        for one in self.numbers:
            key = one.claim.id.removeprefix("state:")
            if key != one.claim.id and not one.quantity.rank:
                noun = singular(key.split("_")[-1])
                found.append((one.claim, Prop(Subject(noun), EXISTS, "yes", one.quantity.value > 0, noun)))
                if noun == "room":
                    free = Prop(Subject(noun), "vacancy", "vacant" if one.quantity.value > 0 else "full", True, noun)
                    found += [(one.claim, free), (one.claim, replace(free, subject=Subject("house")))]
        found += self._only
        for key in self.cast.relatives():
            for claim in self._telling(key):
                kin = Prop(self.cast.named(key), EXISTS, "yes", True, key)
                found.append((claim, kin))
                if key not in dead:
                    found.append((claim, replace(kin, respect="life", value="alive")))
        for claim, prop in self.props:
            if not prop.positive:
                continue
            if prop.respect == OFFICE:
                holder = self.cast.named(prop.value)
                if self.cast.person(prop.value):
                    found.append((claim, Prop(holder, IDENTITY, prop.value, True, prop.value)))
                thing = prop.subject.key.partition(":")[2]
                if prop.value not in dead and self.cast.person(prop.value):
                    found.append((claim, replace(prop, subject=holder, respect="life", value="alive")))
                if prop.subject.key.startswith("lead:") and thing not in gone:
                    found.append((claim, Prop(Subject(thing), EXISTS, "yes", True, thing)))
            elif prop.subject.person:
                if prop.respect in _ALIVE and prop.subject.key not in dead:
                    found.append((claim, replace(prop, respect="life", value="alive")))
            elif prop.subject.det in ("the", "our") and prop.subject.key not in gone:
                found.append((claim, replace(prop, subject=replace(prop.subject, det=""), respect=EXISTS, value="yes")))
        return found

    def _titles(self, claims: Sequence[Claim]) -> list[tuple[Claim, str, str]]:
        """(claim, title, key) of each title that has one bearer."""
        leaders = {prop.value for _, prop in self.props if prop.respect == OFFICE}
        found: dict[str, tuple[Claim, str, str]] = {}
        for claim in claims:
            for title, key in self.cast.titled(worded(claim.text)):
                if title in _MONARCHS or key in leaders:
                    found.setdefault(title, (claim, title, key))
        return [found[title] for title in sorted(found)]


@lru_cache(maxsize=64)
def knowledge(claims: tuple[Claim, ...], names: tuple[tuple[str, str], ...], own_name: str) -> Knowledge:
    """What an NPC knows, taken apart; remembered, because a reply has several attempts and the next reply the same."""
    return Knowledge(claims, dict(names), own_name)
