"""The scheduler: whose turn it is, and how many tokens of whom go into the next step. Knows nothing of a model."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass

from npc_memory.inference.sequence import Sequence

__all__ = ["Scheduler", "Slice"]


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of one step that belongs to ``sequence``: ``tokens`` at position ``start``; ``sample`` when complete."""

    sequence: Sequence
    start: int
    tokens: tuple[int, ...]
    sample: bool


class Scheduler:
    """Waiting sequences by priority (higher first), then arrival; at most ``max_running`` take part in steps.

    A running sequence is not interrupted by a more urgent one. ``chunk`` is the most tokens of one step, so that a
    cancel or a deadline is noticed after at most that many.
    """

    def __init__(self, *, max_running: int = 1, chunk: int = 128) -> None:
        self.max_running = max_running
        self.chunk = chunk
        self._arrivals = 0
        self._waiting: list[tuple[int, int, Sequence]] = []
        self._running: list[Sequence] = []

    def __len__(self) -> int:
        return len(self._waiting) + len(self._running)

    def add(self, sequence: Sequence) -> None:
        """Queue a sequence behind all of its priority."""
        self._arrivals += 1
        insort(self._waiting, (-sequence.request.priority, self._arrivals, sequence), key=lambda entry: entry[:2])

    def remove(self, id: int) -> Sequence | None:
        """Take the sequence of that id out, wherever it is; its place is free at once."""
        for sequence in self._running:
            if sequence.id == id:
                self._running.remove(sequence)
                return sequence
        for entry in self._waiting:
            if entry[2].id == id:
                self._waiting.remove(entry)
                return entry[2]
        return None

    def expired(self, now: float) -> list[Sequence]:
        """Return the sequences whose deadline has passed, running ones first. They stay until removed."""
        everyone = [*self._running, *(entry[2] for entry in self._waiting)]
        return [s for s in everyone if s.deadline_at is not None and s.deadline_at <= now]

    def admit(self) -> list[Sequence]:
        """Let waiting sequences in while there is room; return those that begin now."""
        begun: list[Sequence] = []
        while self._waiting and len(self._running) < self.max_running:
            begun.append(self._waiting.pop(0)[2])
            self._running.append(begun[-1])
        return begun

    def schedule(self) -> list[Slice]:
        """Return the next step: single tokens first, then prompt chunks, together at most ``chunk`` tokens."""
        room = self.chunk
        step: list[Slice] = []
        for sequence in sorted(self._running, key=lambda s: len(s.pending) > 1):
            pending = sequence.pending
            part = pending[:room]
            # An empty slice asks a sampler again that had no token yet.
            if part or not pending:
                step.append(Slice(sequence, sequence.computed, part, len(part) == len(pending)))
                room -= len(part)
        return step
