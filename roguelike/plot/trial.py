"""The charge, the trial, the verdict."""

from __future__ import annotations

from roguelike.commands import Accuse
from roguelike.game.crime import jail
from roguelike.game.deeds import record
from roguelike.game.sight import witnesses
from roguelike.game.world import World
from roguelike.happenings import Line
from roguelike.plot.case import case
from roguelike.plot.endings import finish
from roguelike.town.schedule import FOLK

__all__ = ["accuse", "charged", "verdict"]

STANDS = 120
"""Minutes a charge stands before it must be laid anew."""

COUNTS = {"means": "what killed him", "hand": "whose hand", "motive": "why"}


def accuse(world: World, command: Accuse) -> bool:
    """Say a name before Captain Hale. The second time is the trial. True when it took time."""
    who = command.who
    if world.nearby("captain-hale", 3) is None:
        world.say("A charge of murder is laid before Captain Hale, in the watch house.", "bad")
        return False
    if who not in FOLK:
        world.say("Nobody here is called that.", "dim")
        return False
    if charged(world) == who:
        verdict(world, who)
        return True
    refusal = _refusal(world, who)
    if refusal:
        world.emit(Line("captain-hale", refusal, "angry"))
        return False
    for name in sorted(world.state.plot.flags):
        if name.startswith("charged:"):
            del world.state.plot.flags[name]
    world.state.plot.flags[f"charged:{who}"] = world.state.minute
    seen = ["captain-hale", *(npc for npc in witnesses(world) if npc != "captain-hale")]
    record(world, "accusation", who, f"{world.state.hero.name} accused {FOLK[who].name} of killing the king", seen)
    world.emit(Line("captain-hale", _weighed(world, who), "calm"))
    return True


def charged(world: World) -> str:
    """Whom the hero has charged and could bring to trial by saying the name again; empty for nobody."""
    for name, minute in sorted(world.state.plot.flags.items()):
        if name.startswith("charged:") and world.state.minute - minute <= STANDS:
            return name.removeprefix("charged:")
    return ""


def _refusal(world: World, who: str) -> str:
    """Why Hale will not even hear a charge against ``who``; empty if she will."""
    if who == "osric":
        return ""
    if who == "tamsin":
        if world.state.plot.chapter >= 2:
            return "The council has cleared the girl. I'll not hang her to save you the stairs."
        return (
            ""
            if world.knows("tamsin-hides")
            else "Then bring her to me. Twenty silver for the girl. Nothing for guesses."
        )
    if who == "pell" and (world.knows("jory-saw-fire") or world.knows("pell-burned-bridge")):
        return ""
    if who == "wren" and world.knows("greycap-sold"):
        return ""
    if who == "brann" and world.knows("key-copied"):
        return ""
    if who == "captain-hale":
        ready = world.knows("hale-bribed") and world.holds("ledger-page")
        return "" if ready else "Me. Ha. Bring paper, or bring a better joke."
    return "That's a grudge, not a charge. Bring me something I can lay on a table."


def _weighed(world: World, who: str) -> str:
    """What Hale says before she lets anybody say a name twice."""
    if who == "captain-hale":
        return "So. You have read it. Say it again, aloud, before my guards, and I will not lift a hand."
    if who != "osric":
        return (
            f"{FOLK[who].name}. The council would be content with that. Say it again, and somebody hangs before supper."
        )
    found = case(world)
    if found.missing:
        lacks = ", and ".join(COUNTS[name] for name in found.missing)
        return (
            f"Osric Venn. A large name. I do not see {lacks}. Say it again and I must try him, and you with him. "
            "Better fetch the rest."
        )
    if not found.holds:
        more = "Your own name is not clean, and his friends will say so. " if found.doubted else ""
        return (
            f"What, who and why. {more}But his friends sit on the council. Show how they came and went that night, or "
            "show me why I should risk my neck."
        )
    return "What killed him, whose hand, and why. It stands. Say the name once more, and I ring the bell."


def verdict(world: World, who: str) -> None:
    """The trial of ``who``. Ends the story, or the night in a cell."""
    world.state.plot.flags.pop(f"charged:{who}", None)
    if who == "osric":
        _try_osric(world)
    elif who == "pell":
        finish(world, "half-justice")
    elif who == "captain-hale":
        finish(world, "captain-falls")
    else:
        world.state.plot.flags["hanged"] = sorted(FOLK).index(who)
        finish(world, "wrong-neck")


def _try_osric(world: World) -> None:
    if case(world).holds and not world.flag("bribe-taken"):
        finish(world, "justice")
    elif world.flag("trial-lost") or world.flag("bribe-taken"):
        finish(world, "banished")
    else:
        world.state.plot.flags["trial-lost"] = 1
        world.say("Osric answers every word with a better one. By evening it is you who are on trial.", "bad")
        world.emit(
            Line(
                "osric",
                "A misunderstanding. The young are fond of stories. Let our friend sleep it off, Captain.",
                "amused",
            )
        )
        jail(world, "captain-hale", "slander")
        world.say("Once more like this, and they will put you across the river.", "danger")
