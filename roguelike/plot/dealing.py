"""Buying, lodging, mending, blessing: what is done for money."""

from __future__ import annotations

from collections.abc import Callable

from roguelike.game.combat import worn
from roguelike.game.crime import FINE, fine
from roguelike.game.deeds import record
from roguelike.game.inventory import ROOM
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.plot.act import Act, Args, Deal
from roguelike.plot.trust import trust
from roguelike.town.schedule import FOLK

__all__ = ["ACTS", "SOLD", "wares"]

ROOM_PRICE = 40
"""The four silver of the world pack."""

MENDING = 30
BLESSING = 10
SALT = 60
BLESSED_FOR = 240

SOLD: dict[tuple[str, str], dict[str, str]] = {
    ("marta", "serve"): {"ale": "ale", "stew": "stew", "bread": "bread", "mulled wine": "mulled-wine"},
    ("edda", "sell"): {"eel": "eel", "trout": "trout", "lamp oil": "lamp-oil"},
    ("wren", "give-herb"): {"willow bark": "willow-bark", "mint": "mint", "comfrey": "comfrey"},
}
"""What the pack's choices are called in the catalogue."""


def wares(world: World, npc: str) -> tuple[Deal, ...]:
    """What ``npc`` sells, with prices."""
    return tuple(
        Deal(action, f"{KINDS[kind].name} ({_price(world, npc, kind)}c)", {_arg(action): choice})
        for (who, action), choices in SOLD.items()
        if who == npc
        for choice, kind in choices.items()
    )


def _arg(action: str) -> str:
    return "herb" if action == "give-herb" else "item"


def _price(world: World, npc: str, kind: str) -> int:
    """Friends of Wren and Marta pay nothing for a little."""
    free = npc in ("wren", "marta") and trust(world, npc) >= 3
    return 0 if free and KINDS[kind].price <= 8 else KINDS[kind].price


def _pay(world: World, coppers: int) -> None:
    world.state.hero.coppers -= coppers


def _short(world: World, coppers: int) -> str:
    return "" if world.state.hero.coppers >= coppers else f"the speaker cannot pay {coppers} coppers"


def _full(world: World) -> str:
    return "" if len(world.state.hero.pack) < ROOM else "the speaker can carry no more"


def _asked(choices: dict[str, str], said: str) -> str | None:
    """What is meant: one of the choices by its name, or the only one that is named in what was said."""
    named = [kind for choice, kind in choices.items() if choice in said.lower()]
    return choices.get(said) or (named[0] if len(named) == 1 else None)


def _sale(npc: str, action: str) -> Act:
    """An action that hands something over the counter."""
    choices = SOLD[npc, action]

    def refused(world: World, args: Args) -> str:
        if not args:
            return ""
        kind = _asked(choices, str(args.get(_arg(action), "")))
        if kind is None:
            return f"it is not clear which is meant: {', '.join(choices)}"
        return _short(world, _price(world, npc, kind)) or _full(world)

    def run(world: World, args: Args) -> None:
        kind = _asked(choices, str(args.get(_arg(action), ""))) or next(iter(choices.values()))
        price = _price(world, npc, kind)
        if _short(world, price):
            world.say("You cannot pay for it.", "bad")
            return
        _pay(world, price)
        world.state.hero.pack.append(world.new_item(kind, left=KINDS[kind].burns))
        paid = f"for {price} coppers" if price else "for nothing"
        world.say(f"{FOLK[npc].name} hands you {KINDS[kind].name}, {paid}.", "good")
        record(world, "trade", npc, f"{world.state.hero.name} bought {KINDS[kind].name} from {FOLK[npc].name}", [npc])

    return Act(refused, run)


def _room_price(world: World) -> int:
    return 0 if world.flag("rats-done") else ROOM_PRICE


def _rent(world: World, args: Args) -> None:
    _pay(world, _room_price(world))
    world.state.plot.flags["room"] = world.state.minute + 1440
    world.say("A key with a wooden stag on it. Your bed is the far one in the west room; sleep in it with Z.", "good")
    record(world, "trade", "marta", f"{world.state.hero.name} took a room at the Gilded Stag", ["marta"])


