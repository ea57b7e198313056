"""Hands for tests: walking to somebody, asking, putting a thing in the hero's pack. What is done is done by
commands.
"""

from __future__ import annotations

from roguelike.commands import Ascend, Descend, Give, Move, PickUp, Show, Wait
from roguelike.game import Game
from roguelike.happenings import Happening, Line, Met
from roguelike.plot.topics import SUBJECTS
from roguelike.state import Item, State


def state(game: Game) -> State:
    return game._world.state


def over(game: Game) -> bool:
    return state(game).dead or bool(state(game).plot.ending)


def walk_to(game: Game, x: int, y: int) -> None:
    """Walk to (x, y) by the shortest way, round people and through doors, fighting what is in the way."""
    way: list[tuple[int, int]] = []
    for _ in range(400):
        hero, world = state(game).hero, game._world
        if (hero.x, hero.y) == (x, y) or over(game):
            return
        people = [(p.x, p.y) for p in world.present()] if world.in_town else []
        if not way or way[0] in people or max(abs(way[0][0] - hero.x), abs(way[0][1] - hero.y)) != 1:
            way = world.ground().way((hero.x, hero.y), (x, y), blocked=people)
        assert way, f"no way from {(hero.x, hero.y)} to {(x, y)} on {hero.where}"
        at = way[0]
        if at in people:
            if at == (x, y):
                return
            game.act(Wait())
            continue
        game.act(Move(at[0] - hero.x, at[1] - hero.y))
        if (hero.x, hero.y) == at:
            del way[0]
    raise AssertionError(f"never got to {(x, y)}")


def meet(game: Game, npc: str) -> None:
    """Walk up to somebody until one stands beside her, wherever she goes meanwhile."""
    for _ in range(400):
        hero, person = state(game).hero, state(game).people[npc]
        apart = max(abs(hero.x - person.x), abs(hero.y - person.y))
        if apart <= 1:
            assert Met(npc) in game.act(Move(person.x - hero.x, person.y - hero.y))
            return
        world = game._world
        others = [(p.x, p.y) for p in world.present()]
        way = world.ground().way((hero.x, hero.y), (person.x, person.y), blocked=others)
        assert way, f"no way to {npc}"
        if apart == 2 and not world.ground().walk[way[0][1], way[0][0]]:
            game.act(Wait())
            continue
        if way[0] in others:
            game.act(Wait())
            continue
        game.act(Move(way[0][0] - hero.x, way[0][1] - hero.y))
    raise AssertionError(f"never met {npc}")


def ask(game: Game, npc: str, topic: str) -> tuple[Happening, ...]:
    """Say the menu's question; it must be on the menu."""
    assert topic in [t.id for t in game.topics(npc)], f"{topic} is not on {npc}'s menu: {game.topics(npc)}"
    return game.asked(npc, SUBJECTS[topic].line)


def spoken(happened: tuple[Happening, ...]) -> str:
    return " ".join(h.text for h in happened if isinstance(h, Line))


def give(game: Game, npc: str, kind: str) -> tuple[Happening, ...]:
    return game.act(Give(npc, held(game, kind).id))


def show(game: Game, npc: str, kind: str) -> tuple[Happening, ...]:
    return game.act(Show(npc, held(game, kind).id))


def held(game: Game, kind: str) -> Item:
    item = game._world.holds(kind)
    assert item is not None, f"no {kind} in the pack"
    return item


def fetch(game: Game, kind: str) -> None:
    """Walk to where such a thing lies on this level and take it."""
    item = next(i for i in game._world.level.items if i.kind == kind and not i.owner)
    walk_to(game, item.x, item.y)
    game.act(PickUp())
    while game._world.holds(kind) is None and not over(game):
        game.act(PickUp())


def go_down(game: Game) -> None:
    x, y = game._world.level.down
    walk_to(game, x, y)
    game.act(Descend())


def go_up(game: Game) -> None:
    x, y = game._world.level.up
    walk_to(game, x, y)
    game.act(Ascend())


def tough(game: Game) -> None:
    """A hero nothing below can kill: for tests of the story, not of the fight."""
    hero = state(game).hero
    hero.hp = hero.max_hp = 5000
    hero.level = 8
