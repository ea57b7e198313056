"""A yes-or-no question as the statement that an answer to it makes, held against the authors' patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npc_memory.reply.guard.answers import polarity
from npc_memory.reply.guard.english import AUXILIARIES, PRONOUNS
from npc_memory.reply.guard.reader import Read
from npc_memory.reply.guard.words import POSSESSIVE, Word

__all__ = ["restated"]

_LONGEST_SUBJECT = 6
_ELSEWHERE = frozenset("you know tell hear heard remember say think".split())


def restated(asked: Read, answer: Read) -> Iterator[str]:
    """What ``answer`` says in full: "Yes." to "Was the king killed in battle?" is "the king was killed in battle".

    The subject may be any first part of the question, so there are several; a wrong one is not English and matches
    nothing an author writes.
    """
    yes = polarity(answer.words)
    words = [word for word in asked.words if word.text not in ("?", '"', ".", "!")]
    if yes is None or len(words) < 3 or len(words) > 30:
        return
    if not asked.asked:
        if yes:
            yield _text(words)
        return
    first = words[0].text
    if first not in AUXILIARIES or words[1].text in _ELSEWHERE or words[1].text == "not":
        return
    rest = words[1:]
    ends = range(1, 2) if rest[0].text in PRONOUNS or rest[0].text == "there" else range(2, _LONGEST_SUBJECT)
    for end in ends:
        if end < len(rest) and (said := _statement(_text(rest[:end]), first, _text(rest[end:]), yes)):
            yield said


def _statement(subject: str, verb: str, rest: str, yes: bool) -> str:
    if yes:
        return f"{subject} {verb} {rest}"
    if subject == "there" and rest.split()[0] in ("a", "an", "any"):
        return f"there {verb} no {rest.partition(' ')[2]}"
    return ""  # what is not so leaves open what is


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words).replace(f" {POSSESSIVE}", POSSESSIVE)
