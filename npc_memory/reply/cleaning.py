"""What of a raw text is this NPC's speech: thoughts, control tokens and other people's lines are not.

Cleaning twice changes nothing. Nothing inside a sentence is rewritten: text is only cut off, or stripped at the start.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from npc_memory.memory import clean_text

__all__ = ["BREAKS_OR_MARKUP", "Speakers", "clean_say", "settled"]

_ROLES = ("player", "user", "human", "assistant", "system", "narrator", "npc", "ai")
_THINK = re.compile(r"<\s{0,3}(/?)\s{0,3}(?:think|thinking|thought|reasoning)\s{0,3}>", re.I)
_CONTROL = re.compile(r"<[|｜].*|</?[a-z]+(?:_[a-z]+)*>.*|\[/?[A-Z][A-Z_]+\].*|<<.*", re.S)
_BREAKS = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_MARKUP = re.compile(r"[<>\[\]{}|]")
BREAKS_OR_MARKUP = re.compile(f"{_BREAKS.pattern}|{_MARKUP.pattern}")
"""A text without any of these is one line of speech, a label at its start aside."""
_ADDRESS = r"[*_]*(?:[ ]*\([^()]{0,90}\))?[*_]*[ ]*[:：][*_]*[ ]*"


def _same(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


class Speakers:
    """The labels that may stand before a colon at the start of a line. ``own``: this NPC's label, "" if not known."""

    def __init__(self, labels: Sequence[str] = (), own: str = "") -> None:
        names = sorted({n for n in (*labels, own, *_ROLES) if n.strip()}, key=lambda n: (-len(n), n))
        self._names = tuple(_same(n) for n in names)
        self._any = _label(tuple(names))
        self._own = _label((own,)) if own.strip() else None

    def without_own(self, line: str) -> str:
        """``line`` without this NPC's own label at its start, however often it stands there."""
        at = 0
        while self._own and (found := self._own.match(line, at)):
            at = found.end()
        return line[at:]

    def speaks(self, line: str) -> bool:
        """Whether ``line`` is given to a speaker: it starts with a label and a colon."""
        return self._any.match(line) is not None

    def may_speak(self, line: str) -> bool:
        """Whether ``line``, as far as it is written, could still become one that is given to a speaker."""
        bare = _same(line.strip(" *_"))
        if ":" in line or "：" in line:
            return False
        return any(n.startswith(bare) or bare.startswith((f"{n} (", f"{n}(")) for n in self._names)


def _label(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"[ ]*[*_]*(?:{'|'.join(re.escape(n) for n in names)}){_ADDRESS}", re.I)


def clean_say(raw: str, speakers: Speakers) -> str:
    """The speech in ``raw`` on one line, "" if there is none.

    Thoughts go (an unclosed one takes all that follows); at a control token, or at a line given to another speaker, the
    text ends; the NPC's own label at the very start is taken off.
    """
    while (once := _clean_once(raw, speakers)) != raw:
        raw = once
    return raw


def _clean_once(raw: str, speakers: Speakers) -> str:
    text = _CONTROL.sub("", _without_thoughts(raw))
    kept: list[str] = []
    for line in _BREAKS.split(text):
        line = clean_text(line).strip()
        if not kept:
            line = speakers.without_own(line)
        if speakers.speaks(line):
            break
        if line:
            kept.append(line)
    return " ".join(kept).strip()


def _without_thoughts(text: str) -> str:
    """``text`` without thoughts; of an unclosed one nothing stays, and nothing stays before a lone closing tag, whose
    thought was opened in the prompt.
    """
    kept: list[str] = []
    at, is_open = 0, False
    for tag in _THINK.finditer(text):
        if tag[1]:
            kept = kept if is_open else []
            at, is_open = tag.end(), False
        elif not is_open:
            kept.append(text[at : tag.start()])
            is_open = True
    return "".join(kept) + ("" if is_open else text[at:])


def settled(raw: str, speakers: Speakers) -> str:
    """The part of an unfinished ``raw`` whose cleaning no later text can change."""
    text = _without_thoughts(raw)
    markup = _MARKUP.search(text)
    if markup:
        text = text[: markup.start()]
    lines = _BREAKS.split(text)
    first = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    if first >= len(lines) - 1:
        return "" if not text.strip() or speakers.may_speak(lines[-1]) else text
    # The last line may still turn out to be somebody else's; only those before it are certain.
    return "\n".join(lines[:-1]) + "\n"
