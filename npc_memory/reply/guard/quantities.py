"""Numbers, what they count, and in which connection: four silver for a room, eleven guards, day 120."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from npc_memory.reply.guard.english import STOPWORDS
from npc_memory.reply.guard.nouns import singular
from npc_memory.reply.guard.words import Word

__all__ = ["CURRENCY", "HAVE", "Quantity", "clashing", "context_of", "quantities", "stem"]

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
}
_TENS = {word: 10 * (n + 2) for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ORDINALS = {
    word: value + 1
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
        " fourteenth fifteenth"
        " sixteenth seventeenth eighteenth nineteenth twentieth".split()
    )
} | {"thirtieth": 30}
_SPECIAL = {"dozen": 12, "couple": 2, "pair": 2, "single": 1, "twice": 2, "thrice": 3}
CURRENCY = frozenset("silver gold copper coin credit crown penny shilling mark florin ducat".split())
_MEMBERS = frozenset("member man woman person people other soul councillor councilor lord of survivor".split())
_GUARDS = frozenset(("guard", "soldier", "watchman"))
_LOOSE = frozenset("night day time thing one way bit much year".split())
_HAPPENS = frozenset(
    stem for stem in "die bury crown burn fire born fell happen begin end murder kill poison leav".split()
)
HAVE = "#have"
"""Stands in a connection that only says that there are so many."""

_HAVE = frozenset("have has got there".split())
_PER = frozenset(("percent", "cent", "%"))
_YEARS = frozenset(("year", "winter", "summer"))
_NOT_ONE = frozenset("day more thing of another moment and time can must should does is was for".split())


@dataclass(frozen=True, slots=True)
class Quantity:
    """``value`` of ``units`` (empty: of what the connection says). ``rank``: "third" and not "three"; ``month``: what
    it is a day of, "the third of Rainmoon".
    """

    value: int
    units: frozenset[str]
    rank: bool
    matched: str
    index: int
    month: str = ""


def stem(word: str) -> str:
    """``word`` without the endings that a connection does not need."""
    word = singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            word = word[: -len(ending)]
    return {
        "charge": "cost",
        "charg": "cost",
        "price": "cost",
        "fare": "cost",
        "bed": "room",
        "bedroom": "room",
        "dead": "die",
        "di": "die",
        "died": "die",
    }.get(word, word.rstrip("e") if len(word) > 4 else word)


def context_of(words: Sequence[Word]) -> frozenset[str]:
    """The content words of ``words``, stemmed, numbers left out."""
    said = (word.text for word in words if word.alpha and word.text not in STOPWORDS)
    found = frozenset(stem(word) for word in said if not _is_number(word)) - _LOOSE - CURRENCY
    texts = {word.text for word in words}
    if "how" in texts and texts & {"much", "high"}:
        found |= {"cost"}
    return found | {HAVE} if any(word.text in _HAVE for word in words) else found


def quantities(words: Sequence[Word]) -> Iterator[Quantity]:
    """Each number in ``words``."""
    i = 0
    while i < len(words):
        value, end, rank = _number(words, i)
        if value is None or _idiom(words, i, end, value):
            i = max(end, i + 1)
            continue
        units, last = _units(words, end, rank)
        if i and words[i - 1].text == "of" and not units & CURRENCY:
            units = frozenset()  # "a council of three rules"
        if i and words[i - 1].text in ("day", "hour", "deck", "pod", "room", "cell") and not rank:
            units = frozenset((words[i - 1].text,))
        month = _month(words, end) if rank else ""
        if rank and i and words[i - 1].text in ("a", "another"):
            rank = False  # "a second door": there are two
        yield Quantity(value, units, rank, " ".join(word.text for word in words[i:last]), i, month)
        i = end


def _month(words: Sequence[Word], end: int) -> str:
    """The month of "the third day of Harvestmoon"."""
    if end < len(words) and words[end].text in ("day", "night", "evening", "morning"):
        end += 1
    of = end + 1 < len(words) and words[end].text == "of" and words[end + 1].proper
    return words[end + 1].text if of else ""


def _is_number(text: str) -> bool:
    return text in _SMALL or text in _TENS or text in _LARGE or text in _ORDINALS or text in _SPECIAL


def _number(words: Sequence[Word], i: int) -> tuple[int | None, int, bool]:
    text = words[i].text
    following = words[i + 1].text if i + 1 < len(words) else ""
    if text.isascii() and text.isdigit() and len(text) < 16 and following in ("st", "nd", "rd", "th"):
        return int(text), i + 2, True
    if text[0].isdigit():
        plain = text.replace(",", "")
        return (
            (int(plain), i + 1, False)
            if plain.isascii() and plain.isdigit() and len(plain) < 16
            else (None, i + 1, False)
        )
    if text in _ORDINALS:
        return _ORDINALS[text], i + 1, True
    if text in ("twice", "thrice"):
        return None, i + 1, False
    if text in ("a", "an") and following in CURRENCY:
        return 1, i + 1, False
    if text in _SPECIAL and text != "single" and i and words[i - 1].text in ("a", "the"):
        return _SPECIAL[text], i + 1, False
    total, part, end = 0, 0, i
    while end < len(words):
        word = words[end].text
        if word in _SMALL:
            part += _SMALL[word]
        elif word in _TENS:
            part += _TENS[word]
        elif word in _LARGE and (part or end > i or (i and words[i - 1].text == "a")):
            part = max(part, 1) * _LARGE[word]
            if word != "hundred":
                total, part = total + part, 0
        elif word in _ORDINALS and end > i and words[end - 1].text in _TENS:
            return total + part + _ORDINALS[word], end + 1, True
        elif not (word == "and" and end > i and words[end - 1].text in _LARGE and end + 1 < len(words)):
            break
        end += 1
    return (total + part, end, False) if end > i else (None, i + 1, False)


def _idiom(words: Sequence[Word], i: int, end: int, value: int) -> bool:
    before = words[i - 1].text if i else ""
    following = words[end].text if end < len(words) else ""
    if before in ("need", "needs", "want", "wants") or (before == "about" and following != "silver"):
        return True
    if before in ("rule", "number", "chapter", "page", "article", "law"):
        return True
    if before == "every":
        return words[i].text not in _ORDINALS
    if before in ("than", "not", "no", "least", "like", "nearly", "about", "almost") or following in (
        "times",
        "more",
    ):
        return True
    if value == 1 and words[i].text == "one":
        return (
            before in ("the", "this", "that", "only", "which", "each", "any", "some", "good", "no")
            or following in _NOT_ONE
        )
    return words[i].text == "second" and following in ("thought", "time", "")


def _units(words: Sequence[Word], end: int, rank: bool) -> tuple[frozenset[str], int]:
    last = end
    if rank and last < len(words) and words[last].text == "of":
        last += 1
    if last < len(words) and words[last].text == "per":
        last += 1
    found: list[str] = []
    while last < len(words) and last < end + 4:
        word = words[last]
        if word.text == "%":
            return frozenset(("cent",)), last + 1
        if not word.alpha or word.text in STOPWORDS or word.text == "ago":
            break
        unit = singular(word.text)
        unit = "room" if unit in ("bed", "bedroom") else unit
        found.append("cent" if unit in _PER else "year" if unit in _YEARS else unit)
        last += 1
        if found[-1] in CURRENCY:
            break
    return frozenset(found), last


def clashing(known: Quantity, known_context: frozenset[str], said: Quantity, said_context: frozenset[str]) -> bool:
    """Whether two numbers say different things of the same."""
    if known.rank is not said.rank:
        return False
    shared = known_context & said_context
    if known.month and said.month:
        return bool(shared & _HAPPENS) and (known.value, known.month) != (said.value, said.month)
    price, paid = known.units & CURRENCY, said.units & CURRENCY
    if price:
        if paid:
            return bool(shared) and (known.value != said.value or price != paid)
        return not said.units and bool(shared - {"cost"}) and "cost" in said_context and known.value != said.value
    if known.value == said.value or paid:
        return False
    if known.month or said.month:
        return False
    if known.units & said.units:
        return bool(shared - {stem(unit) for unit in known.units})
    if known.units & _GUARDS and said.units & _MEMBERS:
        return bool(shared)
    if not known.units or known.units <= {"left"}:
        return (not said.units or bool(said.units & _MEMBERS)) and bool(shared)
    return (not said.units or said.units <= _MEMBERS) and bool({stem(unit) for unit in known.units} & said_context)
