"""A line that asks somebody whether she remembers the hero, and what she says to that: the newest thing he did that she
knows of. It stands in the record; a small model asked for it says no.
"""

from __future__ import annotations

import re

from roguelike.game.world import World
from roguelike.happenings import Line
from roguelike.plot.topics import folded
from roguelike.state import Deed
from roguelike.town.schedule import FOLK

__all__ = ["REMEMBERS", "due_memory", "say_memory"]

MOST_WORDS = 14

ASKING = re.compile(
    r"\b(remember (me|what i (did|stole|took|promised))|(you|u|ya) (still )?(know|recogni[sz]e) (me|who i am)|"
    r"forg[eo]t(ten)? me|what (did i|have i) (do|done|steal|stolen|take|taken|promise|promised)|"
    r"erinner\w* (du |sie )?(dich |sich )?an mich|kenn(st|en) (du|sie) mich|souven\w* de moi|"
    r"acuerdas? de m[ií]|me recuerdas?|помни(шь|те) меня)\b|覚えて"
)

REMEMBERS: dict[str, tuple[str, str]] = {
    "marta": ("I forget nothing that walks through that door, love.", "You're off Jory's ferry. Civil, so far."),
    "brann": ("I do.", "You. Off the ferry. We've talked."),
    "edda": ("Remember? Dear, I tell it twice a day!", "You're the one off the ferry. No gossip on you yet!"),
    "maelis": ("I do, child, and so does the fire.", "You came off the ferry, and you spoke with me."),
    "wren": ("Yes. I keep people like leaves. Pressed.", "You talked to me. Not many do."),
    "osric": ("It is in my book, friend.", "You came off the ferry. So far you cost me nothing."),
    "pell": ("Oh dear, yes.", "You came off the ferry. I told my master so."),
    "jory": ("River forgets. I don't.", "I rowed you over, with your face to the bridge."),
    "nim": ("'Course I do.", "You're off the ferry. Haven't lifted a thing yet, have you?"),
    "tamsin": ("I remember everybody who looks at me.", "You spoke softly. That's all I know."),
    "captain-hale": ("It is on my list.", "Off the ferry. Nothing against you. Yet."),
    "guard-gate": ("I do! I'm meant to!", "You came off the ferry, and you talked to me."),
    "guard-wall": ("I have it here, with the hour.", "Off the ferry. No entries. I have left room."),
}
"""What each begins with, and what she says of somebody who did nothing she knows of."""


def due_memory(world: World, npc: str, text: str) -> bool:
    """Whether the line asks ``npc`` what she remembers of the hero, and there is something to remember."""
    line = folded(text).strip().replace("’", "'")
    if npc not in REMEMBERS or len(line.split()) > MOST_WORDS or not ASKING.search(line):
        return False
    return _newest(world, npc) is not None or world.state.hero.id in world.state.people[npc].met


def say_memory(world: World, npc: str) -> str:
    """She says it; returns her words."""
    begins, nothing = REMEMBERS[npc]
    deed = _newest(world, npc)
    says = f"{begins} {_to_his_face(world, deed, npc) if deed else nothing}"
    world.emit(Line(npc, says, ""))
    return says


def _newest(world: World, npc: str) -> Deed | None:
    """The last thing this hero did that she saw or heard of."""
    hero = world.state.hero.id
    return next((d for d in reversed(world.state.plot.deeds) if d.hero == hero and npc in d.known), None)


def _to_his_face(world: World, deed: Deed, npc: str) -> str:
    """A deed as she tells it to who did it: "You stole a smoked eel from me."."""
    told = re.sub(rf"^{re.escape(world.state.hero.name)} (was\b)?", lambda m: "You were" if m[1] else "You ", deed.text)
    if deed.target == npc:
        her = re.escape(FOLK[npc].name)
        told = re.sub(rf"\b{her}\b", "me", re.sub(rf"\b{her}'s", "my", told)).replace("me his", "me my")
    return f"{told}."
