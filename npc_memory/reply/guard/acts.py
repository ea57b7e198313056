"""What only the living do: verbs in a form that says somebody does it now or will."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from npc_memory.reply.guard.english import ADVERBS, NEGATIONS, PERSONS, RECENT, TITLES
from npc_memory.reply.guard.words import Word

__all__ = ["act_end", "recent", "role_end"]

_ACTS = frozenset(
    "want send wait await ask order command hold sit hunt ride walk eat drink speak smile laugh see meet"
    " receive return come"
    " travel dine plan lead pay trust visit help reward pardon wake sleep dance sing read write rest feast"
    " drill judge pray"
    " host greet reside dwell decide expect wish need hear grant marry fight march sail breathe attend recover"
    " rule reign"
    " govern give own wear talk drill tax summon forgive invite arrive play cough sneeze snore sign work train"
    " enjoy like"
    " love hate prefer watch think believe know live chase wrestle choose appoint serve welcome".split()
)
_STILL = frozenset("lies rests sleeps needs deserves lives".split())
_MAJESTY = frozenset("majesty monarch sovereign liege".split())
_NEVER = frozenset(
    "stays remains haunts watches means matters was is has does always years days this lies rests".split()
)
_PAST_ACTS = frozenset(
    "came saw spoke sat rode ate drank sent gave met told said went slept woke sang wrote led held".split()
)
_NOT_ACTIVE = frozenset("was were been be is are had have has the a".split())
_WILL = frozenset(("will", "shall", "can"))
_IS = frozenset("is am still remains".split())
_LATE = frozenset("dead late murdered poisoned killed saint martyr victim".split())
_BE = frozenset(("is", "are", "am"))
_SEEN = frozenset("you me us him her them nobody visitors guests".split())
_MAYBE = frozenset("live rest know need hold lead give see".split())


def act_end(words: Sequence[Word], i: int) -> int:
    """The end of an act that begins at word ``i``, 0 if none does."""
    text = words[i].text
    j = i - 1
    while j >= 0 and (words[j].text in ADVERBS or words[j].text in NEGATIONS):
        j -= 1
    before = words[j].text if j >= 0 else ""
    if before == "out" and j > 0:
        before = words[j - 1].text
    if text.endswith("ing") and before in _BE and _base(text[:-3]):
        return i + 1
    following = words[i + 1].text if i + 1 < len(words) else ""
    if before in _WILL and text in _ACTS and (text not in _MAYBE or (text == "see" and following in _SEEN)):
        return i + 1
    if text == "be" and before in _WILL and following in ("back", "home", "here", "glad", "pleased", "along"):
        return i + 2
    if text == "did" and i + 1 >= _spoken_end(words, i):
        return i + 1 if recent(words) else 0
    if (text in _PAST_ACTS or (text.endswith("ed") and _base(text[:-2]))) and i and before not in _NOT_ACTIVE:
        return i + 1 if recent(words) else 0
    third = text.endswith("s") and text not in _STILL and before not in ("is", "are", "the", "a", "of")
    if third and i and (words[j].capital or before in TITLES | _MAJESTY) and text not in _NEVER and len(text) > 3:
        return i + 1  # whatever the king does today
    return i + 1 if third and (_base(text[:-1]) or _base(text[:-2])) and i > 0 else 0


def _spoken_end(words: Sequence[Word], i: int) -> int:
    return next(
        (j for j in range(i + 1, len(words)) if words[j].text not in RECENT | {"this", "very", "just", "only"}), i + 1
    )


def role_end(words: Sequence[Word], i: int) -> int:
    """The end of "a good man", "the king", which somebody is today; 0 if none begins at word ``i``."""
    if words[i].text not in ("a", "the", "an", "our", "your") or not i or words[i - 1].text not in _IS:
        return 0
    for j in range(i + 1, min(i + 5, len(words))):
        if words[j].text in _LATE or not words[j].alpha:
            return 0
        if words[j].text in PERSONS:
            return j + 1
    return 0


def recent(words: Sequence[Word]) -> bool:
    """Whether it was so lately that he who did it must still live."""
    texts = [word.text for word in words]
    return any(text in ("today", "yesterday", "tonight", "just") for text in texts) or any(
        pair in (("this", "morning"), ("this", "very"), ("last", "night"), ("this", "evening"), ("hour", "ago"))
        for pair in pairwise(texts)
    )


def _base(stem: str) -> bool:
    return stem in _ACTS or stem + "e" in _ACTS or (len(stem) > 2 and stem[-1] == stem[-2] and stem[:-1] in _ACTS)
