"""How things are coloured: the tones of messages, and moods."""

from __future__ import annotations

import unicodedata

from rich.text import Text

from roguelike.happenings import Message, Tone

__all__ = ["TONES", "cut", "face", "log_line", "speech"]

TONES: dict[Tone, str] = {
    "plain": "#c8c0b0",
    "good": "#8fbf6f",
    "bad": "#d08050",
    "danger": "bold #e05040",
    "quest": "#e8c860",
    "speech": "#e8e0d0",
    "dim": "#807868",
}

FACES: dict[str, str] = {
    "calm": "·",
    "warm": "♥",
    "wary": "¿",
    "afraid": "!",
    "angry": "‼",
    "sad": "∙",
    "amused": "☺",
    "proud": "^",
}


def face(mood: str) -> str:
    """A mood in a character and a word; "" for none."""
    return f"{FACES.get(mood, '·')} {mood}" if mood else ""


def log_line(message: Message) -> Text:
    """A message in its colour."""
    return Text(message.text, style=TONES.get(message.kind, TONES["plain"]))


def speech(name: str, words: str) -> Text:
    """What somebody says, with the name before it."""
    return Text.assemble((name, "bold #e8c860"), (": ", "#807868"), (words, TONES["speech"]))


def cut(text: str, most: int) -> str:
    """The first ``most`` characters or a few less: nothing that is read as one is cut in two."""
    if len(text) <= most:
        return text
    at = most
    while at and _joined(text, at):
        at -= 1
    return text[: at or most]


def _joined(text: str, at: int) -> bool:
    """Whether the characters before and at ``at`` are read as one: accents, emoji put together, flags, Hangul."""
    before, after = text[at - 1], text[at]
    if _flag(before) and _flag(after):
        start = at
        while start and _flag(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    skin, jamo = "\U0001f3fb" <= after <= "\U0001f3ff", "\u1160" <= after <= "\u11ff"
    return unicodedata.category(after)[0] == "M" or "\u200d" in (before, after) or skin or jamo


def _flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"
