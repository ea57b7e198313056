"""The deep's turn: who wakes, who hunts, who runs, who throws."""

from __future__ import annotations

from functools import cached_property

from roguelike.dungeon.bestiary import BESTIARY, Beast
from roguelike.dungeon.ground import Mask, Steps
from roguelike.dungeon.tiles import SHUT
from roguelike.game.combat import chance_to_hit, hero_guard, hurt_hero, the
from roguelike.game.sight import hero_light
from roguelike.game.world import NEIGHBOURS, World
from roguelike.state import Monster

__all__ = ["deep_turn"]

FAR = 1 << 20
HOWL = 22
"""Steps a howl carries."""


class Hunt:
    """What all monsters need to know in one turn, found once."""

    def __init__(self, world: World) -> None:
        hero = world.state.hero
        self.field: Mask = world.ground().view(hero.x, hero.y)
        self._ground, self._at = world.ground(), (hero.x, hero.y)
        self.reach = 8 + hero_light(world)
        if "shadow" in hero.effects:
            self.reach = 1

    @cached_property
    def through(self) -> Steps:
        """Steps to the hero for who opens doors."""
        return self._ground.distances(*self._at)

    @cached_property
    def round_doors(self) -> Steps:
        """Steps to the hero for who does not."""
        return self._ground.distances(*self._at, doors=False)

    def steps(self, beast: Beast, x: int, y: int) -> int:
        """Steps of way to the hero for such a beast."""
        return int((self.through if "doors" in beast.ways else self.round_doors)[y, x])

    def sees(self, world: World, monster: Monster) -> bool:
        return bool(self.field[monster.y, monster.x]) and _apart(world, monster) <= self.reach


def _apart(world: World, monster: Monster) -> int:
    hero = world.state.hero
    return max(abs(monster.x - hero.x), abs(monster.y - hero.y))


def deep_turn(world: World) -> None:
    """A turn of everything that lives on the hero's level."""
    if world.in_town or not world.level.monsters:
        return
    hunt = Hunt(world)
    share = 2 if "quick" in world.state.hero.effects else 1
    for monster in list(world.level.monsters):
        monster.energy += BESTIARY[monster.kind].speed // share
        if _held(monster):
            monster.energy = 0
        while monster.energy >= 100 and not world.state.dead and monster in world.level.monsters:
            monster.energy -= 100
            _act(world, hunt, monster)


def _held(monster: Monster) -> bool:
    """Whether sleep dust still holds it; a turn less from now on."""
    left = monster.effects.get("asleep", 0)
    if left > 1:
        monster.effects["asleep"] = left - 1
    else:
        monster.effects.pop("asleep", None)
    return left > 0


def _act(world: World, hunt: Hunt, monster: Monster) -> None:
    beast = BESTIARY[monster.kind]
    sees = hunt.sees(world, monster)
    if monster.hidden:
        if "lurks" in beast.ways and sees and _apart(world, monster) == 1:
            monster.hidden, monster.awake = False, 1
            world.say(f"{the(beast.name).capitalize()} drops on you!", "danger")
            _blow(world, monster, beast)
        return
    if monster.awake == 0:
        _listen(world, hunt, monster, beast, sees)
        return
    if sees:
        monster.seen_x, monster.seen_y = world.state.hero.x, world.state.hero.y
    if monster.awake == 2:
        _flee(world, hunt, monster, beast, sees)
    elif "erratic" in beast.ways and world.state.dice.chance(50):
        _wander(world, monster, beast)
    elif _apart(world, monster) == 1:
        _blow(world, monster, beast)
    elif "throws" in beast.ways and sees and _apart(world, monster) <= 6 and world.state.dice.chance(45):
        _throw(world, beast)
    else:
        _hunt(world, hunt, monster, beast, sees)


def _listen(world: World, hunt: Hunt, monster: Monster, beast: Beast, sees: bool) -> None:
    """A sleeper may hear the hero, or be woken by his light."""
    heard = hunt.steps(beast, monster.x, monster.y) <= beast.ears * world.noise // 4
    if (heard and world.state.dice.chance(30)) or (sees and world.state.dice.chance(20)):
        monster.awake = 1
        if "howls" in beast.ways:
            _howl(world, hunt, beast)


def _howl(world: World, hunt: Hunt, beast: Beast) -> None:
    world.say("A hound gives tongue. Everything on this level has heard it.", "danger")
    for other in world.level.monsters:
        if not other.hidden and int(hunt.through[other.y, other.x]) <= HOWL:
            other.awake = other.awake or 1
            other.seen_x, other.seen_y = world.state.hero.x, world.state.hero.y


