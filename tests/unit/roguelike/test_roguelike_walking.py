"""The town, on foot: steps, doors, people in the way; what takes time and what does not."""

from __future__ import annotations

import pytest

from roguelike.commands import Close, Descend, Look, Move, Push, Wait, command_from, command_to
from roguelike.game import Game
from roguelike.happenings import ActorAt, Line, Message, Met
from roguelike.plot.greeting import FIRST


def walk(game: Game, dx: int, dy: int, steps: int) -> None:
    for _ in range(steps):
        game.act(Move(dx, dy))


def test_the_hero_begins_at_the_landing_and_sees_the_river_road() -> None:
    view = Game.new(3).view()
    assert (view.width, view.height, view.place, view.level) == (80, 20, "outside", "town")
    assert view.time_text == "18:20, evening"
    assert view.tiles[0][0].glyph == " ", "an unseen tile tells nothing"
    assert view.tiles[1][49].sight == "lit"
    assert {figure.id for figure in view.figures} >= {"hero-1", "jory"}


def test_a_step_takes_a_minute_and_a_wall_takes_none() -> None:
    game = Game.new(3)
    game.act(Move(1, 0))
    assert (game.view().x, game.view().turn) == (49, 1)
    game.act(Move(0, 1))
    assert game.view().turn == 1
    assert "cannot go there: a wall" in game.view().log[-1].text


def test_walking_into_somebody_is_meeting_them_and_takes_no_time() -> None:
    game = Game.new(3)
    happened = game.act(Move(0, -1))
    assert happened == (Met("jory"), Line("jory", FIRST["jory"], ""))
    assert game.act(Move(0, -1)) == (Met("jory"),), "once is enough"
    assert game.view().turn == 0


def test_one_can_squeeze_past() -> None:
    game = Game.new(3)
    game.act(Push(0, -1))
    view = game.view()
    assert (view.x, view.y) == (48, 1)
    assert next((f.x, f.y) for f in view.figures if f.id == "jory") != (48, 1)


def test_a_new_place_is_reported() -> None:
    game = Game.new(3)
    walk(game, -1, 0, 4)
    game.act(Move(0, 1))  # opens the gate
    game.act(Move(0, 1))
    assert ActorAt("hero-1", place="market") in game.act(Move(1, 1))


@pytest.mark.parametrize("command", [Move(0, 0), Move(5, 0), Push(1, 0), Close(1, 0), Descend()])
def test_what_cannot_be_done_says_why_and_changes_nothing(command: object) -> None:
    game = Game.new(3)
    before = game.view()
    happened = game.act(command)  # type: ignore[arg-type]
    after = game.view()
    assert [type(h) for h in happened] == [Message]
    assert (after.x, after.y, after.turn, after.figures) == (before.x, before.y, before.turn, before.figures)


@pytest.mark.parametrize("command", [Move(-1, 1), Wait(), Close(0, 1)])
def test_a_command_is_plain_data_and_back(command: Move | Wait | Close) -> None:
    assert command_from(command_to(command)) == command


def test_the_gate_is_locked_after_dark() -> None:
    game = Game.new(3)
    walk(game, -1, 0, 4)
    for _ in range(200):
        game.act(Wait())
    game.act(Move(-1, 1))
    assert game.view().log[-1].text == "The north gate is locked."


def test_a_look_at_a_door_names_the_house() -> None:
    game = Game.new(3)
    world = game._world
    world.state.hero.x, world.state.hero.y = 25, 9
    game.act(Look(23, 9))
    assert "the Gilded Stag" in game.view().log[-1].text
