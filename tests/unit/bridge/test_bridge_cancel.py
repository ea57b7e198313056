"""Breaking off, wherever a line is on its way; and what becomes of the lines of a client who left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bridge_kit import Raw, gate, raw

from bridge.server import Server
from bridge.testing import scripted_bridge
from npc_memory.inference import GenerationRequest
from npc_memory.mind import Mind


def lines(mind: Mind, npc: str = "marta") -> list[tuple[str, str]]:
    """What players said to her, and how it is marked."""
    return [(turn.text, turn.mark) for turn in mind.store.turns(npc) if turn.speaker != npc]


async def until(there: Callable[[], bool]) -> None:
    while not there():
        await asyncio.sleep(0.005)


async def gone(server: Server) -> None:
    await until(lambda: server.clients == 0)


def held_for(npc: str, held: gate) -> Callable[[GenerationRequest], str]:
    return lambda request: held(request) if request.conversation == npc else "No trouble here."


async def behind_a_held_line(client: Raw, held: gate) -> None:
    """Two lines for Marta and a report: the report waits for the second line, which waits for the first."""
    await client.send(type="talk", id=1, npc="marta", player="p1", text="First")
    await held.until(1)
    await client.send(type="talk", id=2, npc="marta", player="p1", text="Second")
    await client.send(type="set_state", id=3, entries={"weather": "rain"})


async def test_a_line_that_has_not_even_had_its_turn_on_the_connection_can_be_cancelled() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await behind_a_held_line(client, held)
        await client.send(type="talk", id=4, npc="brann", player="p1", text="Third")
        await client.ask(type="cancel", id=5, request=4)
        assert [(f["type"], f["re"]) for f in client.seen[-2:]] == [("cancelled", 4), ("cancelled", 5)]
        held.open()
        assert (await client.answer(2))["type"] == "reply"
        assert (await client.ask(type="end", id=6, player="p1"))["type"] == "ok"
        assert lines(bridge.mind) == [("First", ""), ("Second", "")]
        assert lines(bridge.mind, "brann") == [("Third", "interrupted")]
        assert (await client.ask(type="cancel", id=7, request=4))["type"] == "cancelled", "over, and known"


async def test_cancelled_twice_is_answered_twice_and_stopped_once() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await behind_a_held_line(client, held)
        for id in (10, 11):
            await client.ask(type="cancel", id=id, request=2)
        assert [f["re"] for f in client.seen if f["type"] == "cancelled"] == [2, 10, 11]
        held.open()
        assert (await client.answer(3))["type"] == "ok"
        await client.ask(type="end", id=12, player="p1")
        assert [f["re"] for f in client.seen if f["type"] == "cancelled"] == [2, 10, 11]


async def test_only_a_talk_can_be_cancelled() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        await client.ask(type="clock", id=1, game_time=200_000)
        assert (await client.ask(type="cancel", id=2, request=1))["code"] == "unknown_id"
        assert bridge.mind.game_time == 200_000


async def test_what_was_sent_before_leaving_takes_effect_and_lines_are_interrupted() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge:
        async with raw(bridge.url) as client:
            await behind_a_held_line(client, held)
            await client.send(type="talk", id=4, npc="brann", player="p1", text="Third")
            await client.send(type="clock", id=5, game_time=200_000)
            await client.ask(type="ping", id=6)
        held.open()
        await gone(bridge.server)
        assert lines(bridge.mind) == [("First", "interrupted"), ("Second", "interrupted")]
        assert lines(bridge.mind, "brann") == [("Third", "interrupted")]
        assert bridge.mind.store.state()[("", "weather")] == "rain"
        assert bridge.mind.game_time == 200_000


async def test_who_waits_behind_one_who_left_is_answered() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as other:
        async with raw(bridge.url) as client:
            await behind_a_held_line(client, held)
            await other.send(type="talk", id=1, npc="marta", player="p2", text="And mine?")
            await other.ask(type="ping", id=2)
        await until(lambda: bridge.server.clients == 1 or held.come == 1)
        held.open()
        assert (await other.answer(1))["type"] == "reply"
        assert lines(bridge.mind) == [("First", "interrupted"), ("Second", "interrupted"), ("And mine?", "")]


async def test_one_key_for_two_npcs_is_answered_by_the_first() -> None:
    held = gate("I am Marta.")
    async with scripted_bridge(held_for("marta", held)) as bridge, raw(bridge.url) as one, raw(bridge.url) as other:
        await one.send(type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
        await held.until(1)
        await other.send(type="talk", id=1, npc="brann", player="p1", text="Hi", key="k")
        await other.ask(type="ping", id=2)
        held.open()
        first = await one.answer(1)
        assert await other.answer(1) == first
        assert other.words(1) == [first["say"]]
        assert lines(bridge.mind, "brann") == []


async def test_a_key_whose_reply_was_interrupted_is_free_for_the_one_who_waits_with_it() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as one, raw(bridge.url) as other:
        await one.send(type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
        await held.until(1)
        await other.send(type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
        await other.ask(type="ping", id=2)
        await one.send(type="cancel", id=2, request=1)
        await one.ask(type="ping", id=3)
        held.open()
        assert (await one.answer(1))["type"] == "cancelled"
        reply = await other.answer(1)
        assert reply["type"] == "reply"
        assert lines(bridge.mind) == [("Hi", "interrupted"), ("Hi", "")]
        assert {**await other.talk(4, "marta", "Hi", key="k"), "re": 1} == reply


async def test_closing_the_bridge_ends_what_is_said_and_waits_for_it() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await behind_a_held_line(client, held)
        await client.ask(type="ping", id=6)
        closing = asyncio.ensure_future(bridge.server.close())
        await until(lambda: client.socket.close_code is not None)
        assert client.socket.close_code == 1001
        assert not closing.done(), "a thread still speaks"
        held.open()
        await closing
        assert lines(bridge.mind) == [("First", "interrupted"), ("Second", "interrupted")]
        assert bridge.mind.store.state()[("", "weather")] == "rain"
