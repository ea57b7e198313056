"""How things are coloured: the tones of messages, and moods."""

from __future__ import annotations

from rich.text import Text

from roguelike.happenings import Message, Tone

__all__ = ["TONES", "face", "log_line", "speech"]

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
