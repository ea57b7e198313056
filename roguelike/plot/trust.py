"""What somebody thinks of the hero: the sum of his deeds that she saw or has heard of. Nobody judges what she does
not know.
"""

from __future__ import annotations

from collections import Counter

from roguelike.game.world import World
from roguelike.state import Deed

__all__ = ["MOST", "notoriety", "trust"]

TO_ME = {
    "gift": 1,
    "kindness": 1,
    "trade": 1,
    "help": 3,
    "donation": 2,
    "theft": -4,
    "assault": -6,
    "betrayal": -9,
    "promise": 0,
}
"""What a deed done to oneself weighs."""

TO_OTHERS = {"help": 1, "kindness": 0, "theft": -1, "assault": -3, "burglary": -1, "curfew": 0, "betrayal": -2}
"""What a deed done to somebody else weighs with most people."""

OWN_VIEWS: dict[str, dict[str, int]] = {
    "marta": {"kindness": 2, "betrayal": -9},
    "tamsin": {"kindness": 1, "betrayal": -9},
    "maelis": {"kindness": 1, "donation": 2, "theft": -2},
    "nim": {"theft": 1, "burglary": 1, "curfew": 1, "betrayal": -4},
    "captain-hale": {"betrayal": 2, "curfew": -1, "theft": -2, "burglary": -2},
    "guard-wall": {"betrayal": 1, "curfew": -2, "theft": -3, "burglary": -3},
    "guard-gate": {"theft": 0, "burglary": 0},
    "osric": {"theft": 0, "help": 0},
    "pell": {"theft": 0},
}
"""Where somebody sees it otherwise than most."""

MOST = {"gift": 2, "kindness": 2, "trade": 1, "donation": 1, "help": 2}
"""How often the same good deed counts: nobody is bought with fifty eels. Bad ones always count."""


def trust(world: World, npc: str) -> int:
    """How far ``npc`` trusts this hero: 0 for a stranger, 2 or more for a friend, below 0 for somebody to be rid of."""
    hero = world.state.hero.id
    seen: Counter[tuple[str, bool]] = Counter()
    total = 0
    for deed in world.state.plot.deeds:
        if deed.hero != hero or npc not in deed.known:
            continue
        mine = deed.target == npc
        seen[deed.kind, mine] += 1
        if seen[deed.kind, mine] <= MOST.get(deed.kind, 99):
            total += _weight(deed, npc, mine)
    return total


def _weight(deed: Deed, npc: str, mine: bool) -> int:
    if mine:
        return TO_ME.get(deed.kind, 0)
    return OWN_VIEWS.get(npc, {}).get(deed.kind, TO_OTHERS.get(deed.kind, 0))


def notoriety(world: World) -> int:
    """How many of the hero's misdeeds are the talk of the town: known to at least three."""
    bad = ("theft", "assault", "burglary", "betrayal")
    deeds = world.state.plot.deeds
    return sum(d.kind in bad and d.hero == world.state.hero.id and len(d.known) >= 3 for d in deeds)
