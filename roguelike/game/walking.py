"""Walking, waiting, doors and stairs."""

from __future__ import annotations

from roguelike.commands import Ascend, Close, Descend, Meet, Move, Push
from roguelike.dungeon.generate import LEVELS
from roguelike.dungeon.tiles import LOCKED, SHUT, TILES
from roguelike.game.combat import strike
from roguelike.game.deeds import record
from roguelike.game.inventory import carry
from roguelike.game.sight import witnesses
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.happenings import ActorAt, LevelChanged, Met
from roguelike.plot.endings import leave
from roguelike.state import Person
from roguelike.town.cellar import THIRD_CASK
from roguelike.town.plan import DOORS, area_at
from roguelike.town.schedule import FOLK

__all__ = ["ascend", "close", "descend", "meet", "move", "push", "step_to"]

DOWN: dict[tuple[str, int, int], str] = {("town", 3, 6): "cellar", ("town", 67, 17): "crypt-1"}
UP: dict[str, tuple[str, int, int]] = {"cellar": ("town", 3, 6), "crypt-1": ("town", 67, 17)}
KEEP = DOORS[79, 13]
REACH = 2
"""Steps within which one can turn to somebody: a counter may lie between."""

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
        return _face(world, person.id)
    monster = world.monster_at(x, y)
    if monster is not None:
        strike(world, monster)
        return True
    letter = world.tile(x, y)
    if letter == SHUT:
        world.set_tile(hero.where, x, y, "/")
        world.noise = 5
        return True
    if letter == LOCKED:
        return _locked(world, x, y)
    if letter == "B":
        return _board(world)
    if letter == "c" and hero.where == "cellar":
        return _rock_cask(world, x, y)
    if not TILES[letter].walk:
        world.say(f"You cannot go there: {TILES[letter].name}.", "dim")
        return False
    step_to(world, x, y)
    return True


def _board(world: World) -> bool:
    """Into the ferry boat, and away, if the fare is paid."""
    if world.flag("boat-ready") < world.state.minute:
        world.say("Jory's boat. He would want two coppers first. Ask him about the ferry.", "dim")
        return False
    leave(world)
    return True


def _locked(world: World, x: int, y: int) -> bool:
    """A locked door: somebody with a hairpin may get it open, and be heard."""
    door = DOORS.get((x, y)) if world.in_town else None
    name = door.name if door else "the door"
    pick = world.holds("lockpick")
    if pick is None or door in (None, KEEP):
        world.say(f"{name[0].upper()}{name[1:]} is locked.", "bad")
        return False
    world.noise = 7
    if world.state.dice.chance(35):
        world.set_tile("town", x, y, "/")
        world.say(f"The hairpin turns. {name[0].upper()}{name[1:]} is open.", "good")
        seen = witnesses(world)
        record(world, "burglary", "", f"{world.state.hero.name} picked the lock of {name}", seen)
    elif world.state.dice.chance(12):
        world.state.hero.pack.remove(pick)
        world.say("The hairpin snaps.", "bad")
    else:
        world.say("The hairpin scratches about in the lock.", "dim")
    return True


def _rock_cask(world: World, x: int, y: int) -> bool:
    """The casks of the cellar are ale, except for what lies under the third."""
    if (x, y) != THIRD_CASK or world.flag("letter-found"):
        world.say("You rock the cask. Ale, by the sound of it.", "dim")
        return True
    world.state.plot.flags["letter-found"] = 1
    world.say("You rock the third cask. Something dry slides under it: a letter, with the king's seal.", "quest")
    carry(world, world.new_item("kings-letter"))
    return True


def _a_step(dx: int, dy: int) -> bool:
    return abs(dx) <= 1 and abs(dy) <= 1 and (dx, dy) != (0, 0)


def _over_the_counter(world: World, command: Move) -> Person | None:
    """Who stands behind the stall or table one walks into."""
    hero = world.state.hero
    if world.tile(hero.x + command.dx, hero.y + command.dy) not in "nt":
        return None
    return world.person_at(hero.x + 2 * command.dx, hero.y + 2 * command.dy)


def meet(world: World, command: Meet) -> bool:
    """Turning to somebody close by is as good as walking into her."""
    person, hero = world.state.people.get(command.npc), world.state.hero
    there = person is not None and not person.gone and world.in_town
    if person is None or not there or max(abs(person.x - hero.x), abs(person.y - hero.y)) > REACH:
        world.say("Nobody is beside you. Walk up to somebody.", "dim")
        return False
    return _face(world, command.npc)


def _face(world: World, npc: str) -> bool:
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
    world.noise = max(world.noise, 4)
    _underfoot(world)
    if world.place != before:
        world.emit(ActorAt(hero.id, place=world.place))
        if world.in_town:
            world.say(f"You come to {area_at(x, y)}.", "dim")


def _underfoot(world: World) -> None:
    """Name what lies there."""
    hero = world.state.hero
    lying = world.items_at(hero.x, hero.y)
    if lying:
        names = ", ".join(KINDS[item.kind].name for item in lying[:4])
        owner = f" ({FOLK[lying[0].owner].name}'s)" if lying[0].owner else ""
        world.say(f"Here: {names}{owner}.")
    if world.tile(hero.x, hero.y) == "w":
        world.noise = 7


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
    followers = [m for m in world.level.monsters if m.awake == 1 and max(abs(m.x - hero.x), abs(m.y - hero.y)) <= 1]
    world.noise = 4
    old, hero.where = world.level, level
    taken = world.person_at(*at) or world.monster_at(*at)
    hero.x, hero.y = (world.free_beside(*at) or at) if taken else at
    if level != "town":
        for monster in followers:
            free = world.free_beside(*at)
            if free is not None and not monster.hidden:
                old.monsters.remove(monster)
                monster.x, monster.y = free
                world.level.monsters.append(monster)
                world.say("Something comes after you on the stairs.", "danger")
    world.emit(LevelChanged(level, LEVELS[level]))
    name = LEVELS[level]
    world.say(f"{name[0].upper()}{name[1:]}.", "quest")
