"""The vault: states of sequences in the host's memory, for conversations that had to leave their sequence.

Bounded in bytes; what was not asked for longest goes first. A state is only ever a saving of time: it may be gone, and
what it offers is confirmed token by token.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["State", "Vault"]


@dataclass(frozen=True, slots=True)
class State:
    """What a sequence held: its tokens, and the model's memory of them as the library wrote it."""

    tokens: tuple[int, ...]
    data: bytes


class Vault:
    """At most ``limit`` bytes of states, one per conversation, and beside them the world's shared beginning."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self.shared: State | None = None
        self._states: OrderedDict[str, State] = OrderedDict()

    def __len__(self) -> int:
        return len(self._states)

    def get(self, conversation: str) -> State | None:
        """Return a conversation's state, and count that as a use of it."""
        state = self._states.get(conversation)
        if state is not None:
            self._states.move_to_end(conversation)
        return state

    def holds(self, conversation: str, tokens: Sequence[int]) -> bool:
        """Whether the conversation's state is of exactly these tokens."""
        state = self._states.get(conversation)
        return state is not None and state.tokens == tuple(tokens)

    def put(self, conversation: str, state: State) -> None:
        """Keep a state instead of the conversation's last one; the longest unused go until all fits."""
        self.drop(conversation)
        if len(state.data) > self.limit:
            return
        self._states[conversation] = state
        self.size += len(state.data)
        while self.size > self.limit:
            _, gone = self._states.popitem(last=False)
            self.size -= len(gone.data)

    def drop(self, conversation: str) -> None:
        """Keep nothing of a conversation."""
        gone = self._states.pop(conversation, None)
        if gone is not None:
            self.size -= len(gone.data)
