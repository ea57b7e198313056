"""Whether a state that was read could be a game's: what the rules rely on without asking again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from roguelike.dungeon.bestiary import BESTIARY
from roguelike.dungeon.generate import LEVELS
from roguelike.dungeon.tiles import HEIGHT, TILES, WIDTH
from roguelike.goods import KINDS
from roguelike.plot.endings import ENDINGS
from roguelike.state import Item, Level, Person, State
from roguelike.town.plan import SPOTS
from roguelike.town.schedule import FOLK

__all__ = ["wrong"]

SEEN = re.compile(rf"[0-9a-f]{{{WIDTH // 4}}}")
HERO = re.compile(r"hero-[1-9][0-9]*")


def wrong(state: State) -> str:
    """What no game could be like, the first found; empty if there is nothing."""
    return next(_wrongs(state), "")


def _wrongs(state: State) -> Iterator[str]:
    hero, plot = state.hero, state.plot
    if not 0 <= state.dice.state < 1 << 64:
        yield "dice"
    if "town" not in state.levels or hero.where not in state.levels:
        yield "hero.where"
    for id, level in state.levels.items():
        if id not in LEVELS or level.id != id or not _level(level):
            yield f"levels.{id}"
    if not HERO.fullmatch(hero.id) or not _inside(hero.x, hero.y) or not 0 <= hero.hp <= hero.max_hp or hero.level < 1:
        yield "hero"
    if not _items(hero.pack):
        yield "hero.pack"
    if set(state.people) != set(FOLK) or not all(_person(id, person) for id, person in state.people.items()):
        yield "people"
    if plot.chapter not in (1, 2, 3) or plot.ending not in ("", *ENDINGS):
        yield "plot"
    if state.minute < 0 or state.turn < 0 or (state.dead and not state.graves):
        yield "minute"


def _inside(x: int, y: int) -> bool:
    return 0 <= x < WIDTH and 0 <= y < HEIGHT


def _items(items: Iterable[Item]) -> bool:
    return all(item.kind in KINDS and item.owner in ("", *FOLK) for item in items)


def _person(id: str, person: Person) -> bool:
    at_home = person.id == id and _inside(person.x, person.y) and _items(person.pack)
    return at_home and person.errand in ("", "hero", *SPOTS)


def _level(level: Level) -> bool:
    drawn = len(level.rows) == HEIGHT and all(len(row) == WIDTH and set(row) <= set(TILES) for row in level.rows)
    seen = len(level.seen) == HEIGHT and all(SEEN.fullmatch(row) for row in level.seen)
    things = _items(level.items) and all(_inside(item.x, item.y) for item in level.items)
    beasts = all(m.kind in BESTIARY and _inside(m.x, m.y) for m in level.monsters)
    return drawn and seen and things and beasts
