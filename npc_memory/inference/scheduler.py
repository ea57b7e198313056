"""The scheduler: whose turn it is, and how many tokens of whom go into the next step. Knows nothing of a model."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass

from npc_memory.inference.request import Priority
from npc_memory.inference.sequence import Sequence

__all__ = ["MOST_SLOTS", "Scheduler", "Slice"]

MOST_SLOTS = 8
"""How many speak at once unless told otherwise."""

Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of one step that belongs to ``sequence``: ``tokens`` at position ``start``; ``sample`` when complete."""

    sequence: Sequence
    start: int
    tokens: tuple[int, ...]
    sample: bool


class Scheduler:
    """Waiting sequences by priority (higher first), then in turn; at most ``max_running`` take part in steps.

    In turn: a conversation's requests are numbered, and lower numbers go first, then earlier arrivals; so one who asks
    ten times does not hold up one who asks once (start-time fair queueing, Goyal, Vin and Cheng 1996, with requests
    of equal weight). ``chunk`` is the most prompt tokens of one step, so that a cancel is noticed after that many.
    """

    def __init__(self, *, max_running: int = 1, chunk: int = 128) -> None:
        self.max_running = max_running
        self.chunk = chunk
        self._arrivals = 0
        self._round = 0
        self._rounds: dict[str, int] = {}
        self._keys: dict[int, Key] = {}
        self._waiting: list[tuple[Key, Sequence]] = []
        self._running: list[Sequence] = []
        self._read = 0
        self._finish: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._waiting) + len(self._running)

    @property
    def running(self) -> tuple[Sequence, ...]:
        """Those that take part in steps."""
        return tuple(self._running)

    def add(self, sequence: Sequence) -> None:
        """Queue a sequence."""
        self._arrivals += 1
        conversation = sequence.request.conversation
        turn = max(self._round, self._rounds.get(conversation, -1) + 1) if conversation else self._round
        if conversation:
            self._rounds[conversation] = turn
        self._keys[sequence.id] = (-sequence.request.priority, turn, self._arrivals)
        self._wait(sequence)

    def remove(self, id: int) -> Sequence | None:
        """Take the sequence of that id out, wherever it is; its place is free at once."""
        for sequence in self._running:
            if sequence.id == id:
                self._running.remove(sequence)
                return self._gone(sequence)
        for entry in self._waiting:
            if entry[1].id == id:
                self._waiting.remove(entry)
                return self._gone(entry[1])
        return None

    def expired(self, now: float) -> list[Sequence]:
        """Return the sequences whose deadline has passed, running ones first. They stay until removed."""
        return [s for s in self.everyone() if s.deadline_at is not None and s.deadline_at <= now]

    def everyone(self) -> list[Sequence]:
        """Return all sequences, running ones first."""
        return [*self._running, *(sequence for _, sequence in self._waiting)]

    def admit(self, ready: Callable[[Sequence], bool] = lambda _: True) -> tuple[list[Sequence], list[Sequence]]:
        """Let waiting sequences in while there is room; return those that pause for more urgent ones, and those that
        begin or go on now. One that is not ``ready`` waits, and holds nobody up.
        """
        paused: list[Sequence] = []
        begun: list[Sequence] = []
        for entry in list(self._waiting):
            sequence = entry[1]
            if not ready(sequence):
                continue
            if len(self._running) >= self.max_running:
                # The least urgent, and of these the one that came last, has lost least.
                victim = max(self._running, key=lambda s: self._keys[s.id])
                if victim.request.priority >= sequence.request.priority:
                    break
                self._running.remove(victim)
                paused.append(victim)
            self._waiting.remove(entry)
            self._running.append(sequence)
            self._finish[sequence.id] = self._read + len(sequence.pending)
            self._round = max(self._round, entry[0][1])
            begun.append(sequence)
        for sequence in paused:
            self._wait(sequence)
        return paused, begun

    def schedule(self, only: Sequence | None = None) -> list[Slice]:
        """Return the next step: a token of each that speaks, then at most ``chunk`` tokens of prompts.

        Work below ``Priority.NPC`` rests while there is anything above it. Of prompts the more urgent go first, then
        the one that would be through first had each been alone from its start (virtual finish time): a short one
        overtakes a long one, and none waits for ever.
        """
        active = [only] if only is not None else self._active()
        singles = [s for s in active if len(s.pending) <= 1]
        prompts = [s for s in active if len(s.pending) > 1]
        prompts.sort(key=lambda s: (-s.request.priority, self._finish[s.id], self._keys[s.id]))
        room = self.chunk
        step: list[Slice] = []
        for sequence in (*singles, *prompts):
            pending = sequence.pending
            single = len(pending) <= 1
            size = len(pending) if single else min(room, len(pending))
            if sequence.computed < sequence.mark:
                size = min(size, sequence.mark - sequence.computed)
            # An empty slice asks a sampler again that had no token yet.
            if size or not pending:
                step.append(Slice(sequence, sequence.computed, pending[:size], size == len(pending)))
                room -= 0 if single else size
        self._read += self.chunk - room
        return step

    def _active(self) -> list[Sequence]:
        top = max((s.request.priority for s in self._running), default=0)
        return [s for s in self._running if s.request.priority >= min(top, Priority.NPC)]

    def _wait(self, sequence: Sequence) -> None:
        insort(self._waiting, (self._keys[sequence.id], sequence), key=lambda entry: entry[0])

    def _gone(self, sequence: Sequence) -> Sequence:
        del self._keys[sequence.id]
        self._finish.pop(sequence.id, None)
        if not self._keys:  # nobody waits any more: whose turn it was is of no account
            self._round = 0
            self._rounds.clear()
        return sequence
