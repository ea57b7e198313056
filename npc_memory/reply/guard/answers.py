"""A bare answer carries its question: "Yes." to "Is the king alive?", "Brann does." to "Who runs the ferry?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from npc_memory.reply.guard.cast import Cast
from npc_memory.reply.guard.clauses import merged
from npc_memory.reply.guard.english import AUXILIARIES, NOBODY, PRONOUNS, STOPWORDS, TITLES
from npc_memory.reply.guard.nouns import phrase_before
from npc_memory.reply.guard.offices import OFFICE
from npc_memory.reply.guard.props import Prop
from npc_memory.reply.guard.reader import Read
from npc_memory.reply.guard.words import Word

__all__ = ["answered", "bare_name", "doubtful", "leading_person", "polar_props", "polarity"]

_YES = frozenset(
    "yes aye yeah yep yea sure certainly indeed absolutely naturally definitely surely true right yup".split()
)
_NO = frozenset("no nay nope never nah hardly not none nothing nonsense wrong lies false".split())
_ABLE = frozenset(("can", "may"))
_DOUBTS = (
    "not sure",
    "i don't know",
    "i do not know",
    "can't say",
    "cannot say",
    "couldn't say",
    "but...",
    "who knows",
)
_MANNERS = frozenset(
    "killed murdered slain poisoned assassinated drowned strangled stabbed executed hanged beheaded".split()
)
_SKIPPED = frozenset(
    "oh ah well hm hmm alas ha why so love sir dear child friend guest me you know , — … . ! but and".split()
)
_INDIRECT = frozenset(
    "who what where when why how which whether tell know hear heard remember could would should if".split()
)
_VERDICTS = {"true": True, "right": True, "so": True, "correct": True, "truth": True, "lie": False, "false": False,
             "wrong": False, "nonsense": False, "untrue": False, "mistaken": False}  # fmt: skip
_NAMING = frozenset(
    "he she it that was is the old king queen good his her name called named of course poor late sir dear".split()
)
_UNREAL = frozenset("if unless when whenever until till once before after because while since who which or as".split())


def polar_props(asked: Sequence[Read]) -> list[Prop]:
    """What the last sentence of a question asks for, as if it were said; empty if "yes" would not say it."""
    if not asked:
        return []
    last = asked[-1]
    texts = [word.text for word in last.words]
    if last.asked and any(text in _INDIRECT for text in texts[:6]) and not {"think", "believe", "true"} & set(texts):
        return []
    held = {prop.matched for prop in last.props if prop.respect == OFFICE}  # that the holder lives is not asked
    outside = {prop.matched for prop in last.props if prop.stance == "open"}
    props = [prop for prop in last.props if last.asked or prop.matched not in outside]
    props = [prop for prop in props if prop.respect != "life" or prop.matched not in held]
    if any(clause.opener in _UNREAL for clause in last.clauses[1:]):
        return []
    if texts[:1] and texts[0] in AUXILIARIES and texts[1:2] == ["not"]:  # "isn't he dead?" asks for the same
        return [replace(prop, positive=True, stance="asserted") for prop in props]
    return [replace(prop, stance="asserted") for prop in props if prop.positive or not last.asked or _able(prop)]


def doubtful(text: str) -> bool:
    """Whether she takes back her yes or no: "No, no. I am not sure."."""
    folded = text.casefold()
    return any(doubt in folded for doubt in _DOUBTS)


def _able(prop: Prop) -> bool:
    """Whether it is about what one may do: "no" then says that one may not."""
    return bool(_ABLE & set(prop.matched.split()))


def answered(one: Read, props: Sequence[Prop], after: str) -> Iterator[Prop]:
    """``props`` as ``one`` affirms or denies them, when it begins with a bare answer; ``after`` is what follows it."""
    if doubtful(after):
        return
    yes = polarity(one.words)
    if yes is None:
        return
    said = {(prop.subject.key, prop.respect) for prop in one.props if prop.stance == "asserted"}
    words = one.text.strip().split(",")[0]
    for prop in props:
        if (prop.subject.key, prop.respect) in said or not (yes or prop.positive or _able(prop)):
            continue  # what she says in so many words is judged by itself
        if yes or prop.value != "dead" or not _MANNERS & set(prop.matched.split()):
            yield replace(prop, positive=prop.positive is yes, matched=words)


def polarity(words: Sequence[Word]) -> bool | None:
    """Whether ``words`` begin with a yes (True) or a no (False), in whatever form; None if with neither."""
    texts = [word.text for word in words]
    if ["no", "one"] in (texts[:2], texts[1:3]):
        texts = [word.text for word in merged(words)]
    i = 0
    while (
        i < len(texts) and texts[i] in _SKIPPED and texts[i : i + 2] not in (["so", "he"], ["so", "she"], ["so", "it"])
    ):
        if texts[i] in ("you", "me", "so") and i + 1 < len(texts) and texts[i + 1][0].isalpha():
            break
        i += 1
    rest = texts[i:]
    if rest[:3] == ["of", "course", "not"] or rest[:2] in (["certainly", "not"], ["indeed", "not"], ["surely", "not"]):
        return False
    if rest[:2] == ["of", "course"]:
        return True
    if (judged := _judged(rest)) is not None:
        return judged
    short = _elliptical(_pronominal(rest))
    if short is not None:
        return short
    if not rest:
        return None
    ends = len(rest) == 1 or not rest[1][0].isalpha()
    if rest[0] in _YES and (ends or rest[0] in ("yes", "aye", "yeah", "yep")):
        return True
    if rest[0] == "not" and rest[1:2] and rest[1] in ("at", "yet", "any", "since", "a", "in", "anymore", "so"):
        return False
    if rest[:1] == ["nobody"] and (ends or rest[1:2] in (["was"], ["is"], ["has"], ["did"])):
        return False
    if rest[0] in _NO and (ends or rest[0] in ("none", "nope")):
        return False
    return None


def _judged(texts: Sequence[str]) -> bool | None:
    """As in "It is true.", "That is a lie.", "You heard right.", "I am afraid so.", "I think not"."""
    sentence = [text for text in texts if text[0].isalpha() and text not in _SKIPPED - {"so", "you", "me"}]
    if not 2 < len(sentence) < 7 and sentence[:1] != ["you"]:
        return None
    last, negative = sentence[-1] if sentence else "", "not" in sentence
    if sentence[0] in ("it", "that", "this") and sentence[1] in ("is", "was"):
        return None if last not in _VERDICTS else _VERDICTS[last] is not negative
    if sentence[0] == "you" and sentence[1] in ("heard", "are", "hear", "have") and last in _VERDICTS:
        return _VERDICTS[last] is not negative
    if (
        sentence[0] == "i"
        and last in ("so", "not")
        and {"afraid", "think", "believe", "fear", "suppose"} & set(sentence)
    ):
        return (last == "so") is not ("not" in sentence[:-1])
    return None


def _pronominal(texts: Sequence[str]) -> Sequence[str]:
    """As in "The king is." as "he is."."""
    for i in (2, 3):
        if texts[:1] == ["the"] and len(texts) > i and texts[i] in AUXILIARIES:
            return ["he", *texts[i:]]
    return texts


def _elliptical(texts: Sequence[str]) -> bool | None:
    """As in "It is.", "He does not.", "So he is.", "There is, love"."""
    if texts[:1] in (["so"], ["that"]) and len(texts) > 2 and texts[1] in PRONOUNS and texts[2] in AUXILIARIES:
        texts = texts[1:]
    if len(texts) < 2 or texts[0] not in PRONOUNS | {"there"} or texts[1] not in AUXILIARIES:
        return None
    negative = texts[2:3] == ["not"]
    rest = texts[3:] if negative else texts[2:]
    while rest[:1] and rest[0] in ("indeed", "too", "still", "certainly", "surely", "always"):
        rest = rest[1:]
    return not negative if not rest or not rest[0][0].isalpha() else None


def leading_person(one: Read, cast: Cast) -> str:
    """Whom an answer names and nothing more in its first clause ("The king."), "" if nobody."""
    clause = one.clauses[0] if one.clauses else None
    phrase = phrase_before(clause.words, len(clause.words)) if clause and clause.stance == "asserted" else None
    if phrase is None or phrase.start or phrase.pronoun or phrase.owner:
        return ""
    subject = cast.subject(phrase)
    return subject.key if subject and cast.is_person(subject.key) and phrase.det != "my" else ""


def bare_name(one: Read) -> Word | None:
    """The name that an answer to "what was he called?" gives, if it says nothing else."""
    for clause in one.clauses[:2]:
        names = [
            word for word in clause.words if word.capital and word.text not in _NAMING | STOPWORDS | TITLES | NOBODY
        ]
        others = [word for word in clause.words if word.alpha and word not in names and word.text not in _NAMING]
        if len(names) == 1 and not others and clause.stance == "asserted":
            return names[0]
    return None
