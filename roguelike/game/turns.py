"""The world's turn after the hero's: his body, the town, the deep, the hour."""

from __future__ import annotations

from roguelike.game.combat import hurt_hero
from roguelike.game.crime import fine
from roguelike.game.deeds import record
from roguelike.game.hours import curfew_seen, skip_to, strike_hour
from roguelike.game.monsters import deep_turn
from roguelike.game.people import town_turn
from roguelike.game.sight import in_view, witnesses
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.town.plan import SPOTS

__all__ = ["sleep", "turn"]

HEALS_EVERY = 6
"""Turns to get one hit point back."""

DOZE = 60
"""Turns one sleeps outside a bed, at most."""

MORNING = 7 * 60


def turn(world: World) -> None:
    """One minute passes."""
    state = world.state
    state.turn += 1
    state.minute += 1
    _body(world)
    if not state.dead:
        deep_turn(world)
    town_turn(world)
    strike_hour(world)
    guard = curfew_seen(world)
    if guard is not None:
        record(world, "curfew", "", f"{state.hero.name} was on the street after dark", [guard])
        fine(world, guard, "walking after dark")


def _body(world: World) -> None:
    """Wounds close, poison works, lights burn down, effects wear off."""
    hero = world.state.hero
    if "poison" in hero.effects:
        hurt_hero(world, 1, "poison")
    elif world.state.turn % HEALS_EVERY == 0:
        hero.hp = min(hero.max_hp, hero.hp + 1)
    for name in sorted(hero.effects):
        hero.effects[name] -= 1
        if hero.effects[name] <= 0:
            del hero.effects[name]
            world.say(f"That wears off: {name}.", "dim")
    for item in list(hero.pack):
        if item.on and item.left:
            item.left -= 1
            if item.left == 0:
                _burnt_down(world, item.id)


def _burnt_down(world: World, id: str) -> None:
    """A torch is gone; a lantern wants oil."""
    item = world.carried(id)
    if item is None:
        return
    item.on = False
    world.say(f"{KINDS[item.kind].name.capitalize()} goes out.", "danger")
    if item.kind == "torch":
        world.state.hero.pack.remove(item)


def sleep(world: World) -> None:
    """In a bed that is his: until morning. Elsewhere: an hour, unless something comes."""
    hero = world.state.hero
    if world.in_town and (hero.x, hero.y) == SPOTS["guest-bed"] and world.flag("room") > world.state.minute:
        skip_to(world, MORNING)
        hero.hp = hero.max_hp
        world.state.plot.flags["room"] = 0
        world.say("You sleep under a roof, and wake to the smell of bread.", "good")
        turn(world)
        return
    world.say("You doze.", "dim")
    before = hero.hp
    for _ in range(DOZE):
        turn(world)
        if world.state.dead or hero.hp < before or _company(world):
            world.say("You start up.", "danger")
            return
        before = hero.hp
    world.say("You wake, stiff.", "dim")


def _company(world: World) -> bool:
    """Whether something awake is in sight, or a guard has an eye on the sleeper."""
    sight = in_view(world)
    if world.in_town:
        return world.curfew and any(npc.startswith("guard") for npc in witnesses(world))
    return any(m.awake and sight[m.y, m.x] for m in world.level.monsters)
