"""How much a prompt may hold and how it is shared out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from npc_memory.errors import InvalidPolicy

__all__ = ["BudgetPolicy", "Unit"]

Unit = Literal["characters", "tokens"]


@dataclass(frozen=True, slots=True)
class BudgetPolicy:
    """The budget of a working memory.

    ``limit``: the most the whole prompt may cost, in ``unit`` ("characters", or "tokens" of the counter handed to the
    builder). ``max_exchanges``, ``max_episodes``, ``max_beliefs``: the most candidates of each kind, None for no cap.
    ``shares``: dialogue, episodes, beliefs, as fractions of what is free; they add up to 1.

    Raises ``InvalidPolicy`` for a policy that cannot work.
    """

    limit: int = 2000
    unit: Unit = "characters"
    max_exchanges: int | None = 5
    max_episodes: int | None = 5
    max_beliefs: int | None = 3
    shares: tuple[float, float, float] = (0.60, 0.25, 0.15)

    def __post_init__(self) -> None:
        if type(self.limit) is not int or self.limit <= 0:
            raise InvalidPolicy(f"limit must be a positive integer, not {self.limit!r}", hint="e.g. limit=2000")
        if self.unit not in ("characters", "tokens"):
            raise InvalidPolicy(f"unknown unit {self.unit!r}", hint='use "characters" or "tokens"')
        for name in ("max_exchanges", "max_episodes", "max_beliefs"):
            cap = getattr(self, name)
            if cap is not None and (type(cap) is not int or cap < 0):
                raise InvalidPolicy(f"{name} must be None or an integer from 0, not {cap!r}", hint="None lifts the cap")
        self._check_shares()

    def _check_shares(self) -> None:
        try:
            shares = tuple(float(share) for share in self.shares)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidPolicy(f"shares must be three numbers, not {self.shares!r}") from error
        if len(shares) != 3 or not all(0 <= share <= 1 for share in shares) or abs(sum(shares) - 1) > 1e-9:
            raise InvalidPolicy(
                f"shares must be three fractions that add up to 1, not {self.shares!r}", hint="e.g. (0.60, 0.25, 0.15)"
            )
        object.__setattr__(self, "shares", shares)

    @classmethod
    def default(cls) -> BudgetPolicy:
        """2,000 characters; 5 exchanges, 5 episodes, 3 beliefs."""
        return cls()

    @classmethod
    def minimal(cls) -> BudgetPolicy:
        """1,000 characters; 2 exchanges, 2 episodes, 1 belief."""
        return cls(limit=1000, max_exchanges=2, max_episodes=2, max_beliefs=1)

    @classmethod
    def expanded(cls) -> BudgetPolicy:
        """4,000 characters; 10 exchanges, 10 episodes, 5 beliefs."""
        return cls(limit=4000, max_exchanges=10, max_episodes=10, max_beliefs=5)

    @classmethod
    def for_context(cls, n_ctx: int, reply: int = 128) -> BudgetPolicy:
        """Tokens: what a window of ``n_ctx`` leaves beside a reply of ``reply``; caps 8, 8 and 6."""
        if type(n_ctx) is not int or type(reply) is not int or reply < 0 or n_ctx <= reply:
            raise InvalidPolicy(
                f"a window of {n_ctx!r} tokens cannot hold a reply of {reply!r}", hint="use a larger context window"
            )
        return cls(limit=n_ctx - reply, unit="tokens", max_exchanges=8, max_episodes=8, max_beliefs=6)

    @property
    def floor(self) -> int:
        """The least the mandatory parts must leave for the player's line: 64 characters or 16 tokens."""
        return 64 if self.unit == "characters" else 16

    def split(self, amount: int) -> tuple[int, int, int]:
        """``amount`` by ``shares``: floors for dialogue and episodes, the remainder for beliefs."""
        dialogue = percentage(amount, self.shares[0])
        episodes = percentage(amount, self.shares[1])
        return dialogue, episodes, amount - dialogue - episodes


def percentage(amount: int, share: float) -> int:
    """The floor of ``share`` of ``amount``, in decimals as written (0.29 of 100 is 29, not 28.999…)."""
    part = Fraction(repr(share)) * amount
    return part.numerator // part.denominator
