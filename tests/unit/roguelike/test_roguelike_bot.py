"""A bot plays many games: nothing breaks, nothing is unreachable, every state can be saved."""

from __future__ import annotations

import pytest
from roguelike_bot import Bot, play
from roguelike_kit import state

from roguelike.dungeon.digging import Digging
from roguelike.game import Game


def one_game(seed: int, turns: int) -> Game:
    """Half of the games in town, half below; a dead hero is followed by another."""
    game, bot = Game.new(seed), Bot(seed)
    if seed % 2:
        bot.down(game)
    play(game, bot, turns)
    if game.view().over == "dead":
        game = game.next_hero("Second")
        play(game, bot, turns // 5)
    return game


def sound(game: Game) -> None:
    """What holds at any time."""
    world, hero = game._world, state(game).hero
    assert Game.load(game.dump()).dump() == game.dump()
    assert world.ground().walk[hero.y, hero.x]
    assert 0 <= hero.hp <= hero.max_hp
    places = [(m.x, m.y) for m in world.level.monsters] + [(hero.x, hero.y)]
    assert len(set(places)) == len(places)
    people = [(p.x, p.y) for p in world.present()]
    assert len(set(people)) == len(people)
    for id, level in state(game).levels.items():
        if not id.startswith("crypt"):
            continue
        digging = Digging()
        digging.grid = [list(row) for row in level.rows]
        steps = digging.steps_from(level.up)
        assert level.down == (-1, -1) or level.down in steps


@pytest.mark.parametrize("seed", range(10))
def test_ten_games(seed: int) -> None:
    sound(one_game(seed, 100))


@pytest.mark.full
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_games(hundred: int) -> None:
    for seed in range(hundred * 100, hundred * 100 + 100):
        sound(one_game(seed, 300))
