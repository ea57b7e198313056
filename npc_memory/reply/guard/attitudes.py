"""What somebody thinks, says, knows, wishes or denies: how a sentence stands to what is said in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from npc_memory.reply.guard.english import AUXILIARIES, NEGATIONS, NOBODY
from npc_memory.reply.guard.lexicon import PREDICATE_WORDS, VERBS
from npc_memory.reply.guard.words import Word

__all__ = ["HEADS", "Stance", "attitude_end", "stance_of", "verdict"]

Stance = Literal["asserted", "flipped", "reported", "open"]
"""``flipped``: the speaker denies what is said; ``reported``: others say it; ``open``: nobody asserts it."""

_FORMS: dict[str, str] = {
    "think": "think thinks thought believe believes believed suppose supposes guess reckon reckons trust expect"
    " figure fancy"
    " feel daresay wager bet",
    "say": "say says said saying claim claims claimed swear swears swore tell tells told telling whisper"
    " whispers whispered"
    " insist insists mutter mutters sing sings announce announced declare declared shout shouted cry cried warn warned"
    " promise promised assure vow repeat write writes wrote teach gossip spread",
    "hear": "hear hears heard gather",
    "know": "know knows knew remember remembers see sees saw realise realize admit admits admitted prove proves proved"
    " confirm confirms confirmed learned noticed agree agrees forget",
    "wish": "wish wishes wished hope hopes hoped pray prays prayed dream dreams dreamt dreamed imagine pretend"
    " pretends wonder"
    " want wants suppose ask asks asked wondering asking pretending hoping praying consider picture",
    "deny": "doubt doubts doubted deny denies denied disbelieve refute",
}
_VERBS = {form: kind for kind, forms in _FORMS.items() for form in forms.split()}
_SURE = frozenset("sure certain positive convinced assured glad happy afraid confident aware sorry proud".split())
_TRUE = frozenset("true certain clear obvious plain fact well-known good known".split())
_FALSE = frozenset("lie false untrue nonsense wrong rubbish impossible foolish lies foolishness mistake absurd".split())
_LOOSE = frozenset(
    "rumour rumor tale story myth talk gossip word idea possible likely likelier chance hope dream legend"
    " stories tales songs"
    " rumours rumors claim unlikely hearsay said".split()
)
HEADS = frozenset(_VERBS) | _SURE | _TRUE | _FALSE | _LOOSE
"""Words behind which "that" begins what is thought or said."""

_FIRST, _SECOND = frozenset(("i", "we")), frozenset(("you",))
_OBJECTS = frozenset("me you him her us them everyone everybody people anyone".split())
_NO_CLAUSE = frozenset("for about of at with on so after into over up out through too".split())
_NOUNS = frozenset("morning evening nothing something anything everything king during always news bed".split())
_MATRIX = 7


def attitude_end(words: Sequence[Word], first: int = 0) -> int | None:
    """Where the complement begins, behind "they say", "I am sure that", "it is a lie that"; None if nowhere."""
    for i in range(first, min(len(words), first + _MATRIX)):
        text = words[i].text
        following = words[i + 1].text if i + 1 < len(words) else ""
        noun = text in _TRUE or text in _FALSE or text in _LOOSE
        if following in _NO_CLAUSE:
            continue
        if text in _VERBS:
            if i and words[i - 1].text in ("the", "a", "my", "your", "this", "to") and text != "say":
                continue
            end = i + 1
        elif (text in _SURE and i) or (noun and following in ("that", "to")) or text == "rumour":
            end = i + 1
        else:
            continue
        if end == len(words) and text not in _VERBS:
            continue
        while end < len(words) and words[end].text in _OBJECTS and _has_more(words, end):
            end += 1
        if end < len(words) and words[end].text == "that":
            end += 1
        return end if end == len(words) or _is_clause(words[end:]) else None
    return None


def _is_clause(words: Sequence[Word]) -> bool:
    """Whether something is said in ``words``, and not only somebody named."""
    for word in words[1:]:
        if word.text in AUXILIARIES or word.text in VERBS or word.text in PREDICATE_WORDS:
            return True
        if word.alpha and not word.capital and word.text not in _NOUNS and word.text.endswith(("s", "ed", "ing")):
            return True
    return False


def _has_more(words: Sequence[Word], i: int) -> bool:
    """Whether "you" behind "tell" is its object: a clause with a subject of its own follows."""
    if words[i].text in ("me", "him", "us", "them"):
        return True
    following = words[i + 1].text if i + 1 < len(words) else ""
    return following in ("that", "the", "he", "she", "it", "they", "there", "no", "our", "king", "my", "")


def stance_of(matrix: Sequence[Word]) -> Stance:
    """How the speaker stands to the complement of ``matrix`` (the words up to and with the attitude)."""
    texts = [word.text for word in matrix if word.alpha]
    while len(texts) > 1 and texts[-1] in _OBJECTS | {"that"}:
        texts.pop()
    head, before = texts[-1], texts[:-1]
    negative = any(text in NEGATIONS or text in NOBODY for text in before)
    if head in _FALSE or head in _TRUE or head in _LOOSE:
        return _judged(head, negative)
    if head in _SURE:
        if any(text in _FIRST or text in _SECOND for text in before):
            return "open" if negative or ("are" in before and before[0] == "are") else "asserted"
        return "open" if negative else "asserted" if "it" in before else "reported"
    kind = _VERBS[head]
    if head == "suppose" and not before:
        return "open"
    who = next((text for text in before if text in _FIRST or text in _SECOND), "")
    plain = [
        text for text in before if text not in ("do", "does", "not", "never", "please", "just", "and", "but", "to")
    ]
    if who in _FIRST:
        return _mine(kind, head, negative)
    if who in _SECOND:
        sure = kind == "know" or (kind in ("think", "say") and any(text in ("can", "may", "should") for text in before))
        return "asserted" if sure and not negative else "open"
    if not plain:
        return _ordered(kind, negative)
    return _theirs(kind, negative)


def _judged(head: str, negative: bool) -> Stance:
    if head in _LOOSE:
        return "open"
    return "flipped" if (head in _FALSE) is not negative else "asserted"


def _mine(kind: str, head: str, negative: bool) -> Stance:
    if kind == "think":
        past = head in ("thought", "believed")
        return "open" if past else "flipped" if negative else "asserted"
    if kind == "deny":
        return "asserted" if negative else "flipped"
    if kind in ("say", "know") or (kind == "hear" and not negative):
        return "open" if negative else "reported" if kind == "hear" or head == "told" else "asserted"
    return "open"


def _ordered(kind: str, negative: bool) -> Stance:
    if kind == "think":
        return "flipped" if negative else "asserted"
    if kind == "know":
        return "open" if negative else "asserted"
    return "asserted" if kind == "deny" and negative else "open"


def _theirs(kind: str, negative: bool) -> Stance:
    if kind == "know":
        return "open" if negative else "asserted"
    if kind == "deny":
        return "asserted" if negative else "open"
    return "open" if kind == "wish" or negative else "reported"


_RIGHT = frozenset("right true truth correct so agree believe".split())
_WRONG = frozenset(
    "wrong lie lies liar liars lied lying mistaken false untrue nonsense rubbish fools fool foolish".split()
)


def verdict(words: Sequence[Word]) -> Stance | None:
    """What the speaker says about a report: "and they are right", "but that is a lie"; None if nothing."""
    for i, word in enumerate(words):
        if word.text not in _RIGHT and word.text not in _WRONG:
            continue
        near = [one.text for one in words[max(0, i - 4) : i]]
        if word.text in ("so", "right", "believe", "true") and word.text != "true":
            said = ("are", "is", "was", "were") if word.text == "right" else ("i", "do", "say", "and", "think")
            if not any(text in said for text in near) or (
                word.text == "so" and i + 1 < len(words) and words[i + 1].alpha
            ):
                continue
        negative = any(text in NEGATIONS for text in near)
        return "asserted" if (word.text in _RIGHT) is not negative else "flipped"
    return None
