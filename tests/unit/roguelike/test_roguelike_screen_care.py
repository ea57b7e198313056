"""What the screen spares the player: lost games, words nobody typed, lines nobody listens to, the talk of the dead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stage_kit import Stage, staged
from textual.widgets import Input

from roguelike.commands import Move
from roguelike.game import Game
from roguelike.game.combat import hurt_hero
from roguelike.screen.picker import Page, Picker
from roguelike.screen.running import halts, late
from roguelike.screen.talk_panel import SAY, TURNED_AWAY
from roguelike.screen.title import Title
from roguelike.screen.words import cut
from roguelike.slots import SavedGame


def title(stage: Stage) -> str:
    screen = stage.app.screen
    return screen._title if isinstance(screen, Page | Picker) else type(screen).__name__


def test_a_line_is_cut_between_what_is_read_as_one() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "abc"
    assert cut("cafe\u0301s", 4) == "caf"
    assert cut("a👩\u200d👩\u200d👧b", 3) == "a"
    assert cut("a🇵🇱🇩🇪", 4) == "a🇵🇱"
    assert cut("\u0301" * 9, 4) == "\u0301" * 4


async def test_a_long_line_is_cut_and_held_keys_are_no_words(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        stage.app.simulate_key("up")
        for key in ("k", "k", "l", "j"):
            stage.app.simulate_key(key)
        await stage.pilot.pause(0.4)
        line = stage.play.talk.query_one(Input)
        assert (stage.play.talk.npc, line.value) == ("jory", "")
        await stage.quickly("k", "l")
        assert line.value == "kl"
        await stage.say("ha" * 3000)
        assert stage.session.last is not None
        assert len(str(stage.session.last.fields["text"])) == 500
        assert "cut to 500" in stage.play.talk.said
        line.value = "a draft"
        await stage.press("escape")
        stage.play.open_talk("marta")
        assert line.value == ""


async def test_a_new_game_asks_before_it_takes_the_place_of_another(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("up")
        await stage.say("I am called Quillon.")
        await stage.press("escape", "right")
        dump = stage.session.game.dump()
        stage.app.leave(quit=False)
        await stage.until(lambda: isinstance(stage.app.screen, Title))
        await stage.press("down", "enter")
        assert title(stage) == "The automatic slot holds a game"
        await stage.press("1")
        await stage.until(lambda: stage.app.play is not None and stage.play.is_mounted)
        assert stage.session.view.turn == 0
        await stage.session.save("auto")
        first = stage.play
        await stage.press("f6")
        assert isinstance(stage.app.screen, Picker)
        assert stage.app.screen._keys == ["a", "1"], "a slot has the key it has when saving"
        await stage.press("1")
        await stage.until(lambda: stage.app.play is not first and stage.play.is_mounted, "nothing was unsaved")
        assert stage.session.game.dump() == dump
        assert "I am called Quillon." in await stage.mind("jory", "Who am I?")


async def test_loading_begins_at_what_was_saved_last(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.session.save("auto")
        await stage.press("right", "f5", "1")
        await stage.until(lambda: "Saved in slot 1." in stage.play.log_view.text)
        first, dump = stage.play, stage.session.game.dump()
        await stage.press("f6", "enter")
        await stage.until(lambda: stage.app.play is not first and stage.play.is_mounted)
        assert stage.session.game.dump() == dump, "not the older automatic slot"


async def test_an_open_talk_shows_whose_the_keys_are(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("up")
        line = stage.play.talk.query_one(Input)
        assert line.placeholder == SAY
        await stage.press("tab")
        assert line.placeholder == TURNED_AWAY
        await stage.press("tab")
        assert line.placeholder == SAY


async def test_the_dead_choose_a_new_hero_or_leave(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        world = stage.session.game._world
        hurt_hero(world, 999, "a crypt rat")
        stage.play.show_happenings(stage.session._told(world.take()))
        await stage.pilot.pause()
        assert isinstance(stage.app.screen, Page)
        for _ in range(2):
            await stage.press("escape")
            assert title(stage) == "You are dead"
            assert isinstance(stage.app.screen, Picker)
            assert "stay" not in dict(stage.app.screen.choices)
        await stage.press("2", "escape", "f5")
        assert stage.app.screen is stage.play, "the dead save nothing"
        await stage.press("escape", "1")
        assert stage.session.view.over is None
        assert stage.session.view.hero.id == "hero-2"


async def test_messages_that_repeat_are_counted_and_the_first_hint_is_for_a_new_game(tmp_path: Path) -> None:
    async with staged(tmp_path, size=(60, 24)) as stage:
        assert not stage.app.screen.query_one("#name").display
        await stage.begin()
        await stage.press("down", "down", "down", "down")
        text = stage.play.log_view.text
        assert text.count("You cannot go there") == 2, "a hint came between the first and the others"
        assert text.endswith("(x3)")
        await stage.press("escape")
        box = stage.app.screen.query_one("Vertical")
        assert box.region.right <= 60
        await stage.press("escape", "right")
        await stage.session.save("2")
        first = stage.play
        stage.app.load("2")
        await stage.until(lambda: stage.app.play is not first and stage.play.is_mounted)
        assert "arrow keys" not in stage.play.log_view.text


async def test_the_skull_keeps_the_last_reply_there_was(tmp_path: Path) -> None:
    async with staged(tmp_path, size=(100, 30)) as stage:
        await stage.begin()
        await stage.press("up")
        await stage.say("What is the fare?")
        answered = stage.session.answered
        assert answered is not None
        await stage.ask("Tell me all. [[scripted:stall]]")
        assert stage.session.last is not answered
        assert stage.session.answered is answered
        await stage.quickly("escape")
        await stage.until(lambda: not stage.play.talk.speaking)


def test_a_run_halts_at_doors_at_openings_and_before_curfew() -> None:
    game = Game.new(3)
    before = game.view()
    game.act(Move(1, 0))
    assert not halts(before, game.view(), (1, 0))
    assert halts(game.view(), game.view(), (1, 0)), "he stands still"
    game = Game.new(3)
    steps = 0
    while steps < 20:
        before = game.view()
        game.act(Move(-1, 0))
        steps += 1
        if halts(before, game.view(), (-1, 0)):
            break
    assert game.view().x == 44, "the gate is beside him"
    view = game.view()
    assert late(replace(view, game_time=1244), replace(view, game_time=1245))
    assert not late(replace(view, game_time=1245), replace(view, game_time=1246))


async def test_the_automatic_slot_is_copied_whole(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.session.save("auto")
        slots = stage.session.slots
        assert slots.keep() == "1"
        assert slots.read("1") == slots.read("auto")
        assert isinstance(slots.list()["1"], SavedGame)
