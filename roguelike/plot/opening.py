"""Doors, boats and graves: what people let the hero do, and what they do themselves."""

from __future__ import annotations

from roguelike.dungeon.tiles import SHUT
from roguelike.game.world import World
from roguelike.plot.act import Act, Args
from roguelike.plot.trial import charged, verdict
from roguelike.plot.trust import trust
from roguelike.town.schedule import FOLK

__all__ = ["ACTS"]

CELLAR_DOOR, CRYPT_DOOR, GRAVE = (4, 6), (65, 16), (66, 1)
PASS_FOR = 15
"""Minutes a gate stays open for somebody."""


def _open_cellar(world: World, args: Args) -> None:
    world.set_tile("town", *CELLAR_DOOR, SHUT)
    world.state.plot.flags["cellar-open"] = 1
    world.set_state("npc:marta", cellar_door="open")
    world.say("Marta turns a key in the cellar door.", "quest")


def _cellar_refused(world: World, args: Args) -> str:
    if world.flag("cellar-open"):
        return "the cellar is open already"
    return "" if world.flag("rats-promised") or trust(world, "marta") >= 2 else "she does not trust the speaker enough"


def _open_crypt(world: World, args: Args) -> None:
    world.set_tile("town", *CRYPT_DOOR, SHUT)
    world.state.plot.flags["crypt-open"] = 1
    world.set_state("place:temple", crypt="open")
    world.say("Mother Maelis unlocks the crypt. Cold comes up the stairs like somebody you know.", "quest")


def _crypt_refused(world: World, args: Args) -> str:
    if world.flag("crypt-open"):
        return "the crypt is open already"
    return "" if world.flag("crypt-promised") or trust(world, "maelis") >= 2 else "the crypt stays shut to mourners"


def _open_gate(world: World, args: Args) -> None:
    world.state.plot.flags["open:the north gate"] = world.state.minute + PASS_FOR
    world.say("The guard looks left, looks right, and lifts the bar.", "good")
    for x in (43, 44):
        world.set_tile("town", x, 3, SHUT)


def _gate_refused(world: World, args: Args) -> str:
    if not world.curfew:
        return "the gate is open by day"
    return "" if trust(world, "guard-gate") >= 1 else "not after dark, and not on an empty stomach"


def _let_pass(world: World, args: Args) -> None:
    world.state.plot.flags["curfew-pass"] = world.state.minute + 720
    world.say("Hale scribbles on a scrap. For tonight the watch will not see you.", "good")


def _ferry(world: World, args: Args) -> None:
    world.state.hero.coppers -= 2
    world.state.plot.flags["boat-ready"] = world.state.minute + 60
    world.say("Jory holds the boat. Whoever steps in leaves Emberfall for good.", "quest")


def _show_grave(world: World, args: Args) -> None:
    if not world.flag("grave-shown"):
        world.state.plot.flags["grave-shown"] = 1
        world.state.people["jory"].errand, world.state.people["jory"].errand_until = "willow", world.state.minute + 40
        town = world.state.levels["town"]
        seal = world.new_item("courier-seal")
        seal.x, seal.y = GRAVE
        town.items.append(seal)
    world.say("Jory points his pipe at the willow. There is a grave, and something brass on it.", "quest")


def _call_pell(world: World, args: Args) -> None:
    pell = world.state.people["pell"]
    pell.errand, pell.errand_until = "salt-stall", world.state.minute + 20
    world.say("A snap of ringed fingers. Somewhere, Pell begins to run.", "dim")


def _flee(world: World, args: Args) -> None:
    pell = world.state.people["pell"]
    pell.errand, pell.errand_until = "ledger", world.state.minute + 60
    world.say("Pell slips away, his left hand in his sleeve.", "dim")


def _hide(world: World, args: Args) -> None:
    world.say("Tamsin bends low over the pots until she is one of them.", "dim")


def _ring(world: World, args: Args) -> None:
    world.state.plot.flags["ring-given"] = 1
    world.state.hero.pack.append(world.new_item("hollow-ring"))
    world.learn("has-hollow-ring", "nim")
    world.say("Nim drops a silver ring in your palm. It is heavier than it should be, and it clicks.", "quest")


def _ring_refused(world: World, args: Args) -> str:
    if world.flag("ring-given"):
        return "she has given it away already"
    return "" if trust(world, "nim") >= 1 else "not for nothing, and not to a stranger"


def _arrest_refused(world: World, args: Args) -> str:
    who = str(args.get("who", "")) or charged(world)
    if not who:
        return "no charge has been laid"
    if who not in FOLK:
        return f"nobody is called {who}"
    return "" if charged(world) == who else "the speaker must lay the charge, and say the name twice"


def _arrest(world: World, args: Args) -> None:
    verdict(world, charged(world))


def _always(world: World, args: Args) -> str:
    return ""


def _tamsin_gone(world: World, args: Args) -> str:
    return "" if not world.state.people["tamsin"].gone else "she is not there"


ACTS: dict[tuple[str, str], Act] = {
    ("marta", "open-cellar"): Act(_cellar_refused, _open_cellar),
    ("maelis", "open-crypt"): Act(_crypt_refused, _open_crypt),
    ("guard-gate", "open-gate"): Act(_gate_refused, _open_gate),
    ("captain-hale", "arrest"): Act(_arrest_refused, _arrest),
    ("captain-hale", "let-pass"): Act(
        lambda world, args: "" if trust(world, "captain-hale") >= 1 else "she has no reason to", _let_pass
    ),
    ("jory", "ferry"): Act(
        lambda world, args: "" if world.state.hero.coppers >= 2 else "the fare is two coppers", _ferry
    ),
    ("jory", "show-grave"): Act(
        lambda world, args: "" if world.knows("courier-drowned") else "he has not told the speaker of it", _show_grave
    ),
    ("nim", "give-ring"): Act(_ring_refused, _ring),
    ("osric", "call-pell"): Act(_always, _call_pell),
    ("pell", "flee"): Act(_always, _flee),
    ("tamsin", "hide"): Act(_tamsin_gone, _hide),
}
