"""The link keeps the game's order, waits for nobody, and neither loses nor doubles anything when the wire is cut."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from link_kit import Cable, linked

from bridge.client import BridgeFault
from bridge.messages import LoadedFrame, ReplyFrame
from bridge.testing import scripted_bridge
from roguelike.link import LIMIT, Outbox, Request


def told(prompt: str, *texts: str) -> list[bool]:
    return [text in prompt for text in texts]


async def test_what_happened_before_a_line_is_known_at_its_answer_and_what_came_after_is_not() -> None:
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        for number in range(30):
            link.put("observe", kind="sight", text=f"A raven cried {number} times.", audience=["marta"])
        talk = link.talk("marta", "hero", "What did you see?", lambda words: None)
        link.put("observe", kind="sight", text="A dog barked at the gate.", audience=["marta"])
        assert len(link.outbox) == 32, "nothing was waited for"
        reply = await asyncio.wait_for(talk, 30)
        assert isinstance(reply, ReplyFrame)
        assert talk.reply == reply
        assert talk.words == reply.say != ""
        assert talk.first_word is not None
        shown = (await link.explain(audit=reply.audit)).prompt
        assert "A dog barked" not in shown
        assert "A raven cried" in shown
        await asyncio.wait_for(link.drained(), 30)
        assert "A dog barked" in (await link.explain(npc="marta", player="hero", text="Did a dog bark?")).prompt


async def test_a_cut_wire_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    async with scripted_bridge(data=tmp_path) as bridge, Cable(bridge.url) as cable, linked(cable.url) as link:
        for number in range(40):
            link.put("observe", kind="sight", text=f"Omen {number}.", audience=["marta"])
            if number % 8 == 3:
                await asyncio.sleep(0.02)
                cable.cut()
        cable.answers = False  # the next one is done, but its answer never comes
        heard = cable.heard
        link.put("observe", kind="sight", text="Omen 40.", audience=["marta"])
        while cable.heard == heard:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.1)
        cable.answers = True
        cable.cut()
        await asyncio.wait_for(link.drained(), 60)
        assert cable.made > 2
        assert [episode.text for episode in bridge.mind.store.episodes("marta")] == [f"Omen {n}." for n in range(41)]


async def test_a_reply_whose_wire_was_cut_is_heard_once_and_remembered_once() -> None:
    said: list[str] = []
    async with scripted_bridge(["Well met. Sit down."]) as bridge, Cable(bridge.url) as cable:
        async with linked(cable.url) as link:
            cable.answers = False
            talk = link.talk("marta", "hero", "Good evening.", said.append)
            while len(bridge.mind.store.turns("marta")) < 2:
                await asyncio.sleep(0.01)
            cable.answers = True
            cable.cut()
            reply = await asyncio.wait_for(talk, 30)
            assert reply.say == "Well met. Sit down."
            assert "".join(said) == "Well met. Sit down."
            assert [turn.text for turn in bridge.mind.store.turns("marta")] == ["Good evening.", "Well met. Sit down."]


async def test_a_talk_is_cancelled_in_line_and_under_way() -> None:
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        first = link.talk("marta", "hero", "Tell me all. [[scripted:stall]]", lambda words: None)
        second = link.talk("marta", "hero", "Never mind.", lambda words: None)
        link.cancel(second)
        assert await second is None
        while not bridge.engine.requests:
            await asyncio.sleep(0.01)
        link.cancel(first)
        await asyncio.wait_for(first, 30)
        assert first.cancelled
        assert second.cancelled
        assert [turn.text for turn in bridge.mind.store.turns("marta")][:1] == ["Tell me all. [[scripted:stall]]"]
        assert "Never mind." not in [turn.text for turn in bridge.mind.store.turns("marta")]


async def test_people_among_themselves_stop_for_the_player() -> None:
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        conversation = link.converse("marta", "brann", topic="nails [[scripted:stall]]")
        while not conversation.sent:
            await asyncio.sleep(0.01)
        talk = link.talk("marta", "hero", "A word, please.", lambda words: None)
        assert isinstance(await asyncio.wait_for(talk, 30), ReplyFrame)
        assert conversation.cut_short
        again = link.converse("marta", "brann", topic="nails", turns=2)
        await asyncio.wait_for(again, 30)
        assert len(again.lines) == 2
        assert not again.cut_short


async def test_what_the_bridge_refuses_is_told_and_the_line_goes_on() -> None:
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        wrong = link.put("set_state", entries={"chapter": 9})
        unsendable = link.put("observe", kind="", text="x")
        right = link.put("set_state", entries={"weather": "rain"})
        with pytest.raises(BridgeFault, match="invalid_input"):
            await wrong
        with pytest.raises(Exception, match=r"invalid_input|kind"):
            await unsendable
        assert (await asyncio.wait_for(right, 30)).type == "ok"
        assert len(link.faults) == 2


async def test_a_load_drops_what_was_in_line_and_saves_name_a_moment() -> None:
    pushed: list[LoadedFrame] = []
    async with scripted_bridge() as bridge, linked(bridge.url, on_push=pushed.append) as link:
        link.clock(200_000)
        link.put("observe", kind="sight", text="The hero bowed.", audience=["marta"])
        before = await link.save("one")
        link.put("observe", kind="sight", text="The hero spat.", audience=["marta"])
        await asyncio.wait_for(link.drained(), 30)
        link.talk("marta", "hero", "Hm. [[scripted:stall]]", lambda words: None)
        await asyncio.sleep(0.05)
        lost = link.put("observe", kind="sight", text="The hero sang.", audience=["marta"])
        await asyncio.wait_for(link.load(before), 30)
        assert await lost is None
        link.clock(200_001)
        await asyncio.wait_for(link.put("observe", kind="sight", text="Rain fell.", audience=["marta"]), 30)
        shown = (await link.explain(npc="marta", player="hero", text="And?")).prompt
        assert told(shown, "bowed", "spat", "sang", "Rain fell") == [True, False, False, True]
        with pytest.raises(BridgeFault):
            await link.load("no-such-save")
        assert pushed == [], "its own loads are no news"
        bridge.mind.load("one")
        while not pushed:
            await asyncio.sleep(0.01)
        assert pushed[0].save_id == before


async def test_another_game_in_the_same_file_knows_nothing_of_this_one() -> None:
    async with scripted_bridge() as bridge, linked(bridge.url, owner="game-1") as link:
        await link.put("observe", kind="sight", text="The hero bowed.", audience=["marta"])
        await asyncio.wait_for(link.play_as("game-2"), 30)
        assert "bowed" not in (await link.explain(npc="marta", player="hero", text="And?")).prompt
        await asyncio.wait_for(link.play_as("game-1"), 30)
        assert "bowed" in (await link.explain(npc="marta", player="hero", text="And?")).prompt


async def test_a_bridge_that_was_away_hears_everything_when_it_is_back(tmp_path: Path) -> None:
    where: list[str] = []
    states: list[str] = []

    async def address() -> str:
        return where[-1]

    from roguelike.link import Link

    async with scripted_bridge(data=tmp_path) as bridge:
        where.append(bridge.url)
        link = Link(address, on_change=lambda: states.append(link.state))
        running = asyncio.create_task(link.run())
        await asyncio.wait_for(link.here(), 30)
        await link.put("observe", kind="sight", text="First.", audience=["marta"])
    link.put("observe", kind="sight", text="Second.", audience=["marta"])
    await asyncio.sleep(0.05)
    assert link.state == "away"
    async with scripted_bridge(data=tmp_path) as bridge:
        where.append(bridge.url)
        await asyncio.wait_for(link.drained(), 30)
        assert [episode.text for episode in bridge.mind.store.episodes("marta")] == ["First.", "Second."]
        await link.close()
        await asyncio.wait_for(running, 30)
    assert "away" in states
    assert states[-1] == "closed"


async def test_the_line_is_bounded_and_the_clock_is_told_with_what_it_times() -> None:
    outbox = Outbox("s")
    for minute in range(100, 105):
        outbox.clock(minute)
    outbox.put(Request("observe", {"text": "x"}))
    outbox.put(Request("set_state", {}))
    outbox.put(Request("observe", {"text": "y"}))
    waiting = [(one.type, one.fields.get("key"), one.fields.get("game_time")) for one in outbox.waiting(Request)]
    assert waiting == [
        ("clock", None, 100),
        ("clock", None, 104),
        ("observe", "s-1", None),
        ("set_state", None, None),
        ("observe", "s-2", None),
    ]
    while not outbox.full:
        outbox.put(Request("set_state", {}))
    assert len(outbox) == LIMIT
