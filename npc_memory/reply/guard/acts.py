"""What only the living do: verbs in a form that says somebody does it now or will."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.reply.guard.english import ADVERBS, NEGATIONS
from npc_memory.reply.guard.words import Word

__all__ = ["act_end"]

_ACTS = frozenset(
    "want send wait await ask order command hold sit hunt ride walk eat drink speak smile laugh see meet receive return come"
    " travel dine plan lead pay trust visit help reward pardon wake sleep dance sing read write rest feast drill judge pray"
    " host greet reside dwell decide expect wish need hear grant marry fight march sail breathe attend recover rule reign"
    " govern give own wear talk drill tax summon forgive invite arrive play cough sneeze snore sign work train enjoy like"
    " love hate prefer watch think believe know live chase wrestle choose appoint serve welcome".split()
)
_STILL = frozenset("lies rests sleeps needs deserves lives wants".split())
_WILL = frozenset(("will", "shall", "can"))
_BE = frozenset(("is", "are", "am"))
_MAYBE = frozenset("rest know need hold lead give see".split())


def act_end(words: Sequence[Word], i: int) -> int:
    """The end of an act that begins at word ``i``, 0 if none does."""
    text = words[i].text
    j = i - 1
    while j >= 0 and (words[j].text in ADVERBS or words[j].text in NEGATIONS):
        j -= 1
    before = words[j].text if j >= 0 else ""
    if text.endswith("ing") and before in _BE and _base(text[:-3]):
        return i + 1
    if before in _WILL and text in _ACTS and text not in _MAYBE | {"live"}:
        return i + 1
    third = text.endswith("s") and text not in _STILL and before not in ("is", "are", "the", "a", "of")
    return i + 1 if third and (_base(text[:-1]) or _base(text[:-2])) and i > 0 else 0


def _base(stem: str) -> bool:
    return stem in _ACTS or stem + "e" in _ACTS or (len(stem) > 2 and stem[-1] == stem[-2] and stem[:-1] in _ACTS)
