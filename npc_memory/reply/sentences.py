"""Cutting speech into sentences. Joined, the pieces are the text again, character for character.

White space belongs to the sentence behind it, so that trimming the end of a text never reaches into a piece that has
already been spoken. In doubt two sentences stay one: "Mr. Aldric is dead" must not be judged without its subject.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["ends_complete", "sentences", "stops", "whole_sentences"]

_STOPS = ".!?…‼⁇⁈⁉؟۔।॥։።፧"
_WIDE_STOPS = "。！？｡．"
_CLOSERS = "\"'”’»›)]」』）】〉》*_"
_ENDING = _STOPS + _WIDE_STOPS + _CLOSERS
_MARKS = ("Mn", "Me", "Cf")  # variation selectors and joiners behind "‼️"
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr st sr jr prof capt cpt sgt lt col gen gov rev hon no vol vs etc cf approx ca bzw usw hr fr frl nr str"
    " mme mlle m sig sra srta ул гл им тов руб коп стр".split()
)
_STOP = re.compile(f"[{re.escape(_STOPS + _WIDE_STOPS)}]")
_SPACE = re.compile(r"\s*")
_LONGEST_WORD = 40
_WORD = re.compile(r"([^\W_]+(?:\.[^\W_]+)*)\.$")


def sentences(text: str, *, final: bool) -> list[str]:
    """The sentences of ``text``. Unless ``final``, only those whose end is certain whatever may follow.

    >>> sentences("Mr. Olaf? Gone. I th", final=False)
    ['Mr. Olaf?', ' Gone.']
    """
    pieces: list[str] = []
    start = at = 0
    while stop := _STOP.search(text, at):
        at = stop.start()
        end = _stop_end(text, at)
        certain = _is_boundary(text, start, at, end)
        if certain:
            pieces.append(text[start:end])
            start = end
        at = end
    if final and start < len(text):
        pieces.append(text[start:])
    return pieces


def stops(text: str) -> int:
    """How many characters that can end a sentence there are in ``text``; no piece is certain without one."""
    return len(_STOP.findall(text))


def _stop_end(text: str, at: int) -> int:
    """Where the run of stops, closing marks and their variation selectors ends."""
    while at < len(text) and (text[at] in _ENDING or unicodedata.category(text[at]) in _MARKS):
        at += 1
    return at


def _is_boundary(text: str, start: int, at: int, end: int) -> bool:
    gap = _SPACE.match(text, end)
    following = text[gap.end() : gap.end() + 1] if gap else ""
    if not following:
        return False  # more stops, a closing quote or a small letter may still follow
    if following.islower() or following in ",;:、，":
        return False
    if any(c in _WIDE_STOPS for c in text[at:end]):
        return True
    if gap and gap.end() == end:
        return False  # "3.5", "e.g", "emberfall.inn"
    return not (text[at:end] == "." and _is_abbreviation(text[max(start, end - _LONGEST_WORD) : end]))


def _is_abbreviation(piece: str) -> bool:
    word = _WORD.search(piece)
    if word is None:
        return False
    name = word[1]
    if "." in name or (name.isdigit() and len(name) <= 2):
        return True
    return name.casefold() in _ABBREVIATIONS or (len(name) == 1 and name.isalpha() and name != "I")


def ends_complete(text: str) -> bool:
    """Whether ``text`` ends like a finished sentence."""
    bare = text.rstrip()
    while bare and (bare[-1] in _CLOSERS or unicodedata.category(bare[-1]) in _MARKS):
        bare = bare[:-1]
    return bool(bare) and (bare[-1] in _STOPS or bare[-1] in _WIDE_STOPS)


def whole_sentences(text: str, limit: int) -> str:
    """The longest run of finished sentences from the start of ``text`` within ``limit`` characters; "" if none."""
    kept = 0
    for piece in sentences(text, final=True):
        if kept + len(piece) > limit or not ends_complete(piece):
            break
        kept += len(piece)
    return text[:kept]
