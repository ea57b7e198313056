"""Whether somebody who says one thing tells another: most of its terms, asserted and not denied or asked."""

from __future__ import annotations

import re

from npc_memory.recall.words import terms

__all__ = ["conveys", "gives_away"]

SHARE = 2 / 3
"""The share of its terms that must be said."""

HINT = 1 / 2
"""The share of a secret's terms that give it away, whatever is said with them."""

FEWEST = 2
"""Terms that must be said at least: one word tells nothing."""

_DENIALS = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nicht|nie|niemals|kein\w*|niemand|nichts|не|нет|никогда|никто|ничего)\b"
    r"|n['’]t\b|ない|ません|なかった",
    re.IGNORECASE,
)

_SENTENCES = re.compile(r"[^.!?。！？]+[.!?。！？]*")


def gives_away(said: str, secret: str) -> bool:
    """Whether ``said`` has so much of ``secret`` in it that one might guess, be it asked, denied or asserted."""
    wanted = set(terms(secret))
    return len(wanted & set(terms(said))) >= max(FEWEST, HINT * len(wanted))


def conveys(said: str, content: str) -> bool:
    """Whether ``said`` tells ``content``. By terms, so it is the same in every language; a question tells nothing, nor
    does what denies where ``content`` does not, or the other way round.
    """
    wanted = set(terms(content))
    if len(wanted) < FEWEST:
        return False
    told = [one for one in _SENTENCES.findall(said) if not one.rstrip().endswith(("?", "？"))]
    found = set(terms(" ".join(told)))
    if len(wanted & found) < max(FEWEST, SHARE * len(wanted)):
        return False
    return bool(_DENIALS.search(content)) is bool(_DENIALS.search(" ".join(told)))
