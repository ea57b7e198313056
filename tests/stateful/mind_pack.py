"""A valley of three NPCs, small enough to be played ten thousand times."""

from __future__ import annotations

from pathlib import Path

__all__ = ["NPCS", "PLAYERS", "write_pack"]

NPCS = ("ada", "bo", "cid")
PLAYERS = ("rolf", "ann", "勇者", "guest-7")

_WORLD = """\
id: valley
name: The Valley
version: "1"
seed: 7
start_time: 90
moods: [calm]
rules:
  - {id: short, text: Be short.}
places:
  - {id: mill, name: the mill}
  - {id: yard, name: the yard}
factions:
  - {id: millers, name: the millers}
"""

_FACTS = """\
- id: wheel-broken
  text: The wheel is broken.
  when: {wheel: broken}
"""

_STATE = """\
- key: wheel
  default: broken
  values: [broken, whole]
  text: The wheel is {value}.
"""

_NPC = """\
id: {id}
name: {name}
pronoun: she
persona: You are {name}, of the valley.
place: mill
factions: [millers]
greeting: Good day.
moods: [calm]
fallback: [Later., Not now., Ask me tomorrow.]
"""


def write_pack(folder: Path) -> Path:
    """Write the pack into ``folder``; return it."""
    (folder / "npcs").mkdir(parents=True)
    files = {"world.yaml": _WORLD, "facts.yaml": _FACTS, "state.yaml": _STATE}
    files |= {f"npcs/{npc}.yaml": _NPC.format(id=npc, name=npc.capitalize()) for npc in NPCS}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
