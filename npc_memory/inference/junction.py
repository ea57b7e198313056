"""Where a shortened text's head and tail meet the marker between them: which pieces can reach across."""

from __future__ import annotations

from npc_memory.inference.segmentation import FAR, Segmentation

__all__ = ["Junction"]


class Junction:
    """The seams of a ``marker`` (bytes) in a text that is cut into the pieces of ``segmentation``.

    ``touching``: the fewest pieces that hold a byte of the marker. Its first byte is in one and its last byte is in
    one; they are two pieces unless a piece holds the whole marker, and none is certain if either byte is free.
    """

    def __init__(self, segmentation: Segmentation, marker: bytes) -> None:
        self._segmentation, self._pieces = segmentation, segmentation.pieces
        pieces = segmentation.ordered
        whole = [piece for piece in pieces if marker in piece]
        ends_free = marker[0] in segmentation.free or marker[-1] in segmentation.free
        self.touching = 0 if ends_free else 1 if whole else 2
        heads = sorted({head for piece in pieces for head in _heads(piece, marker)})
        self._heads = frozenset(heads)
        self._head_sizes: dict[int, tuple[int, ...]] = {}
        for last in sorted({head[-1] for head in heads}):
            self._head_sizes[last] = tuple(sorted({len(head) for head in heads if head[-1] == last}, reverse=True))
        openings = [marker[i:] for i in range(len(marker))]
        self._openings = tuple(o for o in openings if any(piece.startswith(o) and piece != o for piece in pieces))
        self._rests = tuple(sorted({rest for piece in whole for rest in _rests(piece, marker)}))

    def left(self, data: bytes, costs: list[int], end: int) -> int:
        """Return the fewest pieces inside ``data[:end]`` when the marker comes next; ``costs`` are from the left."""
        best = costs[end]
        if end:
            for size in self._head_sizes.get(data[end - 1], ()):
                if size <= end and costs[end - size] < best and data[end - size : end] in self._heads:
                    best = costs[end - size]
        return best

    def right(self, data: bytes, costs: list[int], start: int) -> int:
        """Return the fewest pieces inside ``data[start:]`` when the marker stands before; ``costs`` from the right."""
        reach = self._segmentation.longest
        if min(costs[start : start + reach + 1]) == FAR:
            return FAR
        best = costs[start]
        for opening in self._openings:
            probe, inside = opening + data[start : start + reach], start - len(opening)
            for size in self._segmentation.sizes(probe):
                if len(opening) < size <= len(probe) and costs[inside + size] < best and probe[:size] in self._pieces:
                    best = costs[inside + size]
        for rest in self._rests:
            if data.startswith(rest, start):
                best = min(best, costs[start + len(rest)])
        return best


def _heads(piece: bytes, marker: bytes) -> list[bytes]:
    """What of a piece can stand before a marker that it reaches into, or over."""
    heads = []
    at = piece.find(marker[:1], 1)
    while at > 0:
        rest = piece[at:]
        if marker.startswith(rest) or rest.startswith(marker):
            heads.append(piece[:at])
        at = piece.find(marker[:1], at + 1)
    return heads


def _rests(piece: bytes, marker: bytes) -> list[bytes]:
    """What of a piece can stand behind a marker that lies inside it."""
    rests = []
    at = piece.find(marker)
    while at >= 0:
        if rest := piece[at + len(marker) :]:
            rests.append(rest)
        at = piece.find(marker, at + 1)
    return rests
