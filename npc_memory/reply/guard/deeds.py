"""What somebody did or does, as the claims tell it, and a sentence that he did not or that another did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npc_memory.reply.guard.cast import Cast
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.english import PAST, STOPWORDS
from npc_memory.reply.guard.lexicon import PREDICATE_WORDS
from npc_memory.reply.guard.links import Link, link_before
from npc_memory.reply.guard.nouns import singular
from npc_memory.reply.guard.props import Mentions, Prop
from npc_memory.reply.guard.words import Word

__all__ = ["EXCLUSIVE", "deeds", "lemma", "told_verbs"]

_IRREGULAR = {
    "sold": "sell", "took": "take", "taken": "take", "stole": "steal", "stolen": "steal", "saw": "see", "seen": "see",
    "buried": "bury", "fled": "flee", "sent": "send", "hid": "hide", "hidden": "hide", "rang": "ring", "rung": "ring",
    "gave": "give", "given": "give", "told": "tell", "met": "meet", "bought": "buy", "found": "find", "wrote": "write",
    "made": "make", "left": "leave", "lost": "lose", "slew": "slay", "set": "set", "ran": "run", "killed": "kill",
    "copied": "copy", "carried": "carry", "paid": "pay", "brought": "bring", "drank": "drink", "tipped": "tip",
    "poured": "pour", "meant": "mean", "owes": "owe", "owed": "owe",
}  # fmt: skip
EXCLUSIVE = frozenset("kill murder poison slay steal copy forg bury burn set tip hid hide took take bribe".split())
"""Deeds that one did, so that another did not."""


def lemma(word: str) -> str:
    """``word`` without its ending: "copied", "copies" and "copying" are one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") or word.endswith("ied"):
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            stem = word[: -len(ending)]
            if ending != "s" and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
                stem = stem[:-1]
            return stem.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def told_verbs(clause: Clause, cast: Cast) -> Iterator[str]:
    """The verb of a claim's clause, if it is no state that the antonyms know."""
    words = clause.words
    for i in range(1, len(words)):
        text = words[i].text
        if (
            words[i].capital
            or text in STOPWORDS
            or (text in PREDICATE_WORDS and lemma(text) not in EXCLUSIVE)
            or not words[i].alpha
        ):
            continue
        if text in _IRREGULAR or text.endswith(("ed", "s", "ing")):
            link = link_before(words, i, cast, Mentions(cast, frozenset()), None, verb=True)
            if link and link.subject and (link.start == 0 or link.subject.named):
                yield lemma(text)
                return


def deeds(
    clause: Clause, cast: Cast, mentions: Mentions, carried: Link | None, verbs: frozenset[str]
) -> Iterator[tuple[Prop, Link]]:
    """Each proposition of ``clause`` with one of ``verbs``; the value is what it was done to."""
    words = clause.words
    for i, word in enumerate(words):
        verb = lemma(word.text) if word.alpha and not word.capital else ""
        if verb not in verbs or (i and words[i - 1].text in ("to", "the", "a")):
            continue
        link = link_before(words, i, cast, mentions, carried, verb=True)
        if link is None or link.subject is None or link.unsure or link.future:
            continue
        near = {one.text for one in words[max(0, i - 4) : i]}
        if near & {"was", "were", "been", "be"} or (near & {"is", "are", "am"} and not word.text.endswith("ing")):
            yield from _passive(clause, cast, link, i, verb)
            continue
        matched = " ".join(one.text for one in words[link.start : i + 1])
        objects = _objects(words[i + 1 :], cast)
        yield Prop(link.subject, f"does:{verb}", objects, not link.negative, matched, clause.stance), link


def _passive(clause: Clause, cast: Cast, link: Link, i: int, verb: str) -> Iterator[tuple[Prop, Link]]:
    words = clause.words
    for j in range(i + 1, len(words) - 1):
        if words[j].text == "by":
            for word in words[j + 1 : j + 4]:
                if key := cast.person(word.text):
                    holder = cast.named(key)
                    matched = " ".join(one.text for one in words[link.start : j + 2])
                    objects = link.subject.key if link.subject else ""
                    yield Prop(holder, f"does:{verb}", objects, not link.negative, matched, clause.stance), link
                    return


def _objects(words: Sequence[Word], cast: Cast) -> str:
    found = []
    for word in words:
        if word.alpha and word.text not in STOPWORDS | PAST:
            found.append(cast.person(word.text) or cast.alias(singular(word.text)) or singular(word.text))
    return " ".join(found)
