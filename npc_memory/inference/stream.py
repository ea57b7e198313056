"""From sampled bytes to text that may be shown: whole characters only, and nothing of a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

__all__ = ["TextStream"]


class TextStream:
    """Decodes the bytes of one reply as they come.

    ``push`` returns text that is safe to show now. A character split over tokens waits for its rest; the tail that
    might still become a stop string waits too. Bytes that are no UTF-8 are left out: there is no replacement
    character. What was returned, joined, is ``text``; after ``stopped`` nothing more comes.
    """

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self.stop = tuple(stop)
        self.stopped = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._held = ""
        self._released: list[str] = []

    @property
    def text(self) -> str:
        """All text released so far."""
        return "".join(self._released)

    def push(self, data: bytes) -> str:
        """Take the bytes of one token; return the text that may be shown because of them."""
        if self.stopped:
            return ""
        self._held += self._decoder.decode(data)
        at = min((i for i in (self._held.find(s) for s in self.stop) if i >= 0), default=-1)
        if at >= 0:
            self.stopped = True
            return self._release(at)
        return self._release(len(self._held) - self._possible_stop())

    def finish(self) -> str:
        """The reply is over: release what waited for a stop string that never came. Half a character is dropped."""
        return "" if self.stopped else self._release(len(self._held))

    def _possible_stop(self) -> int:
        """Length of the longest tail of the held text that begins a stop string."""
        longest = min(max((len(s) for s in self.stop), default=0) - 1, len(self._held))
        for size in range(longest, 0, -1):
            if any(s.startswith(self._held[-size:]) for s in self.stop):
                return size
        return 0

    def _release(self, size: int) -> str:
        text, self._held = self._held[:size], self._held[size:]
        if text:
            self._released.append(text)
        return text
