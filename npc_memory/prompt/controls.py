"""Breaking up what a model's vocabulary would take for a control token (promise P9).

``memory.text`` already breaks the known shapes. But llama.cpp matches tokens of type USER_DEFINED in any text, even
when special tokens are not asked for, and vocabularies hold surprising ones. So when a template is made for a loaded
model it gets the texts of all its CONTROL and USER_DEFINED tokens, and untrusted text that holds one is broken again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["Controls", "is_harmless"]


_BLANK = "\u2581 \t\n\r\v\f"
"""White space as vocabularies write it."""


def is_harmless(token: str) -> bool:
    """Whether a token's text carries no meaning of its own: one character, white space, or both.

    Some vocabularies define single letters ("ü" in DeepSeek-Coder) or runs of spaces as USER_DEFINED tokens; they
    cannot be broken up and need not be.
    """
    return len(token.strip(_BLANK)) < 2


class Controls:
    """The control tokens of one vocabulary; ``protect`` makes sure a text holds none of them."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        """``tokens``: texts of the vocabulary's CONTROL and USER_DEFINED tokens, in any order."""
        self.tokens: tuple[str, ...] = tuple(sorted({t for t in tokens if not is_harmless(t)}))
        # Longest first, so that breaking the longest match cannot leave a shorter one whole in its place.
        ordered = sorted(self.tokens, key=lambda t: (-len(t), t))
        self._pattern = re.compile("|".join(re.escape(t) for t in ordered)) if ordered else None
        self._protect = lru_cache(maxsize=8192)(self._break) if ordered else None

    def protect(self, text: str) -> str:
        """Return ``text`` with a space after the first visible character of every control token in it."""
        if self._pattern is None or self._protect is None or not self._pattern.search(text):
            return text
        return self._protect(text)

    def _break(self, text: str) -> str:
        assert self._pattern is not None
        # A token may end where another begins, so look again until none is left. Every round widens the gap between
        # two visible characters, and no token reaches across a gap wider than itself: so this ends.
        while found := self._pattern.search(text):
            token = found.group()
            cut = found.start() + len(token) - len(token.lstrip(_BLANK)) + 1
            text = text[:cut] + " " + text[cut:]
        return text