def _no_blade(world: World) -> str:
    weapon = worn(world, "weapon")
    if weapon is None:
        return "there is no blade in the speaker's hand"
    return "it has all the edge it can hold" if weapon.edge >= (2 if trust(world, "brann") >= 2 else 1) else ""


def _mend(world: World, args: Args) -> None:
    weapon = worn(world, "weapon")
    if weapon is not None:
        _pay(world, MENDING)
        weapon.edge += 1
        world.say(f"Brann hands {KINDS[weapon.kind].name} back. It could shave a rat.", "good")
        record(world, "trade", "brann", f"{world.state.hero.name} had a blade mended by Brann", ["brann"])


def _nails(world: World, args: Args) -> None:
    _pay(world, 10)
    world.state.hero.pack.append(world.new_item("nails"))
    world.say("A box of nails, still warm.", "good")
    record(world, "trade", "brann", f"{world.state.hero.name} bought nails from Brann", ["brann"])


def _bless(world: World, args: Args) -> None:
    _pay(world, BLESSING)
    world.state.hero.effects["blessed"] = BLESSED_FOR
    world.say("Ash on your forehead. It is warm, and stays warm.", "good")
    record(world, "donation", "maelis", f"{world.state.hero.name} gave to the temple", ["maelis"])


def _sacks(args: Args) -> int:
    sacks = args.get("sacks", 1)
    return sacks if type(sacks) is int and 1 <= sacks <= 5 else 1


def _trade(world: World, args: Args) -> None:
    for _ in range(_sacks(args)):
        if not _short(world, SALT) and not _full(world):
            _pay(world, SALT)
            world.state.hero.pack.append(world.new_item("salt"))
            world.say("A sack of salt changes hands. Osric counts the silver twice.", "good")
    record(world, "trade", "osric", f"{world.state.hero.name} bought salt from Osric Venn", ["osric"])


def _no_market(world: World, args: Args) -> str:
    shut = not 360 <= world.of_day < 1200
    return "the market is closed" if shut else _short(world, SALT * _sacks(args)) or _full(world)


def _unfined(world: World) -> bool:
    """Whether the market guard knows of something he has not paid for yet."""
    known = [d for d in world.state.plot.deeds if d.hero == world.state.hero.id and "guard-wall" in d.known]
    return sum(d.kind in ("theft", "curfew", "burglary") for d in known) > world.flag("fined")


def _fine(world: World, args: Args) -> None:
    world.state.plot.flags["fined"] = world.flag("fined") + 1
    fine(world, "guard-wall", "what she knows of")


def _purse(world: World, args: Args) -> None:
    taken = min(3, world.state.hero.coppers)
    _pay(world, taken)
    world.say(f"Your purse is lighter by {taken} coppers. Nim is looking at a pigeon.", "bad")


def _needs(price: int, *others: Callable[[World], str]) -> Callable[[World, Args], str]:
    def refused(world: World, args: Args) -> str:
        return next((error for check in others if (error := check(world))), "") or _short(world, price)

    return refused


ACTS: dict[tuple[str, str], Act] = {
    ("marta", "serve"): _sale("marta", "serve"),
    ("marta", "rent-room"): Act(lambda world, args: _short(world, _room_price(world)), _rent),
    ("edda", "sell"): _sale("edda", "sell"),
    ("wren", "give-herb"): _sale("wren", "give-herb"),
    ("brann", "repair"): Act(_needs(MENDING, _no_blade), _mend),
    ("brann", "forge-nails"): Act(_needs(10, _full), _nails),
    ("maelis", "bless"): Act(_needs(BLESSING), _bless),
    ("osric", "trade"): Act(_no_market, _trade),
    ("guard-wall", "fine"): Act(
        lambda world, args: "" if _unfined(world) and world.state.hero.coppers >= FINE else "there is nothing to fine",
        _fine,
    ),
    ("nim", "steal"): Act(
        lambda world, args: (
            "" if world.state.hero.coppers and trust(world, "nim") <= 0 else "there is nothing worth it"
        ),
        _purse,
    ),
}