def _hunt(world: World, hunt: Hunt, monster: Monster, beast: Beast, sees: bool) -> None:
    """A step towards the hero, or towards where he was last seen or heard."""
    if "phases" in beast.ways and (sees or world.state.dice.chance(60)):
        _drift(world, monster)
        return
    heard = hunt.steps(beast, monster.x, monster.y) <= beast.ears * world.noise // 3
    if sees or heard:
        _step(world, hunt, monster, beast, nearer=True)
    elif (monster.seen_x, monster.seen_y) in ((-1, -1), (monster.x, monster.y)):
        if world.state.dice.chance(8):
            monster.awake = 0
        else:
            _wander(world, monster, beast)
    else:
        doors = "doors" in beast.ways
        way = world.ground().way((monster.x, monster.y), (monster.seen_x, monster.seen_y), doors=doors)
        if not way or not _go(world, monster, beast, *way[0]):
            monster.seen_x = monster.seen_y = -1


def _step(world: World, hunt: Hunt, monster: Monster, beast: Beast, *, nearer: bool) -> bool:
    """The best step towards the hero or away from him; ties in the order of the compass."""
    here = hunt.steps(beast, monster.x, monster.y)
    found = []
    for order, (dx, dy) in enumerate(NEIGHBOURS):
        x, y = monster.x + dx, monster.y + dy
        steps = hunt.steps(beast, x, y) if 0 <= x < 80 and 0 <= y < 20 else FAR
        if steps < FAR and (steps <= here if nearer else steps >= here):
            found.append((steps if nearer else -steps, order, x, y))
    return any(_go(world, monster, beast, x, y) for _, _, x, y in sorted(found))


def _flee(world: World, hunt: Hunt, monster: Monster, beast: Beast, sees: bool) -> None:
    """Away; cornered, it fights; out of sight, it takes heart again."""
    if not sees and world.state.dice.chance(25):
        monster.awake = 1
        monster.hp = min(beast.hp, monster.hp + 2)
    elif not _step(world, hunt, monster, beast, nearer=False) and _apart(world, monster) == 1:
        _blow(world, monster, beast)


def _wander(world: World, monster: Monster, beast: Beast) -> None:
    dx, dy = world.state.dice.pick(NEIGHBOURS)
    _go(world, monster, beast, monster.x + dx, monster.y + dy)


def _drift(world: World, monster: Monster) -> None:
    """Straight at the hero, through whatever is between."""
    hero = world.state.hero
    dx = (hero.x > monster.x) - (hero.x < monster.x)
    dy = (hero.y > monster.y) - (hero.y < monster.y)
    at = (monster.x + dx, monster.y + dy)
    if at != (hero.x, hero.y) and world.monster_at(*at) is None:
        monster.x, monster.y = at


def _go(world: World, monster: Monster, beast: Beast, x: int, y: int) -> bool:
    """Step there, if it can; opens a door instead, if it knows how."""
    hero = world.state.hero
    if (x, y) == (hero.x, hero.y) or world.monster_at(x, y) is not None or not world.ground().walk[y, x]:
        return False
    if world.tile(x, y) == SHUT:
        if "doors" not in beast.ways:
            return False
        world.set_tile(hero.where, x, y, "/")
        return True
    monster.x, monster.y = x, y
    return True


def _throw(world: World, beast: Beast) -> None:
    if world.state.dice.chance(chance_to_hit(beast.skill - 3, hero_guard(world))):
        damage = max(1, world.state.dice.between(1, 4) - hero_guard(world))
        world.say(f"{the(beast.name).capitalize()} throws a knife. It finds you ({damage}).", "bad")
        hurt_hero(world, damage, f"a knife thrown by {beast.name}")
    else:
        world.say("A knife hums past your ear.", "dim")


def _blow(world: World, monster: Monster, beast: Beast) -> None:
    """A monster's blow at the hero, and what comes with it."""
    dice, hero = world.state.dice, world.state.hero
    if not dice.chance(chance_to_hit(beast.skill, hero_guard(world))):
        world.say(f"{the(beast.name).capitalize()} misses you.", "dim")
        return
    damage = max(1, dice.between(1, beast.attack) - hero_guard(world))
    world.say(f"{the(beast.name).capitalize()} hits you ({damage}).", "bad")
    hurt_hero(world, damage, beast.name)
    if world.state.dead:
        return
    if "numbs" in beast.ways and dice.chance(20):
        hero.effects["numb"] = 2
        world.say("Your limbs go cold and slow.", "danger")
    if "poisons" in beast.ways and dice.chance(35):
        hero.effects["poison"] = max(hero.effects.get("poison", 0), 6)
        world.say("Something burns in the wound.", "danger")
    if "drains" in beast.ways and dice.chance(30) and hero.max_hp > 12:
        hero.max_hp -= 1
        hero.hp = min(hero.hp, hero.max_hp)
        world.say("A year of your life goes out like a candle.", "danger")
    if "snuffs" in beast.ways:
        for item in hero.pack:
            if item.on and item.left:
                item.on = False
                world.say("Your light goes out.", "danger")
