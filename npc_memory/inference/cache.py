"""The prefix cache: what the model has computed already, so that it is not computed again.

Three tiers: a sequence of the model still holds it, or a state in the host's memory does (``Vault``), or at least the
world's shared beginning is kept as one. A hit is confirmed token by token. It may change how long a reply takes, never
the reply (promise P4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from npc_memory.inference.vault import State, Vault

__all__ = ["Memory", "PrefixCache", "Tier", "common_prefix"]

Tier = Literal["sequence", "memory", "shared", "none"]

MEGABYTE = 1_000_000

WORTH = 32
"""Tokens a state must save over the shared beginning to be worth its bytes."""


class Memory(Protocol):
    """The model's memory, as the cache needs it."""

    def keep(self, slot: int, n: int) -> bool:
        """Drop what a slot holds behind its first ``n`` tokens; False when it had to be emptied instead."""

    def clear(self, slot: int) -> None:
        """Empty a slot."""

    def save(self, slot: int) -> bytes:
        """Return what a slot holds; empty when this memory cannot be saved."""

    def restore(self, slot: int, state: bytes) -> bool:
        """Fill a slot with what was saved; False when it does not fit, and the slot is empty then."""


@dataclass(slots=True)
class _Slot:
    """One sequence of the model. ``stable``: how many of its tokens the conversation's next prompt may begin with."""

    tokens: list[int] = field(default_factory=list)
    conversation: str = ""
    stable: int = 0
    used: int = 0
    free: bool = True
    stale: bool = False


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Return how many leading tokens two sequences share."""
    n = min(len(a), len(b))
    if list(a[:n]) == list(b[:n]):
        return n
    low, high = 0, n  # the same up to low, not up to high
    while high - low > 1:
        middle = (low + high) // 2
        if list(a[low:middle]) == list(b[low:middle]):
            low = middle
        else:
            high = middle
    return low


class PrefixCache:
    """The tokens in each of ``slots`` sequences, and a vault of at most ``limit`` bytes behind them.

    A slot in use by a reply is not offered to another. A conversation that loses its slot to another goes into the
    vault, as far as its next prompt may begin with it.
    """

    def __init__(self, memory: Memory, slots: int = 1, *, limit: int = 0) -> None:
        self._memory = memory
        self._slots = [_Slot() for _ in range(slots)]
        self._vault = Vault(limit)
        self._uses = 0
        self._crowded = False
        self.hits: dict[Tier, int] = {"sequence": 0, "memory": 0, "shared": 0, "none": 0}
        self.saved = 0

    def held(self, slot: int) -> tuple[int, ...]:
        """Return the tokens a slot holds."""
        return tuple(self._slots[slot].tokens)

    @property
    def vault(self) -> Vault:
        """The states in the host's memory."""
        return self._vault

    def claim(self, tokens: Sequence[int], conversation: str = "", *, whole: bool = False) -> tuple[int, int]:
        """Take a free slot for ``tokens``; return it and how many of them it holds now.

        At least the last token is always computed: its logits are what the first word is drawn from. Not so when the
        prompt is only computed ahead (``whole``).
        """
        number = self._choose(tokens, conversation)
        slot = self._slots[number]
        stranger = slot.conversation != conversation
        if stranger:
            self._crowded = self._crowded or slot.conversation != ""
            self._put_away(number)
        tier, kept = self._fill(number, tokens, conversation)
        if stranger and tier == "sequence":
            tier = "shared"
        kept = self._trim(number, min(kept, len(tokens) - (not whole)))
        self.hits[tier if kept else "none"] += 1
        slot.conversation, slot.stable, slot.free = conversation, 0, False
        return number, kept

    def extend(self, slot: int, tokens: Sequence[int]) -> None:
        """The model has computed these tokens behind those the slot held."""
        self._slots[slot].tokens.extend(tokens)

    def release(self, slot: int, stable: int = 0) -> None:
        """The reply is over; its tokens stay for the next one. ``stable``: the first so many are worth most, 0: all."""
        self._uses += 1
        one = self._slots[slot]
        one.free, one.used, one.stable = True, self._uses, min(stable, len(one.tokens)) or len(one.tokens)
        if one.stale:
            self.forget(slot)
            one.stale, one.conversation = False, ""

    def forget(self, slot: int) -> None:
        """What the slot holds is no longer known to be whole (a failed step): count on nothing."""
        self._slots[slot].tokens.clear()
        self._memory.clear(slot)

    def tidy(self) -> bool:
        """With time on one's hands: put away who would have to leave next, so that nobody waits for it then.

        False when there is nothing to do. Not before somebody had to leave, and never who spoke last: his line may be
        tried again.
        """
        free = [number for number, slot in enumerate(self._slots) if slot.free]
        if not self._crowded or len(free) < 2:
            return False
        return self._put_away(min(free, key=lambda number: self._slots[number].used))

    def drop(self) -> None:
        """Keep nothing of what nobody is using just now; what is in use goes when its reply is over."""
        for number, slot in enumerate(self._slots):
            if slot.free:
                self.forget(number)
                slot.conversation = ""
            slot.stale = not slot.free
        self._vault = Vault(self._vault.limit)

    def lacks(self, shared: Sequence[int]) -> bool:
        """Whether this beginning of a world is not kept yet."""
        return len(shared) > 0 and (self._vault.shared is None or self._vault.shared.tokens != tuple(shared))

    def share(self, slot: int) -> None:
        """Keep what the slot holds just now as the world's shared beginning."""
        data = self._memory.save(slot)
        self._vault.shared = State(tuple(self._slots[slot].tokens), data) if data else None

    def _choose(self, tokens: Sequence[int], conversation: str) -> int:
        """The conversation's own slot; else one nobody owns, that with the longest common beginning; else the one
        unused for longest. Ties by number.
        """
        free = [number for number, slot in enumerate(self._slots) if slot.free]
        own = [number for number in free if self._slots[number].conversation in ("", conversation)]
        if not own:
            return min(free, key=lambda number: self._slots[number].used)

        def worth(number: int) -> tuple[bool, int, int]:
            slot = self._slots[number]
            return slot.conversation == conversation, common_prefix(slot.tokens, tokens), -number

        return max(own, key=worth)

    def _put_away(self, number: int) -> bool:
        """Save a slot's conversation before another takes its place, unless there is little to lose."""
        slot = self._slots[number]
        keep = slot.tokens[: slot.stable]
        shared = common_prefix(self._vault.shared.tokens, keep) if self._vault.shared is not None else 0
        if not slot.conversation or not self._vault.limit or len(keep) - shared < WORTH:
            return False
        if self._vault.holds(slot.conversation, keep) or self._trim(number, len(keep)) < len(keep):
            return False
        data = self._memory.save(number)
        if data:
            self._vault.put(slot.conversation, State(tuple(keep), data))
            self.saved += 1
        return self._vault.holds(slot.conversation, keep)

    def _fill(self, number: int, tokens: Sequence[int], conversation: str) -> tuple[Tier, int]:
        """Bring the longest known beginning of ``tokens`` into a slot; what is there already costs nothing."""
        tier: Tier = "sequence"
        best, state = common_prefix(self._slots[number].tokens, tokens), None
        own = self._vault.get(conversation) if conversation else None
        for name, offered in (("shared", self._vault.shared), ("memory", own)):
            length = common_prefix(offered.tokens, tokens) if offered is not None else 0
            if length > best:
                tier, best, state = name, length, offered  # type: ignore[assignment]
        if state is None:
            return tier, best
        if self._memory.restore(number, state.data):
            self._slots[number].tokens = list(state.tokens)
            return tier, best
        self.forget(number)
        self._vault.drop(conversation)
        return "none", 0

    def _trim(self, number: int, n: int) -> int:
        """Drop what a slot holds behind ``n`` tokens; return how many are left: 0 where a tail cannot be dropped."""
        tokens = self._slots[number].tokens
        if len(tokens) > n or n == 0:
            if not self._memory.keep(number, n):
                n = 0
            del tokens[n:]
        return n
