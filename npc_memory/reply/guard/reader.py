"""Reads a text into propositions, sentence by sentence, keeping track of what the talk is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from npc_memory.reply.guard.cast import Cast
from npc_memory.reply.guard.clauses import Clause, clauses
from npc_memory.reply.guard.deeds import deeds
from npc_memory.reply.guard.happenings import happenings
from npc_memory.reply.guard.links import Link
from npc_memory.reply.guard.nouns import phrase_before
from npc_memory.reply.guard.offices import offices
from npc_memory.reply.guard.places import places
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.states import states
from npc_memory.reply.guard.things import sighted, things
from npc_memory.reply.guard.weather import weather
from npc_memory.reply.guard.words import Word, words
from npc_memory.reply.sentences import sentences

__all__ = ["Read", "Reader"]


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence that has been read. ``asked``: it is a question."""

    text: str
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    props: tuple[Prop, ...]
    asked: bool


class Reader:
    """Reads with one cast; ``verbs`` are those of the deeds that the claims tell."""

    def __init__(self, cast: Cast, verbs: frozenset[str] = frozenset()) -> None:
        self._cast, self._verbs = cast, verbs

    def read(self, text: str, mentions: Mentions, *, asked: bool = False) -> list[Read]:
        """Each sentence of ``text``; ``mentions`` goes along. ``asked``: what a question asks counts as said."""
        return [self._sentence(piece, mentions, asked) for piece in sentences(text, final=True)]

    def _sentence(self, text: str, mentions: Mentions, asked: bool) -> Read:
        found = words(text)
        if asked:
            found = [replace(word, text=_TURNED.get(word.text, word.text)) for word in found]
        question = is_question(found)
        parts = clauses(found, asked=question)
        props: list[Prop] = []
        noted, carried, topic, seen = 0, None, None, []
        for clause in parts:
            begin = clause.words[0].start if clause.words else 0
            upto = noted
            while upto < len(found) and found[upto].start < begin:
                upto += 1
            seen += mentions.note(found[noted:upto])
            noted = upto
            link: Link | None = None
            for prop, link in self._clause(clause, mentions, carried, asked and question):
                props.append(prop)
                if not link.inherited:
                    topic = link.subject
            carried = sighted(clause, self._cast, mentions) or link or self._named(clause, carried) or carried
        seen += mentions.note(found[noted:])
        if topic or seen:
            mentions.topic = topic or seen[-1]
        return Read(text, tuple(found), tuple(parts), tuple(props), question)

    def _named(self, clause: Clause, carried: Link | None) -> Link | None:
        """The link to whom a clause names and nothing more: "Isolde, the king's child, is away"."""
        phrase = phrase_before(clause.words, len(clause.words))
        if phrase is None or phrase.start or phrase.pronoun or clause.closer != "," or carried:
            return None
        subject = self._cast.subject(phrase)
        return Link(subject, phrase.negative, False, False, False, False, False, False, 0) if subject else None

    def _clause(
        self, clause: Clause, mentions: Mentions, carried: Link | None, asked: bool
    ) -> Iterator[tuple[Prop, Link]]:
        cast = self._cast
        yield from states(clause, cast, mentions, carried, asked=asked)
        yield from offices(clause, cast, mentions, carried, asked=asked)
        yield from places(clause, cast, mentions, carried, asked=asked)
        yield from things(clause, cast, mentions, carried, asked=asked)
        for prop in weather(clause, mentions):
            yield prop, Link(prop.subject, not prop.positive, False, False, False, True, False, True, 0)
        yield from happenings(clause, cast, mentions, carried)
        yield from deeds(clause, cast, mentions, carried, self._verbs)


def is_question(found: Sequence[Word]) -> bool:
    """Whether the sentence ends in a question mark and is not only tagged with one ("he lives, doesn't he?")."""
    tail = len(found)
    while tail and found[tail - 1].text in ('"', ")", "!"):
        tail -= 1
    return bool(tail) and found[tail - 1].text == "?" and not _tagged(found[: tail - 1])


_TURNED = {"my": "your", "your": "my", "mine": "yours", "yours": "mine"}
"""What the player calls yours is hers."""

_TAGS = frozenset("right eh hm hmm yes no see then innit huh".split())


def _tagged(found: Sequence[Word]) -> bool:
    commas = [i for i, word in enumerate(found) if word.text == ","]
    if not commas or commas[-1] == 0:
        return False
    tail = [word.text for word in found[commas[-1] + 1 :]]
    if tail in (["you", "know"], ["you", "see"], ["you", "hear"]) or (len(tail) == 1 and tail[0] in _TAGS):
        return True
    return len(tail) in (2, 3) and tail[0] in ("is", "are", "was", "does", "do", "did", "has", "have", "will", "can")
