"""A segment: a piece of the prompt that is tokenised on its own, so that the whole costs the sum of its parts.

Segments are cut only where a newline or a control token stands between them. A segment is a ``str`` that also knows
its ``section`` and whether it is ``control``: control segments are tokenised with special tokens, all else without
(promise P9).
"""

from __future__ import annotations

__all__ = ["Segment"]


class Segment(str):
    """A piece of rendered prompt. ``"".join(segments)`` is the prompt's text."""

    __slots__ = ("control", "section")

    section: str
    control: bool

    def __new__(cls, text: str, section: str, control: bool = False) -> Segment:
        self = super().__new__(cls, text)
        self.section = section
        self.control = control
        return self

    @property
    def text(self) -> str:
        """The segment as a plain ``str``."""
        return str.__str__(self)

    def __repr__(self) -> str:
        return f"Segment({str.__repr__(self)}, {self.section!r}{', control=True' if self.control else ''})"
