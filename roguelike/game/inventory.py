"""What the hero carries: taking, dropping, wearing, using and throwing it."""

from __future__ import annotations

from roguelike.commands import Drop, Equip, PickUp, Throw, Use
from roguelike.dungeon.bestiary import BESTIARY
from roguelike.game.combat import chance_to_hit, hero_skill, hurt_monster, the
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.state import Item
from roguelike.town.schedule import FOLK

__all__ = ["ROOM", "drop", "equip", "pick_up", "throw", "use"]

ROOM = 20
"""Things a hero can carry."""

THROW_REACH = 8


def pick_up(world: World, command: PickUp) -> bool:
    """Take what lies underfoot, if it is nobody's and there is room."""
    hero = world.state.hero
    lying = world.items_at(hero.x, hero.y)
    free = [item for item in lying if not item.owner]
    if not lying:
        world.say("There is nothing here to take.", "dim")
        return False
    if not free:
        world.say(f"That belongs to {FOLK[lying[0].owner].name}. You would have to steal it.", "bad")
        return False
    if len(hero.pack) >= ROOM:
        world.say("You can carry no more.", "bad")
        return False
    item = free[0]
    world.level.items.remove(item)
    carry(world, item)
    world.say(f"You take {KINDS[item.kind].name}.")
    return True


def carry(world: World, item: Item) -> None:
    """Into the pack."""
    item.x = item.y = -1
    item.owner = ""
    world.state.hero.pack.append(item)
    if KINDS[item.kind].evidence and world.learn(f"has-{item.kind}", ""):
        world.say("This is worth showing to somebody. (It is in your journal.)", "quest")


def drop(world: World, command: Drop) -> bool:
    """Lay it down."""
    item = _mine(world, command.item)
    if item is None:
        return False
    item.on = False
    world.state.hero.pack.remove(item)
    world.lay(item, world.state.hero.x, world.state.hero.y)
    world.say(f"You put down {KINDS[item.kind].name}.")
    return True


def _mine(world: World, id: str) -> Item | None:
    item = world.carried(id)
    if item is None:
        world.say("You have no such thing.", "dim")
    return item


def equip(world: World, command: Equip) -> bool:
    """Wield it, wear it, light it; or take it off again."""
    item = _mine(world, command.item)
    if item is None:
        return False
    kind = KINDS[item.kind]
    if not kind.slot:
        world.say(f"You cannot wear or wield {kind.name}.", "dim")
        return False
    if kind.slot == "light" and not item.left and not item.on:
        world.say(f"{kind.name.capitalize()} has nothing left to burn.", "bad")
        return False
    turned_on = not item.on
    for other in world.state.hero.pack:
        if other.on and KINDS[other.kind].slot == kind.slot:
            other.on = False
    item.on = turned_on
    verb = {"light": ("light", "put out"), "weapon": ("wield", "sheathe")}.get(kind.slot, ("put on", "take off"))
    world.say(f"You {verb[0] if turned_on else verb[1]} {kind.name}.")
    return True


def use(world: World, command: Use) -> bool:
    """Eat, drink, read … it."""
    item = _mine(world, command.item)
    if item is None:
        return False
    kind = KINDS[item.kind]
    if kind.slot:
        return equip(world, Equip(item.id))
    if kind.verb in ("read", "look at"):
        world.say(kind.about, "quest")
        return True
    if kind.verb == "pour":
        return _pour(world, item)
    if not kind.heal and not kind.effect:
        world.say(f"You turn {kind.name} over in your hands. {kind.about}", "dim")
        return False
    _swallow(world, item)
    return True


def _swallow(world: World, item: Item) -> None:
    hero, kind = world.state.hero, KINDS[item.kind]
    hero.pack.remove(item)
    world.say(f"You {kind.verb} {kind.name}.")
    if kind.heal:
        before, hero.hp = hero.hp, min(hero.max_hp, hero.hp + kind.heal)
        hero.effects.pop("poison", None)
        world.say(f"That does you good ({hero.hp - before})." if hero.hp > before else "It was good.", "good")
    if kind.effect:
        hero.effects[kind.effect] = kind.lasts
        world.say(f"You feel it at once: {kind.effect}.", "good")


def _pour(world: World, item: Item) -> bool:
    lantern = world.holds("lantern")
    if lantern is None:
        world.say("There is no lantern to fill. One could throw it, though.", "dim")
        return False
    world.state.hero.pack.remove(item)
    lantern.left = KINDS["lantern"].burns
    world.say("You fill the lantern.")
    return True


def throw(world: World, command: Throw) -> bool:
    """Throw something at a place in the line of sight, lit or not: a knife at a monster, oil or dust around it."""
    item = _mine(world, command.item)
    if item is None:
        return False
    hero, at = world.state.hero, (command.x, command.y)
    inside = 0 <= at[0] < 80 and 0 <= at[1] < 20
    apart = max(abs(at[0] - hero.x), abs(at[1] - hero.y))
    if (
        not inside
        or not 0 < apart <= THROW_REACH
        or not (world.ground().view(hero.x, hero.y) & world.ground().walk)[at[1], at[0]]
    ):
        world.say("You cannot throw it there.", "dim")
        return False
    if world.in_town:
        world.say("Not among people.", "bad")
        return False
    hero.pack.remove(item)
    item.on = False
    world.noise = 6
    if item.kind == "lamp-oil":
        _fire(world, *at)
    elif item.kind == "sleep-dust":
        _dust(world, *at)
    else:
        _hurl(world, item, *at)
    return True


def _fire(world: World, x: int, y: int) -> None:
    world.say("The flask bursts, and the oil goes up with a roar.", "danger")
    world.noise = 12
    for monster in [m for m in world.level.monsters if max(abs(m.x - x), abs(m.y - y)) <= 1]:
        hurt_monster(world, monster, world.state.dice.between(4, KINDS["lamp-oil"].thrown), "Fire takes")


def _dust(world: World, x: int, y: int) -> None:
    world.say("A grey cloud, a sigh, and then it is quiet.", "good")
    for monster in world.level.monsters:
        if max(abs(monster.x - x), abs(monster.y - y)) <= 1 and "bones" not in BESTIARY[monster.kind].ways:
            monster.effects["asleep"] = 10
            monster.awake = 0


def _hurl(world: World, item: Item, x: int, y: int) -> None:
    monster = world.monster_at(x, y)
    world.lay(item, x, y)
    if monster is None:
        return
    beast, kind = BESTIARY[monster.kind], KINDS[item.kind]
    if world.state.dice.chance(chance_to_hit(hero_skill(world), beast.guard)):
        damage = max(1, world.state.dice.between(1, kind.thrown) + world.state.hero.level // 2 - beast.guard)
        hurt_monster(world, monster, damage, f"{kind.name.capitalize()} hits")
    else:
        monster.awake = monster.awake or 1
        world.say(f"You miss {the(beast.name)}.", "dim")
