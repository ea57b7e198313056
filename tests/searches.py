"""How many examples a search tries: all of them in ``make test-full``, half of them in ``make test``.

``max_examples=examples(60)`` says 60 of the whole search; hypothesis's profile (``--hypothesis-profile``) says how much
of it is wanted. What stands there without is as it is in both.
"""

from __future__ import annotations

from hypothesis import settings

__all__ = ["PROFILES", "WHOLE", "examples"]

WHOLE = 100
"""Examples of a whole search that names no number: hypothesis's own."""

PROFILES = {"half": WHOLE // 2, "whole": WHOLE}
"""``half`` holds unless another is asked for."""


def examples(n: int) -> int:
    """Of a search of ``n`` examples, as many as the profile in use wants."""
    return max(1, n * settings().max_examples // WHOLE)
