"""What a player looks back to, and what a large terminal is used for."""

from __future__ import annotations

from pathlib import Path

from stage_kit import staged
from textual.containers import VerticalScroll

from roguelike.commands import Wait
from roguelike.happenings import Message
from roguelike.screen.map_view import MapView
from roguelike.screen.picker import Page


async def test_what_was_said_and_what_was_logged_can_be_read_again(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("up")
        for number in range(30):
            stage.play.talk.note(Message(f"line {number}"))
        scroll = stage.play.talk.query_one(VerticalScroll)
        await stage.until(lambda: scroll.scroll_y == scroll.max_scroll_y > 0)
        end = scroll.scroll_y
        await stage.press("pageup")
        assert scroll.scroll_y < end
        at = scroll.scroll_y
        await stage.ask("Tell me all. [[scripted:stall]]")
        await stage.until(lambda: scroll.scroll_y == scroll.max_scroll_y)
        await stage.quickly("pageup")
        looking = scroll.scroll_y
        stage.play.talk.hear("Well. ")
        stage.play.talk.hear("I never.")
        await stage.pilot.pause(0.1)
        assert scroll.scroll_y == looking, "words that come in do not take one down"
        await stage.quickly("pagedown", "pagedown", "escape")
        await stage.until(lambda: not stage.play.talk.speaking)
        assert scroll.scroll_y > at
        await stage.press("escape", "m")
        assert isinstance(stage.app.screen, Page)
        assert "You step off Jory's ferry" in str(stage.app.screen._text)
        await stage.press("pageup", "escape")
        assert stage.app.screen is stage.play


async def test_a_large_terminal_shows_the_whole_map_and_more_of_what_is_said(tmp_path: Path) -> None:
    async with staged(tmp_path, size=(120, 40)) as stage:
        await stage.begin()
        play = stage.play
        assert play.query_one(MapView).size.height == 20
        assert play.log_view.size.height == 19
        await stage.press("up")
        assert play.query_one(MapView).size.height == 20
        assert play.talk.outer_size.height == 19
        await stage.pilot.resize_terminal(80, 24)
        await stage.pilot.pause()
        assert play.talk.outer_size.height == 11
        await stage.press("escape")
        assert play.log_view.size.height == 4


async def test_a_long_walk_is_saved_on_the_way_and_the_skull_remembers_after_a_load(tmp_path: Path) -> None:
    async with staged(tmp_path, ["Two coppers a head."], size=(100, 30)) as stage:
        await stage.begin()
        await stage.press("up")
        await stage.say("What is the fare?")
        await stage.press("escape")
        for _ in range(31):
            stage.play.do(Wait())
        await stage.session.settled()
        saved = stage.session.slots.read("auto")
        assert saved.turn >= 30
        assert not stage.session.link.faults
        old = stage.app.play
        stage.app.load("auto")
        await stage.until(lambda: stage.app.play is not old and stage.play.is_mounted)
        await stage.press("f2")
        shown = stage.play.skull.query_one("#anatomy")
        await stage.until(lambda: "What is the fare?" in str(shown.render()))
        assert "Jory" in str(shown.render())
        assert not stage.session.unsaved
        stage.play.do(Wait())
        assert stage.session.unsaved
