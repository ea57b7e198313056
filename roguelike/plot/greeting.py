"""What somebody says of her own accord when the hero walks up: about what she knows of him, and about nothing else."""

from __future__ import annotations

from roguelike.game.world import World
from roguelike.happenings import Line
from roguelike.state import Deed
from roguelike.town.schedule import FOLK

__all__ = ["greet"]

BAD = ("theft", "assault", "betrayal", "burglary")

SCOLDS: dict[str, str] = {
    "marta": "I know what you took, love. My table, my things. You'll have to be very sweet before I forget it.",
    "brann": "Mine. You took it. I'd have given it.",
    "edda": "Oh look, it's the one with the quick fingers! Hide the eels!",
    "maelis": "You took something from the fire's house, child. Bring it back, or bring something better.",
    "wren": "You took... I saw. Like bindweed. I don't shout. I just won't forget.",
    "osric": "One item short, since your last visit. I have entered you in the book, friend. In red.",
    "pell": "My master asked who took it. I said I didn't know. I always know.",
    "jory": "A hand in my pocket. The river's been in all my pockets. She never took the lining.",
    "nim": "That was mine! That's not on. I'm the one who does that.",
    "tamsin": "You took from me. There wasn't even anything to take.",
    "captain-hale": "You stole from the watch. I admire the nerve and nothing else.",
    "guard-gate": "You picked my pocket. It was crumbs. They were my crumbs.",
    "guard-wall": "Theft from an officer: article five. There is a drawing of you under it now.",
}
"""To who stole from her."""

HEARD: dict[str, str] = {
    "marta": "I've been hearing things about you, love. Not the good sort.",
    "edda": "I heard what you did! Everybody's heard what you did! I made sure.",
    "maelis": "People bring me what they see, child. Some of it was you.",
    "guard-wall": "Your conduct has been reported. I have it here. In two colours of ink.",
    "captain-hale": "Your name's been on my table. I don't like names on my table.",
    "nim": "Heard you nicked something. Heard you got seen, too. Amateur.",
    "jory": "Water carries talk. There's been some about your hands.",
    "brann": "Heard about you. Keep your hands where the light is.",
}
"""About what he did to somebody else, from who saw it or was told."""


def greet(world: World, npc: str) -> None:
    """Speak of the newest misdeed she knows and has not spoken of yet; all older ones are spoken of with it."""
    hero, flags = world.state.hero, world.state.plot.flags
    spoken = f"scolded:{hero.id}:{npc}"
    known = [deed for deed in world.state.plot.deeds if _rankles(deed, npc, hero.id)]
    new = [deed for deed in known if deed.minute > flags.get(spoken, -1)]
    if not new:
        return
    flags[spoken] = world.state.minute
    own = any(deed.target == npc and deed.kind == "theft" for deed in new)
    line = SCOLDS[npc] if own else _blow(new, npc) or HEARD.get(npc)
    if line:
        world.emit(Line(npc, line, "amused" if npc == "nim" else "angry"))


def _rankles(deed: Deed, npc: str, hero: str) -> bool:
    return deed.kind in BAD and deed.hero == hero and npc in deed.known


def _blow(deeds: list[Deed], npc: str) -> str:
    """To who knocked her down."""
    hit = any(deed.kind == "assault" and deed.target == npc for deed in deeds)
    return f"{FOLK[npc].name} takes a step back. 'Keep your hands off me.'" if hit else ""
