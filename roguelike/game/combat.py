"""Blows, wounds and deaths. A blow hits in 70 of 100 cases, five more for each point of skill, eight fewer for each of
guard, never more than 95 nor fewer than 10; it does 1 to its attack, less the guard, at least 1.
"""

from __future__ import annotations

from roguelike.dungeon.bestiary import BESTIARY
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.happenings import Died
from roguelike.state import Item, Monster

__all__ = ["chance_to_hit", "gain", "hero_attack", "hero_guard", "hero_skill", "hurt_hero", "hurt_monster", "strike"]

FISTS = 2
SNEAK = 3
"""Times the damage of a blow at somebody who has not noticed."""

STEPS = (0, 8, 22, 45, 75, 110, 160, 220)
"""Experience each level needs."""


def worn(world: World, slot: str) -> Item | None:
    """What the hero has on in that slot."""
    return next((item for item in world.state.hero.pack if item.on and KINDS[item.kind].slot == slot), None)


def hero_attack(world: World) -> int:
    """The most damage a blow of the hero's does."""
    weapon = worn(world, "weapon")
    base = KINDS[weapon.kind].attack + weapon.edge if weapon else FISTS
    return base + world.state.hero.level // 2 + (3 if "strong" in world.state.hero.effects else 0)


def hero_guard(world: World) -> int:
    """What the hero's armour takes off a blow."""
    on = [KINDS[item.kind].guard for item in world.state.hero.pack if item.on]
    return sum(on) + (1 if "blessed" in world.state.hero.effects else 0)


def hero_skill(world: World) -> int:
    return world.state.hero.level + (1 if "blessed" in world.state.hero.effects else 0)


def chance_to_hit(skill: int, guard: int) -> int:
    """In a hundred blows."""
    return max(10, min(95, 70 + 5 * skill - 8 * guard))


def strike(world: World, monster: Monster) -> None:
    """The hero's blow at a monster."""
    dice, beast = world.state.dice, BESTIARY[monster.kind]
    unaware = monster.awake == 0
    world.noise = 9
    if not unaware and not dice.chance(chance_to_hit(hero_skill(world), beast.guard)):
        world.say(f"You miss {beast.name.replace('a ', 'the ', 1)}.", "dim")
        monster.awake = 1
        return
    damage = dice.between(1, hero_attack(world)) * (SNEAK if unaware else 1) - beast.guard
    weapon = worn(world, "weapon")
    if "bones" in beast.ways:
        damage = damage * 2 if weapon and weapon.kind in ("mace", "club") else (damage + 1) // 2
    hurt_monster(world, monster, max(1, damage), "You strike from the dark:" if unaware else "You hit")


def the(name: str) -> str:
    """A monster's name with the definite article."""
    head, _, rest = name.partition(" ")
    return f"the {rest}" if head in ("a", "an") else name


def hurt_monster(world: World, monster: Monster, damage: int, how: str) -> None:
    """Wound a monster; it may die, split or flee of it."""
    beast = BESTIARY[monster.kind]
    monster.hp -= damage
    monster.awake, monster.hidden = monster.awake or 1, False
    if monster.hp <= 0:
        world.level.monsters.remove(monster)
        world.say(f"{how} {the(beast.name)}. It is done for.", "good")
        gain(world, beast.worth)
        _remains(world, monster)
        return
    world.say(f"{how} {the(beast.name)} ({damage}).")
    if "splits" in beast.ways and monster.hp >= 4:
        _split(world, monster)
    if "flees" in beast.ways and monster.hp * 3 <= beast.hp:
        monster.awake = 2


def _split(world: World, monster: Monster) -> None:
    """Half of it goes its own way, if there is room."""
    free = world.free_beside(monster.x, monster.y)
    if free is None:
        return
    world.state.serial += 1
    half = monster.hp // 2
    monster.hp -= half
    world.level.monsters.append(Monster(f"{monster.kind}-{world.state.serial}", monster.kind, *free, half, 1))
    world.say("It comes apart, and both parts come on.", "danger")


def _remains(world: World, monster: Monster) -> None:
    """What a monster leaves: smugglers have purses, chests with teeth have swallowed things."""
    dice, hero = world.state.dice, world.state.hero
    if monster.kind == "smuggler":
        found = dice.between(4, 15)
        hero.coppers += found
        world.say(f"A purse: {found} coppers.", "good")
    elif monster.kind == "mimic":
        kind = dice.pick(("red-draught", "quickwater", "mail", "sword"))
        world.lay(world.new_item(kind), monster.x, monster.y)


def gain(world: World, experience: int) -> None:
    """Learn from it; perhaps rise a level."""
    hero = world.state.hero
    hero.experience += experience
    while hero.level < len(STEPS) and hero.experience >= STEPS[hero.level]:
        hero.level += 1
        hero.max_hp += 6
        hero.hp = min(hero.max_hp, hero.hp + 12)
        world.say(f"You have learned something about staying alive (level {hero.level}).", "good")


def hurt_hero(world: World, damage: int, cause: str) -> None:
    """Wound the hero; he may die of it. ``cause``: what to carve on the stone."""
    hero = world.state.hero
    hero.hp = max(0, hero.hp - damage)
    if hero.hp == 0 and not world.state.dead:
        world.state.dead = True
        for item in hero.pack:
            item.on = False
            world.lay(item, hero.x, hero.y)
        hero.pack = []
        world.state.graves.append(f"{hero.name}: {cause}")
        world.say(f"You die. {cause[0].upper()}{cause[1:]} killed you.", "danger")
        world.emit(Died(hero.id, cause))
    elif damage and hero.hp * 4 <= hero.max_hp:
        world.say("You are badly hurt.", "danger")
