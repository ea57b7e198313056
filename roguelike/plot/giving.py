"""Handing things over and showing them."""

from __future__ import annotations

from roguelike.commands import Give, Show
from roguelike.game.deeds import record
from roguelike.game.sight import witnesses
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.happenings import Line
from roguelike.plot.asking import speak_about
from roguelike.plot.promises import brought
from roguelike.state import Item
from roguelike.town.schedule import FOLK

__all__ = ["give", "show"]

FED = {
    "nim": "What d'you want for it? Nothing? Nobody wants nothing. ... Ta.",
    "guard-gate": "For me? I could kiss you. I won't. Article something. But I could.",
    "tamsin": "You brought me... thank you. Nobody brings the pots girl anything.",
    "marta": "Feeding me, in my own house! Sit down before I adopt you.",
}
LIKED = {
    ("nim", "bead"): "It's blue all the way through. Look! ... I mean, it's all right.",
    ("jory", "pipeweed"): "Old river leaf. Well now. Sit. Ask. It burns for an hour and so do I.",
    ("marta", "salt"): "A whole sack? Love, that's half a winter. I'll remember that.",
}
POINTS: dict[tuple[str, str], str] = {
    ("captain-hale", "ledger-page"): "debt", ("maelis", "ledger-page"): "hale", ("brann", "copied-key"): "key",
    ("pell", "copied-key"): "key", ("tamsin", "hollow-ring"): "ring", ("osric", "hollow-ring"): "bribe",
    ("osric", "kings-letter"): "charter", ("osric", "ledger-page"): "bribe", ("edda", "hollow-ring"): "ring",
    ("wren", "kings-cup"): "poison", ("jory", "courier-seal"): "courier", ("marta", "kings-letter"): "letter",
}  # fmt: skip
"""Showing this to her is asking her about that."""

TAKES_EVIDENCE = ("captain-hale", "osric")
"""One keeps it for the trial, the other for good; everybody else knows better than to have it in the house."""

EXHIBITS = ("kings-cup", "kings-letter", "hollow-ring", "ledger-page", "copied-key")


def _close(world: World, npc: str, id: str) -> Item | None:
    """The item, if it is there and ``npc`` is too and awake enough."""
    item = world.carried(id)
    if item is None:
        world.say("You have no such thing.", "dim")
        return None
    person = world.nearby(npc, 2)
    if person is None or person.asleep:
        world.say("Nobody is there to take it.", "dim")
        return None
    return item


def give(world: World, command: Give) -> bool:
    """It is hers now, and she may be glad of it."""
    item = _close(world, command.npc, command.item)
    if item is None:
        return False
    npc, kind = command.npc, KINDS[item.kind]
    if kind.evidence and npc not in TAKES_EVIDENCE:
        world.emit(Line(npc, "Keep it. Show it to somebody who can do something about it.", "wary"))
        return False
    world.state.hero.pack.remove(item)
    item.on = False
    world.state.people[npc].pack.append(item)
    world.say(f"You give {kind.name} to {FOLK[npc].name}.")
    if (npc, item.kind) == ("osric", "hollow-ring"):
        _sold_back(world)
    elif kind.evidence:
        world.state.plot.flags[f"given:{item.kind}:{npc}"] = world.state.minute
        _exhibit(world, npc, item.kind)
    elif not brought(world, npc, item.kind):
        _gift(world, npc, item)
    return True


def _gift(world: World, npc: str, item: Item) -> None:
    """A present; to a hungry child it is more than that."""
    food = bool(KINDS[item.kind].heal)
    said = LIKED.get((npc, item.kind)) or (FED.get(npc) if food else None)
    if said:
        world.emit(Line(npc, said, "warm"))
    kindness = npc == "nim" and (food or item.kind == "bead")
    seen = [npc, *(id for id in witnesses(world) if id != npc)]
    text = f"{world.state.hero.name} gave {FOLK[npc].name} {KINDS[item.kind].name}"
    record(world, "kindness" if kindness else "gift", npc, text, seen)


def _sold_back(world: World) -> None:
    world.state.hero.coppers += 500
    world.emit(Line("osric", "How honest. Five gold for your honesty. I do like to know what a thing costs.", "amused"))
    world.say("The ring is gone, and with it whatever was in it.", "bad")
    record(world, "gift", "osric", f"{world.state.hero.name} brought Osric Venn his ring", ["osric"])


def show(world: World, command: Show) -> bool:
    """Let her look at it. It takes a minute, and what she saw she knows."""
    item = _close(world, command.npc, command.item)
    if item is None:
        return False
    world.say(f"You show {KINDS[item.kind].name} to {FOLK[command.npc].name}.")
    if not KINDS[item.kind].evidence:
        world.say(f"{FOLK[command.npc].name} looks at it politely.", "dim")
        return True
    text = f"{world.state.hero.name} showed {FOLK[command.npc].name} {KINDS[item.kind].name}"
    record(world, "shown", command.npc, text, [command.npc])
    _exhibit(world, command.npc, item.kind)
    return True


def _exhibit(world: World, npc: str, kind: str) -> None:
    """Evidence before somebody's eyes."""
    if npc == "captain-hale" and kind in EXHIBITS:
        world.state.plot.flags[f"hale-saw:{kind}"] = world.state.minute
        if kind != "ledger-page":
            world.emit(Line(npc, HALE_SAYS[kind], "calm"))
        _second_chapter(world)
    topic = POINTS.get((npc, kind))
    if topic:
        speak_about(world, npc, topic)


HALE_SAYS = {
    "kings-cup": "Grey. That is not wine. ... So it wasn't his heart. What I need now is a reason. In writing, with a "
    "seal, for choice.",
    "kings-letter": "His hand, his seal, his last day. The charter. So somebody had a reason. And what killed him?",
    "hollow-ring": "A ring with a hinge. I know whose finger that left a mark on.",
    "copied-key": "A copied key. Which lock? Find me the smith.",
}


def _second_chapter(world: World) -> None:
    """The captain has seen what killed him and why: the council must admit it."""
    plot = world.state.plot
    if plot.chapter != 1 or not (world.flag("hale-saw:kings-cup") and world.flag("hale-saw:kings-letter")):
        return
    plot.chapter = 2
    world.set_state(chapter=2)
    tamsin = world.state.people["tamsin"]
    tamsin.errand = ""
    everybody = [person.id for person in world.present()]
    world.observe("news", "The council admits that the king was poisoned.", everybody, importance=1.0)
    world.say("By noon it is cried in the market: the king was poisoned. The cupbearer is no longer sought.", "quest")
