"""A line that asks to have something she sells: she says the price, and the hero may agree."""

from __future__ import annotations

import re

from roguelike.game.world import World
from roguelike.happenings import Line, Offered
from roguelike.plot.act import Deal
from roguelike.plot.actions import on_sale
from roguelike.plot.topics import folded

__all__ = ["offer_wanted", "wanted"]

MOST_WORDS = 14
"""A longer line is about something else, whatever it mentions."""

SAYS = {
    "marta": "That you can have, love.",
    "edda": "A fine choice, dear!",
    "wren": "That one? Yes. I have that one.",
    "osric": "A sound purchase.",
    "brann": "Can do.",
    "maelis": "If your heart is in it, child.",
}

NAMES = {
    "rent-room": ("room", "bed", "lodging"),
    "bless": ("bless", "blessing"),
    "repair": ("repair", "sharpen", "edge"),
    "forge-nails": ("nails",),
    "trade": ("salt",),
}
"""What is asked for by the name of what it is rather than by a ware's."""

ASKING = frozenset(
    "buy like want have need get give sell bring take please rent order for price cost costs much".split()
)
"""Words of which one is in a line that asks to have something, if it is more than a ware's name."""


def wanted(world: World, npc: str, text: str) -> Deal | None:
    """What a line asks ``npc`` for: the one ware of hers that it names; None when it names none or several."""
    words = re.findall(r"\w+", folded(text))
    if not words or len(words) > MOST_WORDS or (len(words) > 3 and not any(word in ASKING for word in words)):
        return None
    found = [deal for deal in on_sale(world, npc) if _named(deal, words)]
    return found[0] if len(found) == 1 else None


def _named(deal: Deal, words: list[str]) -> bool:
    choices = [str(value) for value in deal.args.values() if isinstance(value, str)]
    if choices:
        return all(any(word in (part, part + "s") for word in words) for part in choices[0].split())
    return any(name in words for name in NAMES.get(deal.action, ()))


def offer_wanted(world: World, npc: str, deal: Deal) -> str:
    """She is willing; returns what she says."""
    line = SAYS.get(npc, "That can be had.")
    world.emit(Line(npc, line, ""))
    world.emit(Offered(npc, deal.action, deal.label, dict(deal.args)))
    return line
