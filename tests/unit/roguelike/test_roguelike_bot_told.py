"""A bot plays whole games over the wire: nothing it does is refused by the bridge, and a replay hears the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from link_kit import linked
from roguelike_bot import Bot

from bridge.testing import scripted_bridge
from roguelike.happenings import Happening, Met
from roguelike.recording import Recording
from roguelike.replaying import replay
from roguelike.session import Session
from roguelike.slots import Slots


async def _played(seed: int, turns: int, tmp_path: Path) -> Recording:
    bot = Bot(seed)
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        session = await Session.new(seed, link, Slots(tmp_path), "bot")
        for turn in range(turns):
            if session.view.over == "dead":
                session.next_hero(f"Hero {turn}")
            elif session.view.over:
                break
            await _answer(session, session.act(bot.command(session.view)), bot)
        await asyncio.wait_for(session.settled(), 120)
        assert list(link.faults) == []
        saved = session.slots.read("auto") if session.slots.newest else None
        assert saved is None or saved.owner == "bot"
        return session.recorded()


async def _answer(session: Session, found: tuple[Happening, ...], bot: Bot) -> None:
    """Talk to whom the bot has walked into: by the menu, or with words of its own; take what is offered."""
    for one in found:
        if not isinstance(one, Met) or bot.dice.chance(50):
            continue
        topics = session.game.topics(one.npc)
        line = bot.dice.pick(topics).line if topics and bot.dice.chance(70) else "Well met. What a day."
        await asyncio.wait_for(session.say(one.npc, line), 60)
        await asyncio.sleep(0)
        session.answer_offer(bot.dice.chance(70))
        for deal in session.game.deals(one.npc)[:1]:
            session.deal(one.npc, deal.action, deal.args)


@pytest.mark.full
async def test_a_bot_plays_a_while_and_the_bridge_refuses_nothing(tmp_path: Path) -> None:
    assert (await _played(1, 60, tmp_path)).steps


@pytest.mark.full
@pytest.mark.parametrize("seed", range(6))
async def test_a_bot_plays_long_and_a_replay_hears_the_same(seed: int, tmp_path: Path) -> None:
    recording = await _played(seed, 300, tmp_path)
    async with scripted_bridge() as bridge, linked(bridge.url, lockstep=True) as link:
        assert await asyncio.wait_for(replay(recording, link, Slots(tmp_path / "again"), "again"), 300) == ""
