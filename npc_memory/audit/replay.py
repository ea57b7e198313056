"""Comparing what was recorded with what is built now, byte for byte: the first difference, and where it is."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

__all__ = ["Divergence", "Piece", "first_difference"]

Piece = tuple[str, bool, str]
"""A segment of a prompt: section, whether it holds control tokens, text."""

SHOWN = 3
"""Lines of context around the difference."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a replay stopped. ``attempt`` from 0; ``what`` is the section of the prompt, or "tokens", "grammar", …"""

    record: str
    npc: str
    attempt: int
    what: str
    expected: str
    got: str

    def diff(self) -> list[str]:
        """The difference as lines: "-" as recorded, "+" as built now."""
        lines = difflib.unified_diff(
            self.expected.splitlines(), self.got.splitlines(), "recorded", "now", n=SHOWN, lineterm=""
        )
        found = list(lines)[2:]
        if not found:  # the same lines that differ all the same: in their ends
            return [f"- {self.expected!a}", f"+ {self.got!a}"]
        if unicodedata.normalize("NFKC", self.expected) == unicodedata.normalize("NFKC", self.got):
            return [f"{one[0]} {one[1:]!a}" if one[0] in "+-" else one for one in found]  # a person sees no difference
        return found


def first_difference(recorded: Sequence[Piece], built: Sequence[Piece]) -> tuple[str, str, str] | None:
    """The first segment that differs, as (section, recorded text, text now); None when all are the same bytes."""
    for old, new in zip_longest(recorded, built):
        if old != new:
            section = (old or new)[0]
            return section, _shown(old), _shown(new)
    return None


def _shown(piece: Piece | None) -> str:
    if piece is None:
        return "(no segment)"
    section, control, text = piece
    return f"[{section}{', control' if control else ''}]\n{text}"
