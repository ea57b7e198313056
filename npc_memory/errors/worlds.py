"""World packs that cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npc_memory.errors.base import NpcMemoryError

__all__ = [
    "Problem",
    "WorldError",
    "WorldInvalid",
    "WorldNotFound",
]


class WorldError(NpcMemoryError):
    """A world pack cannot be used."""

    code = "world_error"


class WorldNotFound(WorldError):
    """No world pack of that name or at that path."""

    code = "world_not_found"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a world pack: where (``file``, 1-based ``line``, 0 if unknown), what, and the cure."""

    file: str
    line: int
    message: str
    cure: str
    severity: str = "error"

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.message} — {self.cure}"


class WorldInvalid(WorldError):
    """A world pack with ``problems``, each with file, line and cure."""

    code = "world_invalid"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        shown = "\n".join(str(p) for p in self.problems[:20])
        more = f"\n… and {len(self.problems) - 20} more" if len(self.problems) > 20 else ""
        super().__init__(
            f"{len(self.problems)} problem(s) in the world pack:\n{shown}{more}",
            hint="mend the lines named above; `npc-memory lint` checks again",
            details={"problems": [str(p) for p in self.problems]},
        )
