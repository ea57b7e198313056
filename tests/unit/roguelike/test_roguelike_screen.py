"""The game as a newcomer meets it: the opening, a talk, saving, loading, leaving; with the keys he would press."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from stage_kit import staged
from textual.widgets import Input

from roguelike.screen.keys import AIMED, ASKED, DIRECTIONS, PLAIN, RUNS
from roguelike.screen.map_view import MapView, window
from roguelike.screen.picker import Page, Picker
from roguelike.screen.title import Title


def test_no_key_means_two_things_and_the_help_fits_a_small_terminal() -> None:
    from roguelike.screen.keys import HELP

    keys = [key for table in (DIRECTIONS, RUNS, PLAIN, AIMED, ASKED) for key in table]
    assert sorted(keys) == sorted(set(keys))
    assert max(len(line) for line in HELP.splitlines()) <= 70
    assert len(HELP.splitlines()) <= 19


def test_the_window_follows_the_hero_to_the_edges_and_no_further() -> None:
    assert [window(100, 20, at) for at in (0, 5, 10, 50, 95, 99)] == [0, 0, 0, 40, 80, 80]
    assert window(20, 20, 7) == 0
    assert window(10, 20, 7) == -5


async def test_a_newcomer_is_led_from_the_title_to_a_talk_that_is_remembered(tmp_path: Path) -> None:
    async with staged(tmp_path, {"called": "You again!", "": "Sit down and eat."}) as stage:
        assert isinstance(stage.app.screen, Title)
        await stage.begin()
        play = stage.play
        log = play.log_view.text
        assert "arrow keys" in log
        assert "Walk into people" in log
        view = stage.session.view
        jory = next(one for one in view.figures if one.id == "jory")
        assert (jory.x - view.x, jory.y - view.y) == (0, -1), "the ferryman stands beside the hero"
        await stage.press("up")
        assert play.talk.npc == "jory"
        assert play.focused is not None
        assert await stage.say("My name is Quillon. żółw 🐢") == "Sit down and eat."
        assert "Sit down and eat." in play.talk.said
        assert stage.session.last is not None
        assert stage.session.last.first_word is not None
        await stage.press("escape")
        assert not play.talk.is_open
        await stage.press(*["right"] * 6)
        await stage.until(lambda: not len(stage.session.link.outbox))
        await stage.press(*["left"] * 6, "up")
        assert await stage.say("What am I called?") == "You again!"
        assert "My name is Quillon. żółw 🐢" in await stage.mind("jory", "Who am I?")
        assert "Quillon" not in await stage.mind("brann", "Who am I?")


async def test_a_talk_holds_up_neither_map_nor_keys_and_is_cut_short_by_escape(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("up")
        await stage.ask("Tell me all. [[scripted:stall]]")
        assert stage.play.talk.speaking
        turn = stage.session.view.turn
        await stage.quickly("tab", "right", "right", "left", "full_stop")
        assert stage.session.view.turn == turn + 4, "the world goes on"
        await stage.quickly("tab", "H", "m")
        assert stage.play.talk.query_one(Input).value == "Hm"
        await stage.quickly("escape")
        await stage.until(lambda: not stage.play.talk.speaking, "Esc did not cut her short")
        assert "(cut short)" in stage.play.talk.said


async def test_the_skull_shows_what_was_in_her_mind(tmp_path: Path) -> None:
    async with staged(tmp_path, ["Two coppers a head."], size=(100, 30)) as stage:
        await stage.begin()
        await stage.press("f2")
        shown = stage.play.skull.query_one("#anatomy")
        await stage.until(lambda: "Talk to somebody" in str(shown.render()))
        await stage.press("up")
        await stage.say("What is the fare?")
        await stage.until(lambda: "What is the fare?" in str(shown.render()))
        text = str(shown.render())
        for part in ("Jory", "tokens", "persona", "nothing dropped", "first word after", "bit-exact", "Aldric"):
            assert part in text
        await stage.press("f2")
        assert not stage.play.skull.has_class("open")


async def test_a_saved_game_and_its_memory_come_back_together(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("up")
        await stage.say("I am called Quillon.")
        await stage.press("escape", "f5", "1")
        await stage.until(lambda: "Saved in slot 1." in stage.play.log_view.text)
        before = stage.session.game.dump()
        await stage.press("right", "right", "left", "left", "up")
        await stage.say("I burned the bridge.")
        assert "burned the bridge" in await stage.mind("jory", "What did I do to the bridge?")
        await stage.press("escape", "f6")
        assert isinstance(stage.app.screen, Picker)
        old = stage.app.play
        await stage.press("1")
        assert "is not saved" in stage.app.screen._title
        await stage.press("escape")
        assert stage.app.play is old
        await stage.press("f6", "1", "3")
        await stage.until(lambda: stage.app.play is not old and stage.play.is_mounted)
        assert stage.session.game.dump() == before
        mind = await stage.mind("jory", "What did I do to the bridge?")
        assert "I burned the bridge" not in mind
        assert "I am called Quillon." in mind


async def test_leaving_saves_and_the_next_start_goes_on(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("up")
        await stage.say("I am called Quillon.")
        await stage.press("escape", "right")
        dump = stage.session.game.dump()
        await stage.press("ctrl+q")
        await stage.until(lambda: not stage.app.is_running)
        assert stage.app.return_code == 0
        assert stage.session.slots.read("auto").game == dump.decode()
    async with staged(tmp_path) as stage:
        await stage.until(lambda: stage.app.link_up)
        await stage.press("enter")
        await stage.until(lambda: stage.app.play is not None and stage.play.is_mounted)
        assert stage.session.game.dump().decode() == dump.decode()
        assert "I am called Quillon." in await stage.mind("jory", "Who am I?")


async def test_pages_open_and_shut_and_a_run_stops_at_a_wall(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        for key, kind in (("question_mark", Page), ("q", Page), ("escape", Picker), ("f5", Picker)):
            await stage.press(key)
            assert isinstance(stage.app.screen, kind), key
            await stage.press("escape")
            assert stage.app.screen is stage.play, key
        before = stage.session.view
        await stage.press("L")
        assert stage.session.view.x > before.x + 3
        await stage.press("colon", "left", "left", "enter")
        assert stage.play.query_one(MapView).cursor is None
        await stage.press("i")
        assert stage.app.screen is stage.play or isinstance(stage.app.screen, Picker)


async def test_quitting_while_she_speaks_cuts_her_short_and_saves(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("up")
        await stage.ask("Tell me all. [[scripted:stall]]")
        assert stage.play.talk.speaking
        await stage.quickly("ctrl+c")
        await stage.until(lambda: not stage.app.is_running)
        assert stage.app.return_code == 0
        assert stage.session.last is not None
        assert stage.session.last.cancelled
        assert stage.session.slots.read("auto").game == stage.session.game.dump().decode()


async def test_leaving_without_saving_says_why_and_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roguelike.screen.app.FAREWELL", 0.2)
    async with staged(tmp_path) as stage:
        await stage.begin()

        async def never(slot: str) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(stage.session, "save", never)
        await stage.quickly("ctrl+c")
        await stage.until(lambda: not stage.app.is_running)
        assert stage.app.return_code == 1
        assert "did not answer" in str(stage.app._exit_renderables[-1])
