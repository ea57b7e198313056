"""Promises that were kept, and things that were brought."""

from __future__ import annotations

from roguelike.game.deeds import record
from roguelike.game.inventory import ROOM
from roguelike.game.sight import witnesses
from roguelike.game.world import World
from roguelike.happenings import Line
from roguelike.town.schedule import FOLK

__all__ = ["BROUGHT", "brought", "kept"]


def kept(world: World, npc: str) -> None:
    """What somebody sees for herself when the hero walks up: Marta has been down to look, Mother Maelis has
    listened.
    """
    if npc == "marta" and world.flag("rats-promised") and not world.flag("rats-done") and _gone(world, "cellar", "rat"):
        world.state.plot.flags["rats-done"] = world.state.minute
        _fulfilled(world, npc, "to clear the rats out of Marta's cellar")
        thanks = (
            "Not a whisker left! You eat free, love, and the room's yours for nothing. And if it's letters you want "
            "to ask "
            "about, ask."
        )
        world.emit(Line("marta", thanks, "warm"))
        text = f"{world.state.hero.name} cleared the rats out of Marta's cellar"
        record(world, "help", "marta", text, _seen(world, "marta"))
    elif npc == "maelis" and not world.flag("wight-done") and _gone(world, "crypt-3", "wight"):
        world.state.plot.flags["wight-done"] = world.state.minute
        quiet = "It is quiet below. I had forgotten what that sounds like. Was it you, child? It was you."
        world.emit(Line("maelis", quiet, "warm"))
        text = f"{world.state.hero.name} laid to rest what walked in the kings' vault"
        record(world, "help", "maelis", text, _seen(world, "maelis"))


def _gone(world: World, level: str, kind: str) -> bool:
    """Whether somebody has been on that level, and none of that kind is left there."""
    found = world.state.levels.get(level)
    return found is not None and all(monster.kind != kind for monster in found.monsters)


BROUGHT: dict[tuple[str, str], tuple[str, str, str, str]] = {
    ("maelis", "candlestick"): (
        "candle-done", "to bring back the candlestick from the crypt", "red-draught",
        "It has come home. So have you, child, and I was less sure of that. Now ask me. About the king. About his "
        "body.",
    ),
    ("wren", "moonmoss"): (
        "moss-done", "to bring Wren moonmoss from the crypt", "comfrey",
        "Oh. It's still glowing. You're like... yarrow. Stops the bleeding. Here. If you want to ask me about... what "
        "I sold. Ask.",
    ),
    ("brann", "iron"): (
        "iron-done", "to bring Brann a bar of king's iron", "dart",
        "That's iron. Now I'll make one true thing. Ask me about the key. Somebody should.",
    ),
}  # fmt: skip
"""By person and thing: the flag it raises, the promise it keeps, the thanks, and what she says."""


def brought(world: World, npc: str, kind: str) -> bool:
    """Something somebody asked for has been handed over; False if it was nothing of the kind, or had been brought
    before.
    """
    found = BROUGHT.get((npc, kind))
    if found is None or world.flag(found[0]):
        return False
    flag, promise, thanks, line = found
    world.state.plot.flags[flag] = world.state.minute
    _fulfilled(world, npc, promise)
    world.emit(Line(npc, line, "warm"))
    if len(world.state.hero.pack) < ROOM:
        world.state.hero.pack.append(world.new_item(thanks))
    text = f"{world.state.hero.name} went below and brought {FOLK[npc].name} what was asked for"
    record(world, "help", npc, text, _seen(world, npc))
    return True


def _fulfilled(world: World, npc: str, promise: str) -> None:
    """If he gave his word, he has kept it, and she knows."""
    hero = world.state.hero
    promises = world.state.plot.promises.setdefault(hero.id, [])
    if promise in promises:
        promises.remove(promise)
        world.observe("promise_kept", f"{hero.name} promised {promise}, and did.", [npc], target=npc)


def _seen(world: World, npc: str) -> list[str]:
    return [npc, *(id for id in witnesses(world) if id != npc)]
