"""What comes to the player from outside: death and who comes after, pushes of the bridge, a save loaded elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from stage_kit import staged

from bridge.messages import DueFrame
from roguelike.game.combat import hurt_hero
from roguelike.screen.picker import Page


async def test_a_dead_hero_is_followed_by_another_in_a_town_that_remembers(tmp_path: Path) -> None:
    async with staged(tmp_path, hero="Élise 🐢") as stage:
        await stage.begin()
        assert stage.session.view.hero.name == "Élise 🐢"
        await stage.press("up")
        await stage.say("I am Élise.")
        await stage.press("escape")
        world = stage.session.game._world
        hurt_hero(world, 999, "a rat")
        stage.play.show_happenings(stage.session._told(world.take()))
        await stage.pilot.pause()
        assert isinstance(stage.app.screen, Page)
        await stage.session.settled()
        assert stage.session.slots.read("auto").game == stage.session.game.dump().decode(), "death is saved, too"
        await stage.press("enter")
        assert stage.session.view.hero.id == "hero-2"
        assert stage.session.view.over is None
        await stage.press("full_stop")
        mind = await stage.mind("jory", "Where is Élise?")
        assert "Élise 🐢 is dead" in mind
        assert "I am Élise." not in mind.rpartition("Élise 🐢 is dead")[2], "another one has not said it"


async def test_somebody_with_something_on_her_mind_comes_up_to_the_hero(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        push, owner = stage.bridge.server.push, stage.session.owner
        push(DueFrame(npc="marta", note="the rent", urgency=0.5), stage.app.table.link.owner)
        await stage.until(lambda: "Marta wants to see you" in stage.play.log_view.text)
        assert not stage.play.talk.is_open
        push(DueFrame(npc="jory", note="the fare", urgency=0.9, player="hero-1"), owner)
        await stage.until(lambda: stage.play.talk.npc == "jory")
        assert "comes up to you" in stage.play.talk.said


@pytest.mark.full
async def test_when_somebody_else_loads_a_save_the_game_follows(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.press("f5", "1")
        await stage.until(lambda: "Saved in slot 1." in stage.play.log_view.text)
        before, old = stage.session.game.dump(), stage.app.play
        await stage.press("right", "right")
        await stage.session.settled()
        saved = stage.session.slots.read("1").save_id
        stage.bridge.mind.for_owner(stage.session.owner).load(saved)
        await stage.until(lambda: stage.app.play is not old and stage.play.is_mounted)
        assert stage.session.game.dump() == before


async def test_without_a_bridge_the_game_goes_on_and_says_so(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        await stage.bridge.server.close()
        await stage.until(lambda: stage.session.link.state == "away")
        turn = stage.session.view.turn
        await stage.press("right", "left", "up")
        assert stage.session.view.turn == turn + 2
        await stage.ask("Is anybody there?")
        assert stage.play.talk.speaking
        await stage.press("escape")
        await stage.until(lambda: not stage.play.talk.speaking)
        assert "bridge away" in str(stage.play.query_one("Status").render())
