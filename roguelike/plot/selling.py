"""What the hero can sell, to whom, and for how much: what comes up from below is worth the way."""

from __future__ import annotations

from roguelike.commands import Sell
from roguelike.game.deeds import record
from roguelike.game.hours import MARKET_OPENS, MARKET_SHUTS
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.happenings import Line
from roguelike.plot.trust import trust
from roguelike.town.schedule import FOLK

__all__ = ["BUYERS", "offered_for", "sell"]

BUYERS: dict[str, tuple[str, ...]] = {
    "brann": ("club", "spear", "sword", "mace", "dart", "jack", "mail", "buckler", "iron"),
    "wren": ("red-draught", "cats-eye", "shadow-wine", "quickwater", "bear-mead", "sleep-dust", "moonmoss"),
    "edda": ("torch", "lantern", "lamp-oil", "pipeweed", "bead", "trout", "eel"),
    "osric": ("salt", "candlestick", "sword", "mail", "lantern"),
    "nim": ("bead", "lockpick"),
}
"""Who gives money for what. Nobody does for evidence, or for what friends are given for nothing."""

TAKEN = {
    "brann": "Good work, that. Here.",
    "wren": "Oh, I can use that. I think. Is this enough? I never know.",
    "edda": "Done, before you change your mind! Count it, dear. I did.",
    "osric": "I give what it is worth to you, friend. That is the art of it.",
    "nim": "Deal. Didn't nick the money neither. Mostly.",
}


def offered_for(world: World, npc: str, id: str) -> int:
    """Coppers ``npc`` would give for a thing in the hero's pack: half of what it is worth, two thirds to a friend, a
    third at Osric's stall; 0 when she does not want it, or not now.
    """
    item, person = world.carried(id), world.nearby(npc, 2)
    if item is None or person is None or person.asleep or item.kind not in BUYERS.get(npc, ()) or trust(world, npc) < 0:
        return 0
    if npc in ("edda", "osric") and not MARKET_OPENS <= world.of_day < MARKET_SHUTS:
        return 0
    price = KINDS[item.kind].price
    if npc == "osric":
        return price // 3
    return price * 2 // 3 if trust(world, npc) >= 2 else price // 2


def sell(world: World, command: Sell) -> bool:
    """A thing for money; it takes a minute."""
    npc, name = command.npc, FOLK[command.npc].name if command.npc in FOLK else "Nobody"
    paid, item = offered_for(world, npc, command.item), world.carried(command.item)
    if not paid or item is None:
        world.say(f"{name} does not want to buy that.", "dim")
        return False
    hero = world.state.hero
    hero.pack.remove(item)
    item.on = False
    hero.coppers += paid
    world.state.people[npc].pack.append(item)
    world.emit(Line(npc, TAKEN[npc], ""))
    world.say(f"You sell {KINDS[item.kind].name} for {paid} coppers.", "good")
    record(world, "trade", npc, f"{hero.name} sold {KINDS[item.kind].name} to {name}", [npc])
    return True
