"""The canon guard: is this sentence, about to be released, against what this NPC knows to be true?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from npc_memory.reply.guard.answers import answered, bare_name, doubtful, leading_person, polar_props, polarity
from npc_memory.reply.guard.claim import Claim, Contradiction
from npc_memory.reply.guard.compare import clash
from npc_memory.reply.guard.concessions import without_concessions
from npc_memory.reply.guard.domains import asked_office
from npc_memory.reply.guard.holders import holder_in
from npc_memory.reply.guard.knowledge import knowledge
from npc_memory.reply.guard.offices import OFFICE, named_title
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.quantities import Quantity, clashing, context_of, quantities
from npc_memory.reply.guard.reader import Read
from npc_memory.reply.guard.restated import restated
from npc_memory.reply.guard.weather import asks_weather
from npc_memory.reply.guard.words import POSSESSIVE
from npc_memory.reply.sentences import sentences

__all__ = ["Guard"]

_NOT_NOW = frozenset(
    "did was were died dead die buried crypt killed murdered lies lie mourn mourns miss remember remembers love"
    " loved talk"
    " grave poisoned had has have would could is are speak mean about".split()
)
_TIME_BEGINS = frozenset("at in every each on around only".split())
_GRAVES = frozenset(("grave", "tomb", "buried", "coffin"))
_ASKS_NUMBER = frozenset(("when", "many", "much", "high"))
_PRICED = frozenset(("much", "cost", "costs", "price", "fare", "charge"))
_NAMES = frozenset(("called", "name", "named"))


class Guard:
    """Holds what one NPC knows and judges her sentences against it. Pure: the same input, the same verdict.

    ``names`` are display names by id, ``own_name`` is who says "I".
    """

    def __init__(
        self, claims: Sequence[Claim], *, names: Mapping[str, str] = MappingProxyType({}), own_name: str = ""
    ) -> None:
        self._claims = tuple(claims)
        told = (text for claim in self._claims for text in (claim.text, claim.spoken))
        self._own = frozenset(one.strip() for text in told for one in sentences(text, final=True))
        self._knowledge = knowledge(self._claims, tuple(sorted(names.items())), own_name)

    def check(self, sentence: str, *, before: str = "", question: str = "") -> Contradiction | None:
        """The first contradiction in ``sentence``, None if there is none. Never raises.

        ``before`` is what she has already said in this reply, ``question`` the player's line: pronouns and a bare
        "yes" are read over both.
        """
        known = self._knowledge
        mentions = Mentions(known.cast, known.known)
        mentions.asked = True
        asked = known.reader.read(question, mentions, asked=True)
        mentions.asked = False
        texts = frozenset(word.text for one in asked[-1:] for word in one.words)
        mentions.weather, mentions.where = asks_weather(texts), _where(texts)
        if mentions.where and texts & _GRAVES and (mentions.topic is None or not mentions.topic.person):
            mentions.topic = mentions.famous("she" if "her" in texts else "he") or mentions.topic
        if texts & {"he", "him", "his"} and mentions.topic is None:
            mentions.topic = mentions.famous("he")
        earlier = known.reader.read(before, mentions)
        first = not any(not one.asked and len(one.words) > 3 for one in earlier)
        for one in known.reader.read(without_concessions(sentence), mentions):
            found = list(self._against(one, sentence, asked, first, mentions))
            if found:
                return min(found, key=_preference)
            first = first and polarity(one.words) is None and (one.asked or (len(one.words) < 5 and not one.props))
        return None

    def _against(
        self, one: Read, sentence: str, asked: Sequence[Read], first: bool, mentions: Mentions
    ) -> Iterator[Contradiction]:
        if one.text.strip() in self._own:
            return  # the canon's own words, whatever else it says
        if one.asked or (asked and one.text.strip() == asked[-1].text.strip() and one.text.strip().endswith("?")):
            return
        yield from self._patterns(one, sentence)
        yield from self._props(one.props, sentence)
        yield from self._titles(one, sentence)
        yield from self._numbers(one, sentence, asked)
        if first and asked:
            yield from self._props(answered(one, polar_props(asked), sentence.casefold()), sentence)
            for text in () if doubtful(sentence) else restated(asked[-1], one):
                yield from self._pattern_hits(text, sentence)
            yield from self._when(one, sentence, asked[-1])
            yield from self._named(one, sentence, asked[-1], mentions)

    def _patterns(self, one: Read, sentence: str) -> Iterator[Contradiction]:
        for claim in self._claims:
            for pattern in claim.patterns:
                found = pattern.search(one.text)
                if found and _asserted(one, found.start(), found.end()):
                    yield Contradiction(claim, "pattern", sentence, found[0])

    def _pattern_hits(self, text: str, sentence: str) -> Iterator[Contradiction]:
        for claim in self._claims:
            found = next((hit for pattern in claim.patterns if (hit := pattern.search(text))), None)
            if found:
                yield Contradiction(claim, "pattern", sentence, found[0])

    def _when(self, one: Read, sentence: str, asked: Read) -> Iterator[Contradiction]:
        """As in "At noon." to "When does the bell ring?"."""
        if (
            not asked.words
            or asked.words[0].text != "when"
            or any(prop.respect.startswith("does:") for prop in one.props)
        ):
            return
        if not one.words or one.words[0].text not in _TIME_BEGINS:
            return
        said = " ".join(word.text for word in one.words if word.alpha)
        deeds = (prop for prop in asked.props if prop.respect.startswith("does:"))
        yield from self._props((replace(p, value=said, stance="asserted", positive=True) for p in deeds), sentence)

    def _props(self, props: Iterable[Prop], sentence: str) -> Iterator[Contradiction]:
        for prop in props:
            for claim, known in self._knowledge.props:
                if rule := clash(known, prop):
                    yield Contradiction(claim, rule, sentence, prop.matched)

    def _titles(self, one: Read, sentence: str) -> Iterator[Contradiction]:
        for clause in one.clauses:
            if clause.stance != "asserted":
                continue
            for title, name, words in named_title(clause.words):
                for claim, known, key in self._knowledge.titles:
                    if title == known and self._knowledge.cast.person(name) != key:
                        yield Contradiction(claim, "name", sentence, words)

    def _numbers(self, one: Read, sentence: str, asked: Sequence[Read]) -> Iterator[Contradiction]:
        said = [found for clause in one.clauses if clause.stance == "asserted" for found in quantities(clause.words)]
        if asked and "free" in {word.text for word in one.words} and _PRICED & {word.text for word in asked[-1].words}:
            said.append(Quantity(0, frozenset(("coin",)), False, "free", 0))
        if not said:
            return
        context = context_of(one.words)
        wide = context | (context_of(asked[-1].words) if asked else frozenset())
        told = {(known.claim.id, known.quantity.value, known.quantity.rank) for known in self._knowledge.numbers}
        right = {id for id, value, rank in told if any((found.value, found.rank) == (value, rank) for found in said)}
        for known in self._knowledge.numbers:
            if known.claim.id in right:
                continue
            asks = bool(asked) and bool(_ASKS_NUMBER & {word.text for word in asked[-1].words}) and len(one.words) < 14
            for found in said:
                near = wide if found.index < 3 or len(one.words) < 7 or asks else context
                if clashing(known.quantity, known.context, found, near):
                    yield Contradiction(known.claim, "number", sentence, found.matched)

    def _named(self, one: Read, sentence: str, asked: Read, mentions: Mentions) -> Iterator[Contradiction]:
        cast = self._knowledge.cast
        if office := asked_office(asked.words, cast, mentions):
            holders = frozenset(
                p.value for _, p in self._knowledge.props if p.respect == OFFICE and p.subject.key == office
            )
            if not holders and _does_now(asked) and (dead := leading_person(one, cast)):
                yield from self._props((Prop(cast.named(dead), "life", "alive", True, dead),), sentence)
            if holders and (prop := holder_in(one, office, cast, holders)):
                yield from self._props((prop,), sentence)
        elif _does_now(asked) and (dead := leading_person(one, cast)):
            yield from self._props((Prop(cast.named(dead), "life", "alive", True, dead),), sentence)
        texts = {a.text for a, b in pairwise([*asked.words, *asked.words[-1:]]) if b.text != POSSESSIVE}
        if "name" in {word.text for word in asked.words}:
            texts |= {word.text for word in asked.words}
        if texts & _NAMES or "who" in texts:
            name = bare_name(one)
            for claim, title, key in self._knowledge.titles:
                if name and title in texts and cast.person(name.text) != key:
                    yield Contradiction(claim, "name", sentence, name.text)


def _does_now(asked: Read) -> bool:
    """Whether a question asks who does something today, which the dead do not."""
    texts = [word.text for word in asked.words]
    return texts[:1] == ["who"] and not _NOT_NOW & set(texts)


def _where(texts: frozenset[str]) -> str:
    """The kind of place that a question asks for: where somebody is, where he was found; "" if none."""
    if "where" not in texts:
        return ""
    return "found" if texts & {"did", "was", "died", "die"} and "buried" not in texts else "at"


def _preference(found: Contradiction) -> tuple[bool, bool, int, str]:
    """The claim to set it right with: an author's pattern first, then one with a spoken form, then the plainest."""
    claim = found.claim
    return found.rule != "pattern", not claim.spoken, len(claim.text), claim.id


def _asserted(one: Read, start: int, end: int) -> bool:
    """Whether no clause that the words reach into is denied, reported or only supposed."""
    reached = [c for c in one.clauses if c.words and c.words[0].start < end and c.words[-1].end > start]
    return all(clause.stance == "asserted" for clause in reached)
