"""What somebody says who is asked to her face whether she did it. No model may confess in her place."""

from __future__ import annotations

import re

from roguelike.game.world import World
from roguelike.happenings import Line
from roguelike.plot.topics import folded

__all__ = ["DENIALS", "deny", "to_her_face"]

TO_HER_FACE = re.compile(
    r"\b(did you|have you|was it you|it was you|you (have )?(killed|poisoned|murdered)|you are the (killer|murderer)|"
    r"you're the (killer|murderer)|your hand)\b"
)
DEED = re.compile(r"\b(kill|poison|murder)")

DENIALS: dict[str, str] = {
    "marta": "Me? I fed that man. Say it once more, love, and you'll eat in the street.",
    "brann": "No. Ask who'd gain.",
    "edda": "Me! With what, an eel? Wait till I tell people you asked.",
    "maelis": "No, child. But I understand that you must ask it of everybody.",
    "wren": "No! I... no. I only sell things. I only sold things.",
    "osric": "What a question, friend. I shall remember who asked it, and in front of whom.",
    "pell": "I never... my master says I never did anything. Please don't ask so loud.",
    "jory": "River took somebody that night. It wasn't my doing.",
    "nim": "I nick things. I don't do people.",
    "tamsin": "I carried it. That's all I did. I carried it. Please go.",
    "captain-hale": "If I had, I would hardly be short of sleep over who did. Bring me proof, or bring me quiet.",
    "guard-gate": "Me? I can't even finish a pigeon.",
    "guard-wall": "An accusation is laid before the captain. Article nine. I note that you asked it of an officer.",
}


def to_her_face(text: str) -> bool:
    """Whether a line asks her, or tells her, that it was she."""
    line = folded(text)
    return bool(TO_HER_FACE.search(line) and DEED.search(line))


def deny(world: World, npc: str) -> str:
    """Her answer; returns it."""
    world.emit(Line(npc, DENIALS[npc], ""))
    return DENIALS[npc]
