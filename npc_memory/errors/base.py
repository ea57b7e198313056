"""The base of every error: a literal code, a hint that names the cure, plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = [
    "NpcMemoryError",
]


class NpcMemoryError(Exception):
    """Base of every error. ``code`` is a literal, ``hint`` names the cure, ``details`` is plain data."""

    code: ClassVar[str] = ""

    def __init__(self, message: str, *, hint: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message
