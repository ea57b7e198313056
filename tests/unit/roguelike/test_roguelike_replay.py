"""The same seed and the same keys give the same game, talk included: a recorded game comes out again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from link_kit import linked
from session_kit import walk_up

from bridge.client import BridgeFault
from bridge.testing import scripted_bridge
from npc_memory.errors import InvalidInput
from roguelike.commands import Move, Wait
from roguelike.recording import Recording
from roguelike.replaying import replay
from roguelike.session import Session
from roguelike.slots import Slots


async def _played(tmp_path: Path) -> Recording:
    """Half an hour in town, as a hasty person plays it: walking on while somebody still speaks, cutting in."""
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        session = await Session.new(7, link, Slots(tmp_path / "a"), "first", hero="Ada")
        for npc in ("jory", "marta"):
            walk_up(session, npc)
            talk = session.say(npc, f"I am Ada 🐢. Do you hear me, {npc}?")
            session.act(Wait())
            await asyncio.wait_for(talk, 60)
            session.say(npc, session.game.topics(npc)[0].line)
            await asyncio.wait_for(session.settled(), 60)
            for _ in range(25):
                session.act(Wait())
        stalled = session.say("marta", "Tell me all. [[scripted:stall]]")
        while not stalled.sent:
            await asyncio.sleep(0.005)
        link.cancel(stalled)
        await asyncio.wait_for(session.settled(), 60)
        assert session.view.turn > 60
        return session.recorded()


async def _replayed(recording: Recording, tmp_path: Path) -> str:
    async with scripted_bridge() as bridge, linked(bridge.url, lockstep=True) as link:
        return await asyncio.wait_for(replay(recording, link, Slots(tmp_path / "b"), "second"), 120)


async def test_a_recorded_game_comes_out_again_and_a_changed_one_does_not(tmp_path: Path) -> None:
    recording = await _played(tmp_path)
    recording.write(tmp_path / "game.json")
    again = Recording.read(tmp_path / "game.json")
    assert again == recording
    heard = [step for step in again.steps if step[0] == "heard"]
    assert len(heard) == 2, "what is asked from the menu the book answers"
    assert await _replayed(again, tmp_path) == ""
    number = again.steps.index(heard[1])
    again.steps[number] = ["heard", "Something else.", *heard[1][2:]]
    difference = await _replayed(again, tmp_path)
    assert difference.startswith(f"step {number + 1} of")
    assert "Something else." in difference


async def test_a_game_recorded_from_a_load_comes_out_again_where_its_save_is(tmp_path: Path) -> None:
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        slots = Slots(tmp_path / "a")
        session = await Session.new(7, link, slots, "first", hero="Ada")
        walk_up(session, "jory")
        await asyncio.wait_for(session.say("jory", "I am Ada 🐢."), 60)
        await session.save("2")
        loaded = await Session.load("2", link, slots)
        assert await loaded.say("jory", "Who am I?")
        loaded.act(Wait())
        await asyncio.wait_for(loaded.settled(), 60)
        loaded.recorded().write(tmp_path / "game.json")
        again = Recording.read(tmp_path / "game.json")
        assert again.begins == slots.read("2")
        assert [step[0] for step in again.steps] == ["say", "heard", "do", "state"]
        async with linked(bridge.url, lockstep=True) as other:
            assert await asyncio.wait_for(replay(again, other, Slots(tmp_path / "b"), "second"), 60) == ""
    with pytest.raises(BridgeFault, match="save"):
        await _replayed(again, tmp_path)


@pytest.mark.full
async def test_another_step_leads_elsewhere(tmp_path: Path) -> None:
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        session = await Session.new(3, link, Slots(tmp_path), "first")
        for step in ((1, 0), (1, 0), (-1, 0)):
            session.act(Move(*step))
        recording = session.recorded()
    assert await _replayed(recording, tmp_path) == ""
    recording.steps[1] = ["do", "Wait"]
    assert "rules' state" in await _replayed(recording, tmp_path)


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    for text in ("", "[]", '{"emberfall_recording": 1}', '{"emberfall_recording": 99, "seed": 1}'):
        (tmp_path / "game.json").write_text(text, encoding="utf-8")
        with pytest.raises(InvalidInput):
            Recording.read(tmp_path / "game.json")
