"""A game as it was played: commands, lines and what was done about offers, in order; and what was heard, to compare.

Steps: ``["do", command…]`` · ``["say", npc, text]`` · ``["heard", words, mood, action, fallback]`` (of the oldest line
not heard yet; what the book answers is not in here) · ``["cut", words]`` (broken off after these) · ``["take"]`` /
``["leave"]`` (what she offered) · ``["deal", npc, action, args]`` (asked for outright) · ``["due", npc]`` (she has
something on her mind) · ``["heir", name]`` (the next hero) · ``["state", hash]`` (the rules' state then).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from npc_memory.errors import InvalidInput
from roguelike.slots import SavedGame

__all__ = ["Recording", "state_hash"]

FORMAT = 2

Step = list[Any]


def state_hash(dump: bytes) -> str:
    """A hash of the rules' state, the same wherever it is the same."""
    return hashlib.sha256(dump).hexdigest()[:16]


@dataclass
class Recording:
    """``conversations``: how many lines each got, of those two NPCs had with each other, in order. ``begins``: the
    saved game it begins from, as its slot held it, None for a new game. The memory of that save is not in here but in
    the bridge's file, under the save's id.
    """

    seed: int
    hero: str = ""
    steps: list[Step] = field(default_factory=list)
    conversations: list[int] = field(default_factory=list)
    begins: SavedGame | None = None

    def add(self, *step: Any) -> None:
        """One more step."""
        self.steps.append(list(step))

    def write(self, path: Path) -> None:
        """Keep it in a file."""
        kept = {
            "emberfall_recording": FORMAT,
            "seed": self.seed,
            "hero": self.hero,
            "conversations": self.conversations,
            "begins": None if self.begins is None else asdict(self.begins),
        }
        steps = ",\n  ".join(json.dumps(step, ensure_ascii=False) for step in self.steps)
        head = json.dumps(kept, ensure_ascii=False)[:-1]
        path.write_text(f'{head}, "steps": [\n  {steps}\n]}}\n', encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Recording:
        """The game in a file that ``write`` made. Raises ``InvalidInput``."""
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["emberfall_recording"] != FORMAT:
                raise InvalidInput(
                    f"{path} was recorded by another version of the game", hint="replay it with that one"
                )
            begins = None if kept["begins"] is None else SavedGame(**kept["begins"])
            return cls(kept["seed"], kept["hero"], kept["steps"], kept["conversations"], begins)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InvalidInput(f"{path} is no recorded game: {error}", hint="name another file") from error
