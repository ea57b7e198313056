"""A number for a text, the same on every machine and in every process (Python's own ``hash`` is neither)."""

from __future__ import annotations

import hashlib

__all__ = ["signature"]


def signature(text: str) -> int:
    """64 bits that stand for ``text``."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
