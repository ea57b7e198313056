"""The prefix cache: which tokens each native slot holds, so that a shared beginning is not computed again.

A hit is confirmed token by token. It may change how long a reply takes, never the reply (promise P4).
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["PrefixCache", "common_prefix"]


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Return how many leading tokens two sequences share."""
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return i
    return min(len(a), len(b))


class PrefixCache:
    """The tokens in each of ``slots`` native sequences. A slot in use by a reply is not offered to another."""

    def __init__(self, slots: int = 1) -> None:
        self._held: list[list[int]] = [[] for _ in range(slots)]
        self._free = list(range(slots))

    def held(self, slot: int) -> tuple[int, ...]:
        """Return the tokens a slot holds."""
        return tuple(self._held[slot])

    def claim(self, prompt: Sequence[int]) -> tuple[int, int]:
        """Take the free slot that shares most with ``prompt``; return it and how many tokens may be kept.

        At least the last prompt token is always computed: its logits are what the first word is drawn from.
        """
        slot = max(self._free, key=lambda s: (common_prefix(self._held[s], prompt), -s))
        kept = min(common_prefix(self._held[slot], prompt), len(prompt) - 1)
        self._free.remove(slot)
        del self._held[slot][kept:]
        return slot, kept

    def extend(self, slot: int, tokens: Sequence[int]) -> None:
        """The model has computed these tokens behind those the slot held."""
        self._held[slot].extend(tokens)

    def release(self, slot: int) -> None:
        """The reply is over; its tokens stay for the next one."""
        self._free.append(slot)
        self._free.sort()

    def forget(self, slot: int) -> None:
        """What the slot holds is no longer known to be whole (a failed step): count on nothing."""
        self._held[slot].clear()
