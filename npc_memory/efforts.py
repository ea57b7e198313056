"""What replies cost the engine: it depends on the cache, so it is told to the curious and never recorded."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import asdict, dataclass

__all__ = ["KEPT", "Effort", "Efforts"]

KEPT = 256
"""Replies whose cost is still known."""


@dataclass(frozen=True, slots=True)
class Effort:
    """One attempt's tokens: of its prompt, how many of those were ready in the cache, and how many were said."""

    prompt_tokens: int
    cached_tokens: int
    said_tokens: int


class Efforts:
    """The costs of the newest replies, by the id of their audit record. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, dict[str, int]] = OrderedDict()

    def note(self, audit: str, attempts: Iterable[Effort]) -> None:
        """What the attempts at a reply cost together."""
        all_of_it = [asdict(one) for one in attempts]
        if not all_of_it:
            return
        sums = {name: sum(one[name] for one in all_of_it) for name in all_of_it[0]}
        with self._lock:
            self._kept[audit] = {"attempts": len(all_of_it), **sums}
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def of(self, audit: str) -> dict[str, int] | None:
        """``attempts``, ``prompt_tokens``, ``cached_tokens``, ``said_tokens``; None for a reply of long ago."""
        with self._lock:
            return dict(self._kept[audit]) if audit in self._kept else None
