"""The shape the default template asks a scripted text to have."""

from __future__ import annotations

__all__ = ["line"]


def line(text: str, request: object) -> str:
    """A line of speech and nothing behind it."""
    return f"{text}\n"
