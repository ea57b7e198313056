"""The world pack's actions as the game knows them: when each is allowed, and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roguelike.game.world import World
from roguelike.happenings import Happening
from roguelike.plot import dealing, opening
from roguelike.plot.act import Act, Deal
from roguelike.view import Done

__all__ = ["ACTS", "deals", "do", "offers", "on_sale", "refusal"]

ACTS: dict[tuple[str, str], Act] = {**dealing.ACTS, **opening.ACTS}
"""By NPC and id of the action: all those of the world pack, and no other."""


LABELS = {
    ("marta", "rent-room"): "a room for the night (40c)",
    ("brann", "repair"): "an edge on your blade (30c)",
    ("brann", "forge-nails"): "a box of nails (10c)",
    ("maelis", "bless"): "a blessing (10c to the temple)",
    ("osric", "trade"): "a sack of salt (60c)",
    ("jory", "ferry"): "the crossing, for good (2c)",
    ("guard-gate", "open-gate"): "to be let through the gate",
    ("captain-hale", "let-pass"): "a pass for the night",
}
"""What one may ask for outright besides wares, for a menu. A sack of salt is one sack."""


def deals(world: World, npc: str) -> tuple[Deal, ...]:
    """What the hero can ask ``npc`` for outright, as matters stand."""
    if world.nearby(npc, 3) is None:
        return ()
    favours = (deal for deal in _favours(npc) if not ACTS[npc, deal.action].refused(world, {}))
    return (*dealing.wares(world, npc), *favours)


def on_sale(world: World, npc: str) -> tuple[Deal, ...]:
    """The same, and what she would refuse as matters stand: one may ask, and hear why not."""
    return (*dealing.wares(world, npc), *_favours(npc)) if world.nearby(npc, 3) is not None else ()


def _favours(npc: str) -> list[Deal]:
    return [
        Deal(action, label, {"sacks": 1} if action == "trade" else {})
        for (who, action), label in LABELS.items()
        if who == npc
    ]


def offers(world: World, npc: str) -> tuple[str, ...]:
    """Ids of the actions the game would allow ``npc`` now, in the pack's order."""
    if world.nearby(npc, 3) is None:
        return ()
    return tuple(action for (who, action), act in ACTS.items() if who == npc and not act.refused(world, {}))


def refusal(world: World, npc: str, action: str, args: Mapping[str, Any]) -> str:
    """Why the game would not let ``npc`` do that now; empty if it would."""
    act = ACTS.get((npc, action))
    if act is None:
        return f"{npc} knows no such thing as {action}"
    if world.nearby(npc, 3) is None:
        return "the speaker is not there any more"
    return act.refused(world, args)


def do(world: World, npc: str, action: str, args: Mapping[str, Any]) -> Done:
    """Do what ``npc`` wants to do, if the game allows it. The happenings are those of the action alone."""
    error = refusal(world, npc, action, args)
    if error:
        return Done(False, error)
    act = ACTS[npc, action]
    before, world.out = world.out, []
    act.run(world, args)
    happened: list[Happening] = world.out
    world.out = before
    return Done(True, "", tuple(happened))
