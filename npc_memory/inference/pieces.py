"""What a vocabulary's tokens can stand for in a text: enough to say how few of them a text can possibly have."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pieces"]


@dataclass(frozen=True, slots=True)
class Pieces:
    """Every tokenisation of a text is a way to cut it into ``spellings``, but for bytes that are no spelling.

    ``spellings``: distinct byte strings, sorted. A byte that is not among them costs nothing: byte-level BPE drops it.
    ``escaped``: the tokenizer (SPM) takes U+2581 for a space and may put one space before the text; spellings are then
    written with spaces.

    More spellings than the tokenizer uses make a bound drawn from them weaker, never wrong.
    """

    spellings: tuple[bytes, ...]
    escaped: bool
