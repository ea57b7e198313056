"""How it can end, and what becomes of people because of what they saw the hero do."""

from __future__ import annotations

from roguelike.game.world import World
from roguelike.happenings import Ending
from roguelike.plot.trust import trust
from roguelike.town.schedule import FOLK

__all__ = ["ENDINGS", "finish", "leave"]

ENDINGS: dict[str, tuple[str, str]] = {
    "justice": (
        "The Salt and the Ring",
        "The bell rings until the pigeons give up on the tower. Osric Venn hears what killed the king, whose hand, "
        "and why, "
        "and for once in his life he does not make an offer. They take the silk off him to find the man inside. There "
        "is "
        "less than anybody thought.\n\n"
        "In the cell he counts the bars. Princess Isolde comes home by the first boat, and she will be crowned at "
        "Deepwinter. "
        "The first thing she signs gives the salt to the town.",
    ),
    "half-justice": (
        "Half a Justice",
        "Pell does not deny it. He asks only whether his master is angry. They hang him at noon for the bridge and the "
        "courier, and by evening the town has agreed that he must have done the other thing too.\n\n"
        "Osric Venn pays for the coffin, and asks for a receipt. Salt goes up a silver.",
    ),
    "wrong-neck": (
        "The Wrong Neck",
        "{who} is hanged in the rain. It takes longer than it should. The council thanks you for your help, in "
        "writing, "
        "and the curfew is lifted an hour early so that people may come and see.\n\n"
        "Osric Venn stands at the front. He nods to you, as one nods to a good investment.",
    ),
    "captain-falls": (
        "A Door Left Alone",
        "Hale unbuckles her sword before you have finished reading. The guard of the gate cries; the guard of the "
        "market "
        "looks up the article, finds it, and puts the irons on her own captain with shaking hands.\n\n"
        "By the week's end the watch has a new captain. Osric Venn recommended him.",
    ),
    "banished": (
        "Put Across the River",
        "Four of the watch walk you to the landing. Nobody throws anything; nobody looks at you either. Jory rows "
        "without "
        "a word until midstream. 'You were right, I think,' he says then. 'That's not the same as proving it.'",
    ),
    "ferry": (
        "The Ferry",
        "The boat pushes off. The walls of Emberfall grow small and then they are a line, and then they are a thing "
        "you tell "
        "people at inns, some evenings, to fill a silence. You never say how it ended. You do not know.",
    ),
    "ferry-letter": (
        "The Long Way Round",
        "It is eleven days to the southern court. Princess Isolde reads her father's letter standing, and then sits "
        "down. "
        "She asks you everything twice. In the first week of Leaffall forty riders come down to the landing, and "
        "Jory, who "
        "has never in his life hurried, makes nine crossings before noon.\n\n"
        "Osric Venn is gone by then, with his silver. But the charter is the town's, and there is a price on his name.",
    ),
    "ferry-bought": (
        "Good Business",
        "Fifty gold is heavier than you thought. Jory looks at the purse, and at you, and charges the two coppers all "
        "the "
        "same. Behind you the bell rings for nobody in particular. You will live well. You will count things.",
    ),
}
"""Title and text by id."""

KEPT: dict[str, str] = {
    "marta": "Marta keeps a table for you. The ladle hangs above it, out of respect.",
    "tamsin": "Tamsin said it aloud, in front of everybody, and did not look at the door once.",
    "nim": "Nim has shoes now. She says she found them.",
    "edda": "Edda tells the story daily. In hers you are taller.",
    "brann": "Brann made one true thing out of the king's iron. Lisbet reads the letters on the blade.",
    "maelis": "Mother Maelis lit a fire for you that is not supposed to go out either.",
    "wren": "Wren sleeps again, and has named a moss after you.",
    "jory": "Jory fills his pipe, and when the wind is right he talks about you to the river.",
    "guard-gate": "There is a pigeon on the north gate called after you. It is well fed.",
    "captain-hale": "Hale laid the forty gold on the table, coin by coin, and then her badge. The princess gave one "
    "of them back.",
    "guard-wall": "The market guard has added an article to the rule book. It has your name in it.",
}
"""What becomes of those who trust the hero in the end."""

BITTER: dict[str, str] = {
    "marta": "Marta pours for you without a word, and wipes the table after.",
    "tamsin": "Nobody says Tamsin's name when you are in the room.",
    "edda": "Edda tells the story daily. You would not like yourself in it.",
    "maelis": "In the temple they leave a space around you on the bench.",
    "guard-wall": "The market guard still has a page with your name on it, and room for more.",
    "jory": "Jory takes your fare and watches your hands.",
    "brann": "Brann looks at you as he looks at bad iron.",
}
"""And of those who have had enough of him."""


def finish(world: World, id: str) -> None:
    """End the story: tell the memory what the town knows from now on, and the player how it went."""
    plot = world.state.plot
    plot.ending = id
    title, text = ENDINGS[id]
    hanged = FOLK[sorted(FOLK)[world.flag("hanged")]].name
    text = "\n\n".join([text.format(who=hanged) if "{who}" in text else text, *_epilogue(world, id)])
    if id == "justice":
        plot.chapter = 3
        world.set_state(chapter=3)
    everybody = [person.id for person in world.present()]
    world.observe("ending", f"{title}: so ended what {world.state.hero.name} began.", everybody, importance=1.0)
    world.say(title, "quest")
    world.emit(Ending(id, title, text))


def _epilogue(world: World, id: str) -> list[str]:
    """A paragraph of who remembers what."""
    kept = [KEPT[npc] for npc in KEPT if _friend(world, npc, id)]
    bitter = [BITTER[npc] for npc in BITTER if trust(world, npc) <= -3]
    return [" ".join(part) for part in (kept, bitter) if part]


def _friend(world: World, npc: str, id: str) -> bool:
    """Whether the happy line about ``npc`` is true in this ending."""
    if npc == "captain-hale":
        return id == "justice" and bool(world.flag("hale-turned"))
    if npc == "tamsin":
        return id == "justice" and bool(world.flag("vouched")) and not world.flag("tamsin-betrayed")
    return id in ("justice", "ferry-letter") and trust(world, npc) >= 2


def leave(world: World) -> None:
    """Step into Jory's boat."""
    if world.flag("bribe-taken"):
        finish(world, "ferry-bought")
    elif world.holds("kings-letter"):
        finish(world, "ferry-letter")
    else:
        finish(world, "ferry")
