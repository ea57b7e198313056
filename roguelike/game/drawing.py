"""The picture of a game: what the hero sees and remembers, never more."""

from __future__ import annotations

from typing import cast

from roguelike.dungeon.generate import LEVELS
from roguelike.dungeon.ground import Mask
from roguelike.dungeon.tiles import HEIGHT, TILES, WIDTH
from roguelike.game.sight import in_view
from roguelike.game.world import World
from roguelike.happenings import Message, Tone
from roguelike.town.schedule import FOLK
from roguelike.view import Bars, Carried, Cell, Figure, View

__all__ = ["picture"]

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
    out = []
    for y, row in enumerate(level.rows):
        seen = int(level.seen[y], 16)
        out.append(
            tuple(
                LIT[letter] if lit else SEEN[letter] if seen >> (WIDTH - 1 - x) & 1 else UNSEEN
                for x, (letter, lit) in enumerate(zip(row, sight[y].tolist(), strict=True))
            )
        )
    return tuple(out)


def _figures(world: World, sight: Mask) -> tuple[Figure, ...]:
    """Items first, then who stands on them, the hero last."""
    hero = world.state.hero
    people = world.present() if world.in_town else []
    out = [
        Figure(p.id, FOLK[p.id].name, FOLK[p.id].glyph, FOLK[p.id].colour, p.x, p.y, "person", _note(p.asleep, p.down))
        for p in people
        if sight[p.y, p.x]
    ]
    out.append(Figure(hero.id, hero.name, "@", "#ffffff", hero.x, hero.y, "hero"))
    return tuple(out)


def _note(asleep: bool, down: int) -> str:
    return "knocked out" if down else "asleep" if asleep else ""


def _bars(world: World) -> Bars:
    hero = world.state.hero
    light = max((item.left for item in hero.pack if item.on and item.left), default=0)
    return Bars(hero.id, hero.name, hero.hp, hero.max_hp, 0, 0, hero.coppers, hero.level, light, tuple(hero.effects))


def _pack(world: World) -> tuple[Carried, ...]:
    return ()
