"""The picture of a game: what the hero sees and remembers, never more."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from roguelike.dungeon.bestiary import BESTIARY
from roguelike.dungeon.generate import LEVELS
from roguelike.dungeon.ground import Mask
from roguelike.dungeon.tiles import HEIGHT, TILES, WIDTH
from roguelike.game.combat import hero_attack, hero_guard
from roguelike.game.sight import in_view
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.happenings import Message, Tone
from roguelike.state import Item, Monster, Person
from roguelike.town.plan import DOORS, area_at
from roguelike.town.schedule import FOLK
from roguelike.view import Bars, Carried, Cell, Figure, View

__all__ = ["described", "picture", "time_text"]

DIM = "#45423b"
UNSEEN = Cell(" ", "#000000", "unseen")
LIT = {letter: Cell(tile.glyph, tile.colour, "lit") for letter, tile in TILES.items()}
SEEN = {letter: Cell(tile.glyph, DIM, "seen") for letter, tile in TILES.items()}
LOG_SHOWN = 12
PARTS = ((300, "night"), (720, "morning"), (1080, "afternoon"), (1320, "evening"), (1440, "night"))


def picture(world: World) -> View:
    """The game as the hero sees it now."""
    state, hero = world.state, world.state.hero
    sight = in_view(world)
    return View(
        width=WIDTH,
        height=HEIGHT,
        tiles=_tiles(world, sight),
        figures=_figures(world, sight),
        hero=_bars(world),
        x=hero.x,
        y=hero.y,
        pack=_pack(world),
        level=hero.where,
        level_name=world.area(hero.x, hero.y) or LEVELS[hero.where],
        place=world.place,
        time_text=time_text(state.minute),
        game_time=state.minute,
        turn=state.turn,
        log=tuple(Message(line.text, cast(Tone, line.kind)) for line in state.log[-LOG_SHOWN:]),
        over="dead" if state.dead else state.plot.ending or None,
    )


def time_text(minute: int) -> str:
    """The hour and the part of the day."""
    of_day = minute % 1440
    part = next(name for ends, name in PARTS if of_day < ends)
    return f"{of_day // 60:02}:{of_day % 60:02}, {part}"


def _tiles(world: World, sight: Mask) -> tuple[tuple[Cell, ...], ...]:
    level = world.level
    return tuple(_row(row, level.seen[y], sight[y].tobytes()) for y, row in enumerate(level.rows))


@lru_cache(maxsize=2048)
def _row(letters: str, seen: str, sight: bytes) -> tuple[Cell, ...]:
    """A row of the map. Most rows look as they did a turn ago."""
    bits = int(seen, 16)
    return tuple(
        LIT[letter] if lit else SEEN[letter] if bits >> (WIDTH - 1 - x) & 1 else UNSEEN
        for x, (letter, lit) in enumerate(zip(letters, sight, strict=True))
    )


def _figures(world: World, sight: Mask) -> tuple[Figure, ...]:
    """What can be seen: things first, then who stands on them, the hero last."""
    hero = world.state.hero
    out = [_thing(item) for item in world.level.items if sight[item.y, item.x]]
    out += [_beast(world, m) for m in world.level.monsters if sight[m.y, m.x] and _shows(m)]
    people = world.present() if world.in_town else []
    out += [
        Figure(p.id, FOLK[p.id].name, FOLK[p.id].glyph, FOLK[p.id].colour, p.x, p.y, "person", _note(p))
        for p in people
        if sight[p.y, p.x]
    ]
    out.append(Figure(hero.id, hero.name, "@", "#ffffff", hero.x, hero.y, "hero"))
    return tuple(out)


def _thing(item: Item) -> Figure:
    kind = KINDS[item.kind]
    owner = f"{FOLK[item.owner].name}'s" if item.owner else ""
    return Figure(item.id, kind.name, kind.glyph, kind.colour, item.x, item.y, "item", owner)


def _shows(monster: Monster) -> bool:
    return not monster.hidden or "posing" in BESTIARY[monster.kind].ways


def _beast(world: World, monster: Monster) -> Figure:
    """A monster as it looks; one that poses looks like a chest."""
    beast = BESTIARY[monster.kind]
    if monster.hidden:
        return Figure(monster.id, "a chest", "&", "#a8793f", monster.x, monster.y, "item")
    asleep = monster.awake == 0 or "asleep" in monster.effects
    note = "asleep" if asleep else "running away" if monster.awake == 2 else ""
    if monster.hp * 2 <= beast.hp:
        note = f"{note}, hurt" if note else "hurt"
    return Figure(monster.id, beast.name, beast.glyph, beast.colour, monster.x, monster.y, "monster", note)


def _note(person: Person) -> str:
    return "knocked down" if person.down else "asleep" if person.asleep else ""


def _bars(world: World) -> Bars:
    hero = world.state.hero
    return Bars(
        hero.id,
        hero.name,
        hero.hp,
        hero.max_hp,
        hero_attack(world),
        hero_guard(world),
        hero.coppers,
        hero.level,
        max((item.left for item in hero.pack if item.on), default=0),
        tuple(sorted(hero.effects)),
    )


def _pack(world: World) -> tuple[Carried, ...]:
    return tuple(_carried(item) for item in world.state.hero.pack)


def _carried(item: Item) -> Carried:
    kind = KINDS[item.kind]
    verb = kind.verb or (
        "wield" if kind.slot == "weapon" else "light" if kind.slot == "light" else "wear" if kind.slot else ""
    )
    return Carried(item.id, kind.name, kind.glyph, kind.colour, item.on, kind.about, verb)


def described(world: World, x: int, y: int) -> str:
    """What can be said about a tile, by sight or from memory."""
    if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
        return "Nothing."
    sight = in_view(world)
    if not sight[y, x]:
        seen = int(world.level.seen[y], 16) >> (WIDTH - 1 - x) & 1
        return f"You remember {_tile_name(world, x, y)} there." if seen else "You cannot see that far."
    names = [f"{f.name} ({f.note})" if f.note else f.name for f in _figures(world, sight) if (f.x, f.y) == (x, y)]
    return ", ".join([*reversed(names), _tile_name(world, x, y)]) + "."


HOUSES = ("the inn", "the smithy", "the guild house", "the cottage")
"""Doors that are called after the house they lead into."""


def _tile_name(world: World, x: int, y: int) -> str:
    """What a tile is called; a door in town after the house it leads into."""
    name = TILES[world.tile(x, y)].name
    if not world.in_town or (x, y) not in DOORS:
        return name
    house, door = area_at(x, y), DOORS[x, y].name
    return f"{name} ({house if door in HOUSES else door})"
