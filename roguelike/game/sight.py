"""Who sees what: the hero the map, the people the hero. This decides what is a witnessed theft and what is not."""

from __future__ import annotations

import numpy as np

from roguelike.dungeon.ground import Mask
from roguelike.dungeon.tiles import WIDTH
from roguelike.game.world import World
from roguelike.state import Person
from roguelike.town.plan import place_at

__all__ = ["hero_light", "in_view", "remember", "witnesses"]

SIGHT_BY_NIGHT = 2
"""Steps within which one makes out a figure in the dark."""

EYES = 18
"""Steps beyond which nobody in town tells who it is."""


def hero_light(world: World) -> int:
    """Steps the hero's own light reaches; 1 without one."""
    burning = [item for item in world.state.hero.pack if item.on and item.left > 0]
    return max((7 if item.kind == "lantern" else 5 for item in burning), default=1)


def in_view(world: World) -> Mask:
    """The tiles the hero sees: in his field of view, and light enough."""
    hero = world.state.hero
    ground = world.ground()
    field = ground.view(hero.x, hero.y)
    near = ground.view(hero.x, hero.y, hero_light(world) + (4 if "cat's eyes" in hero.effects else 0))
    return field & (world.light() | near)


def remember(world: World) -> None:
    """Mark what the hero sees now as seen."""
    seen = world.level.seen
    bits = np.packbits(in_view(world), axis=1)
    for y in range(len(seen)):
        now = int.from_bytes(bits[y].tobytes(), "big")
        if now:
            seen[y] = f"{int(seen[y], 16) | now:0{WIDTH // 4}x}"


def witnesses(world: World, x: int | None = None, y: int | None = None) -> list[str]:
    """Who of the town truly sees the hero, or the tile (x, y): awake, on her feet, at the same place, in line of sight,
    and it is light there (or close, or he carries a light). Nearest first, ties by id.
    """
    hero = world.state.hero
    if not world.in_town:
        return []
    at = (hero.x if x is None else x, hero.y if y is None else y)
    field = world.ground().view(*at)
    lit = bool(world.light()[at[1], at[0]]) or (at == (hero.x, hero.y) and hero_light(world) > 1)
    found = sorted((_steps(p, at), p.id) for p in world.present() if _sees(p, at, field, lit, "shadow" in hero.effects))
    return [id for _, id in found]


def _sees(person: Person, at: tuple[int, int], field: Mask, lit: bool, shadow: bool) -> bool:
    if person.asleep or person.down or place_at(person.x, person.y) != place_at(*at):
        return False
    steps = _steps(person, at)
    if not field[person.y, person.x] or steps > EYES:
        return False
    if shadow:
        return steps <= 1
    return lit or steps <= SIGHT_BY_NIGHT


def _steps(person: Person, at: tuple[int, int]) -> int:
    return max(abs(person.x - at[0]), abs(person.y - at[1]))
