"""The reply that relationships and triples are looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from npc_memory.memory import Fact
from npc_memory.people import Cast
from npc_memory.prompt import Labels

__all__ = ["Asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The reply that candidates are for: who answers whom, to what ``query``; the ``facts`` that hold and that she
    knows. ``told``: which records may come up, None for all.
    """

    npc: str
    player: str
    query: str
    facts: Sequence[Fact]
    game_time: int
    cast: Cast
    labels: Labels
    called: Mapping[str, str]
    told: Callable[[Any], bool] | None = None

    def may_tell(self, record: Any) -> bool:
        """Whether a record of hers may come up."""
        return self.told is None or self.told(record)
