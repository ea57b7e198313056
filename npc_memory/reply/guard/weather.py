"""What the weather is said to be."""

from __future__ import annotations

from collections.abc import Iterator

from npc_memory.reply.guard.cast import Subject
from npc_memory.reply.guard.clauses import Clause
from npc_memory.reply.guard.english import NEGATIONS
from npc_memory.reply.guard.lexicon import WEATHER
from npc_memory.reply.guard.props import Mentions, Prop

__all__ = ["SKY", "asks_weather", "weather"]

SKY = Subject("weather")

_FORMS = {form: kind for kind, forms in WEATHER.items() for form in forms.split("|")}
_CERTAIN = frozenset(
    "foggy misty raining rains rainy pouring drizzling snowing snows snowy stormy storming sunny cloudless"
    " cloudy overcast".split()
)
_SKY = frozenset("weather sky skies sun outside air rain fog storm snow clouds out".split())
_PAST = frozenset("was were had yesterday would could might may will tomorrow tonight if when".split())


def weather(clause: Clause, mentions: Mentions) -> Iterator[Prop]:
    """Each proposition of ``clause`` about the weather now."""
    texts = [word.text for word in clause.words]
    if _PAST & set(texts):
        return
    about = bool(_SKY & set(texts)) or mentions.weather
    for i, text in enumerate(texts):
        kind = _FORMS.get(text)
        if kind is None or not (text in _CERTAIN or _weather_noun(texts, i) or (about and _alone(texts, i))):
            continue
        negative = any(word in NEGATIONS for word in texts[max(0, i - 3) : i])
        yield Prop(SKY, "sky", kind, not negative, " ".join(texts[max(0, i - 3) : i + 1]), clause.stance)


def _weather_noun(texts: list[str], i: int) -> bool:
    """As in "There is fog", "no rain today", "the fog is thick", "a storm outside"; "the sun is shining"."""
    if texts[i] == "sun":
        return bool({"shines", "shining", "out", "bright"} & set(texts[i + 1 :]))
    nouns = ("fog", "mist", "rain", "snow", "storm", "drizzle", "blizzard", "thunderstorm", "sunshine", "sleet")
    there = "there" in texts[:i] or (i == len(texts) - 1 and "weather" in texts)
    return texts[i] in nouns and there


def _alone(texts: list[str], i: int) -> bool:
    """Whether the word is said of the weather and of nothing else: at the end, or before an "and"."""
    return i == len(texts) - 1 or texts[i + 1] in (
        "and",
        "but",
        "today",
        "now",
        "outside",
        "out",
        "again",
        "enough",
        "as",
    )


def asks_weather(texts: frozenset[str]) -> bool:
    """Whether a question is about the weather."""
    return bool(texts & {"weather", "raining", "sky", "sunny", "foggy", "outside"}) or {"nice", "out"} <= texts
