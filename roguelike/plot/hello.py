"""A line that only says good day, and what she says to that: the first words of every stranger."""

from __future__ import annotations

import re

from roguelike.game.world import World
from roguelike.happenings import Line
from roguelike.plot.topics import folded

__all__ = ["HELLOS", "due_hello", "say_hello"]

AGAIN_AFTER = 720
"""Minutes after which it is said again; in between she answers in words of her own."""

MOST_WORDS = 14

GREETING = re.compile(
    r"(hello|hi|hey|hail|greetings|well met|good (day|morning|evening|afternoon|night)|hallo|guten (tag|morgen|abend)|"
    r"bonjour|bonsoir|salut|hola|buen[oa]s|привет|здравствуй|добр|こんにちは|こんばんは)(?![a-z])"
)

HELLOS: dict[str, str] = {
    "marta": "And a good one to you, love. I don't forget a face, or who paid.",
    "brann": "Day. I'll know you again.",
    "edda": "And to you, dear! Now I know you. By supper everybody will.",
    "maelis": "Peace on your road, child. I will know your step when you come again.",
    "wren": "Hello. Yes. I'm better with the names of plants, but I'll keep yours.",
    "osric": "A pleasure. I never forget a customer, friend. It is half the trade.",
    "pell": "Good day, good day. I shall tell my master you were here. I tell him everything.",
    "jory": "Well met. River forgets who crossed. I don't.",
    "nim": "'Lo. I'm nobody. You never saw me.",
    "tamsin": "Hello. You needn't know who I am. I'll know you.",
    "captain-hale": "Noted. I keep a list of who comes off that ferry. You are on it.",
    "guard-gate": "Hello! I'm meant to write down who comes in. I'll just remember you.",
    "guard-wall": "A citizen who greets an officer: article two. Entered, with the hour.",
}


def due_hello(world: World, npc: str, text: str) -> bool:
    """Whether the line is a greeting and nothing more, to which ``npc`` has an answer ready."""
    line = folded(text).strip()
    if not GREETING.match(line) or "?" in line or len(line.split()) > MOST_WORDS or npc not in HELLOS:
        return False
    last = world.state.plot.flags.get(_flag(world, npc), -AGAIN_AFTER)
    return world.state.minute - last >= AGAIN_AFTER


def say_hello(world: World, npc: str) -> str:
    """She greets him in turn; returns her words."""
    world.state.plot.flags[_flag(world, npc)] = world.state.minute
    world.emit(Line(npc, HELLOS[npc], ""))
    return HELLOS[npc]


def _flag(world: World, npc: str) -> str:
    return f"hello:{world.state.hero.id}:{npc}"
