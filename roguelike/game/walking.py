"""Walking, waiting, doors and stairs."""

from __future__ import annotations

from roguelike.commands import Ascend, Close, Descend, Move, Push
from roguelike.dungeon.generate import LEVELS
from roguelike.dungeon.tiles import LOCKED, SHUT, TILES
from roguelike.game.state import Person
from roguelike.game.world import World
from roguelike.happenings import ActorAt, LevelChanged, Met
from roguelike.town.plan import DOORS, area_at

__all__ = ["ascend", "close", "descend", "move", "push", "step_to"]

DOWN: dict[tuple[str, int, int], str] = {("town", 3, 6): "cellar", ("town", 67, 17): "crypt-1"}
UP: dict[str, tuple[str, int, int]] = {"cellar": ("town", 3, 6), "crypt-1": ("town", 67, 17)}
DEEPER = {"crypt-1": "crypt-2", "crypt-2": "crypt-3"}
HIGHER = {deeper: level for level, deeper in DEEPER.items()}


def move(world: World, command: Move) -> bool:
    """One step, or what stands in its way. True when it took time."""
    hero = world.state.hero
    x, y = hero.x + command.dx, hero.y + command.dy
    if not _a_step(command.dx, command.dy):
        world.say("That is no direction.", "dim")
        return False
    person = world.person_at(x, y) or _over_the_counter(world, command)
    if person is not None:
        return _meet(world, person.id)
    letter = world.tile(x, y)
    if letter == SHUT:
        world.set_tile(hero.where, x, y, "/")
        return True
    if letter == LOCKED:
        name = DOORS[x, y].name if world.in_town and (x, y) in DOORS else "the door"
        world.say(f"{name[0].upper()}{name[1:]} is locked.", "bad")
        return False
    if not TILES[letter].walk:
        world.say(f"You cannot go there: {TILES[letter].name}.", "dim")
        return False
    step_to(world, x, y)
    return True


def _a_step(dx: int, dy: int) -> bool:
    return abs(dx) <= 1 and abs(dy) <= 1 and (dx, dy) != (0, 0)


def _over_the_counter(world: World, command: Move) -> Person | None:
    """Who stands behind the stall or table one walks into."""
    hero = world.state.hero
    if world.tile(hero.x + command.dx, hero.y + command.dy) not in "nt":
        return None
    return world.person_at(hero.x + 2 * command.dx, hero.y + 2 * command.dy)


def _meet(world: World, npc: str) -> bool:
    """Walking into somebody peaceful begins a talk and takes no time."""
    person = world.state.people[npc]
    if person.down:
        world.say("There is no talking to somebody who lies on the floor.", "dim")
        return False
    if person.asleep:
        world.say("You clear your throat. Somebody wakes and is not glad of it.", "dim")
        person.asleep = False
    world.state.hero.talking = npc
    world.emit(Met(npc))
    return False


def step_to(world: World, x: int, y: int) -> None:
    """Stand on (x, y) and notice what lies there."""
    hero = world.state.hero
    before = world.place
    hero.x, hero.y = x, y
    if world.place != before:
        world.emit(ActorAt(hero.id, place=world.place))
        if world.in_town:
            world.say(f"You come to {area_at(x, y)}.", "dim")


def push(world: World, command: Push) -> bool:
    """Change places with somebody who stands in the way."""
    hero = world.state.hero
    person = world.person_at(hero.x + command.dx, hero.y + command.dy)
    if person is None or not _a_step(command.dx, command.dy):
        world.say("There is nobody to squeeze past.", "dim")
        return False
    x, y = person.x, person.y
    person.x, person.y = hero.x, hero.y
    step_to(world, x, y)
    return True


def close(world: World, command: Close) -> bool:
    """Shut a door nobody stands in."""
    hero = world.state.hero
    x, y = hero.x + command.dx, hero.y + command.dy
    if not _a_step(command.dx, command.dy) or world.tile(x, y) != "/":
        world.say("There is no open door.", "dim")
        return False
    if world.person_at(x, y) or world.monster_at(x, y) or world.items_at(x, y):
        world.say("Something is in the way of the door.", "dim")
        return False
    world.set_tile(hero.where, x, y, SHUT)
    return True


def descend(world: World, command: Descend) -> bool:
    """Down the stairs one stands on."""
    hero = world.state.hero
    below = DOWN.get((hero.where, hero.x, hero.y))
    if below is None and (hero.x, hero.y) == world.level.down:
        below = DEEPER.get(hero.where)
    if below is None:
        world.say("There are no stairs down here.", "dim")
        return False
    arrive(world, below, world.enter(below).up)
    return True


def ascend(world: World, command: Ascend) -> bool:
    """Up the stairs one stands on."""
    hero = world.state.hero
    if world.in_town or (hero.x, hero.y) != world.level.up:
        world.say("There are no stairs up here.", "dim")
        return False
    if hero.where in UP:
        level, x, y = UP[hero.where]
        arrive(world, level, (x, y))
    else:
        above = HIGHER[hero.where]
        arrive(world, above, world.enter(above).down)
    return True


def arrive(world: World, level: str, at: tuple[int, int]) -> None:
    """Be at ``at`` on another map."""
    hero = world.state.hero
    hero.where = level
    hero.x, hero.y = at
    world.emit(LevelChanged(level, LEVELS[level]))
    world.say(f"{LEVELS[level]}.", "quest")
