"""What somebody says of her own accord when the hero walks up: a misdeed of his that she knows of, or a greeting."""

from __future__ import annotations

from roguelike.game.world import World
from roguelike.happenings import Line
from roguelike.plot.trust import trust
from roguelike.state import Deed
from roguelike.town.schedule import FOLK

__all__ = ["FIRST", "greet"]

AGAIN_AFTER = 180
"""Minutes after which somebody is greeted again."""

FIRST: dict[str, str] = {
    "marta": "Come in, love, and shut the door. You look half frozen.",
    "brann": "Mind the sparks. What do you need?",
    "edda": "Fresh eels! Fresh gossip! One of them's cheaper!",
    "maelis": "The fire is warm, child. Sit as long as you like.",
    "wren": "Careful, that pot stings. Hello. Sorry. Hello.",
    "osric": "A new face! Good faces are good business.",
    "pell": "Oh! You startled me. How may my master be of service?",
    "jory": "River's patient. So am I. Hop in, or don't.",
    "nim": "Wasn't me. What wasn't me?",
    "tamsin": "Shh. Please. I only scrub the pots.",
    "captain-hale": "State your business.",
    "guard-gate": "Halt! Please. Have you got anything to eat?",
    "guard-wall": "Move along, or state your purpose.",
}
"""To a stranger: the greetings of the world pack."""

AGAIN: dict[str, str] = {
    "marta": "You again, love. Sit, before somebody else has the chair.",
    "brann": "Back. Hm.",
    "edda": "There you are! Buy something or tell me something, I'm not fussy.",
    "maelis": "You came back, child. People mostly mean to.",
    "wren": "Oh. You. Mind the shelf. It remembers you.",
    "osric": "Our friend from the ferry. Twice is a habit.",
    "pell": "Oh! I'm sorry. I'm always sorry. Good day.",
    "jory": "Still here. So's the river.",
    "nim": "You again. Following me, are you?",
    "tamsin": "It's you. Is anybody behind you?",
    "captain-hale": "You. Make it short.",
    "guard-gate": "Halt! Oh, it's you. Halt anyway. It's practice.",
    "guard-wall": "You have been here before. I have a note of it.",
}
"""To who was there before."""

FRIEND: dict[str, str] = {
    "marta": "There's my good one. I kept you the end of the loaf.",
    "brann": "Good. It's you.",
    "edda": "My favourite customer! Don't tell the others. I will.",
    "maelis": "I was hoping for that step on the stair, child.",
    "wren": "Oh, it's you. Good. You're like... sage, in a room.",
    "osric": "A friend of the house. I do keep count of those.",
    "pell": "It's you. I thought... never mind. It's only you.",
    "jory": "Sit. I was keeping the dry plank for you.",
    "nim": "Oi! Over here. I wasn't waiting or nothing.",
    "tamsin": "You came. I listened for you on the step.",
    "captain-hale": "You. Good. Close the door.",
    "guard-gate": "Friend! I mean: halt, friend.",
    "guard-wall": "An exemplary citizen. I have underlined it.",
}
"""To somebody she trusts."""

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
    """Speak of the newest misdeed she knows and has not spoken of yet; all older ones are spoken of with it. Else greet
    him, if it is a while since she last did.
    """
    hero, flags = world.state.hero, world.state.plot.flags
    person = world.state.people[npc]
    if person.asleep or person.down:
        return
    greeted = f"greeted:{hero.id}:{npc}"
    last = flags.get(greeted, -1)
    flags[greeted] = world.state.minute
    if _scold(world, npc) or (last >= 0 and world.state.minute - last < AGAIN_AFTER):
        return
    liked = trust(world, npc)
    if liked < 0:
        world.say(f"{FOLK[npc].name} does not greet you.", "dim")
    else:
        line = FIRST if last < 0 else FRIEND if liked >= 2 else AGAIN
        world.emit(Line(npc, line[npc], "warm" if liked >= 2 else ""))


def _scold(world: World, npc: str) -> bool:
    """What she knows against him, said once."""
    hero, flags = world.state.hero, world.state.plot.flags
    spoken = f"scolded:{hero.id}:{npc}"
    known = [deed for deed in world.state.plot.deeds if _rankles(deed, npc, hero.id)]
    new = [deed for deed in known if deed.minute > flags.get(spoken, -1)]
    if not new:
        return False
    flags[spoken] = world.state.minute
    own = any(deed.target == npc and deed.kind == "theft" for deed in new)
    line = SCOLDS[npc] if own else _blow(new, npc) or HEARD.get(npc)
    if line:
        world.emit(Line(npc, line, "amused" if npc == "nim" else "angry"))
    return bool(line)


def _rankles(deed: Deed, npc: str, hero: str) -> bool:
    return deed.kind in BAD and deed.hero == hero and npc in deed.known


def _blow(deeds: list[Deed], npc: str) -> str:
    """To who knocked her down."""
    hit = any(deed.kind == "assault" and deed.target == npc for deed in deeds)
    return f"{FOLK[npc].name} takes a step back. 'Keep your hands off me.'" if hit else ""
