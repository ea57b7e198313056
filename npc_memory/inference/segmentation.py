"""The fewest pieces that cover a text: shortest paths over its bytes."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["FAR", "Segmentation"]

FAR = 1 << 30
"""More than any cost: there is no way, or none within the limit."""


class Segmentation:
    """Shortest segmentations over a fixed set of ``pieces``, the longest of ``longest`` bytes.

    A byte that is no piece is ``free``: it costs nothing.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.ordered = tuple(sorted(set(pieces) - {b""}))
        self.pieces = frozenset(self.ordered)
        self.free = bytes(byte for byte in range(256) if bytes([byte]) not in self.pieces)
        self.longest = max(map(len, self.ordered), default=1)
        # Lengths of the pieces that begin with these three bytes, so that few slices are looked up in vain. The longest
        # comes first: where a long piece ends less is left to pay, and the shorter ones need no look.
        lengths: dict[bytes, set[int]] = {}
        for piece in self.ordered:
            if len(piece) > 2:
                lengths.setdefault(piece[:3], {1, 2}).add(len(piece))
        self._lengths = {start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()}

    def from_left(self, data: bytes, starts: Iterable[int], limit: int) -> list[int]:
        """Return for each i the fewest pieces that cover ``data[s:i]`` for the best s of ``starts``.

        Costs over ``limit`` may be ``FAR``. The list has an entry for every i from 0 to ``len(data)``.
        """
        n, pieces, lengths = len(data), self.pieces, self._lengths
        costs = [FAR] * (n + self.longest + 2)  # a slice cut off by the end writes behind it, where nobody reads
        for start in starts:
            costs[start] = 0
        free = self._free_in(data)
        for i in range(n):
            cost = costs[i]
            if cost > limit:
                continue
            if data[i] in free and cost < costs[i + 1]:
                costs[i + 1] = cost
            if cost == limit:
                continue
            for k in lengths.get(data[i : i + 3], (2, 1)):
                if cost + 1 < costs[i + k] and data[i : i + k] in pieces:
                    costs[i + k] = cost + 1
        return costs[: n + 1]

    def from_right(self, data: bytes, limit: int) -> list[int]:
        """Return for each i the fewest pieces that cover ``data[i:]``; costs over ``limit`` may be ``FAR``."""
        n, pieces, lengths = len(data), self.pieces, self._lengths
        costs = [FAR] * (n + self.longest + 2)
        costs[n] = 0
        free = self._free_in(data)
        reached = n
        for i in range(n - 1, -1, -1):
            if reached - i > self.longest:
                break  # no piece reaches from here to where the limit was still kept, nor from further left
            best = costs[i + 1] if data[i] in free else FAR
            for k in lengths.get(data[i : i + 3], (2, 1)):
                if costs[i + k] < best - 1 and data[i : i + k] in pieces:
                    best = costs[i + k] + 1
            if best <= limit:
                costs[i] = best
                reached = i
        return costs[: n + 1]

    def sizes(self, data: bytes) -> tuple[int, ...]:
        """Return lengths, longest first; no piece that ``data`` begins with has another length."""
        return self._lengths.get(data[:3], (2, 1))

    def _free_in(self, data: bytes) -> frozenset[int]:
        return frozenset(data) & frozenset(self.free)
