"""Clients that vanish, engines that die, a bridge that closes: nobody else notices, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from weather_kit import ask, calm, greeted, receive, send, talk, until
from websockets.asyncio.client import ClientConnection

from bridge.server import Server
from npc_memory.inference import LlamaEngine
from npc_memory.inference.script import Reply
from npc_memory.opening import open_mind

SLOW = Reply("The stew is hot. Sit down, friend. Brann shoes horses. Rain is coming. Mind the step.", "slow")


def marks(bridge: object, npc: str = "marta") -> list[str]:
    return [turn.mark for turn in bridge.mind.store.turns(npc)]  # type: ignore[attr-defined]


async def first_words(socket: ClientConnection, npc: str = "marta", player: str = "p1") -> str:
    await send(socket, type="talk", id=1, npc=npc, player=player, text="Good evening.")
    frame = await receive(socket)
    assert frame["type"] == "token"
    return str(frame["text"])


@pytest.mark.full
@pytest.mark.model
async def test_the_engine_is_killed_in_mid_stream(tmp_path: Path) -> None:
    with open_mind("emberfall", tmp_path) as mind:
        assert isinstance(mind.engine, LlamaEngine)
        async with Server(mind, port=0) as server, greeted(server.url) as socket, greeted(server.url) as other:
            text = "Tell me all you know of the town. " * 20
            await send(socket, type="talk", id=1, npc="marta", player="p1", text=text)
            await send(other, type="talk", id=1, npc="brann", player="p2", text=text)
            # Both prompts are with the engine, and a prompt as long as these is not read at once.
            await until(lambda: len(mind.engine._pending._open) == 2)
            assert mind.engine.pid is not None
            os.kill(mind.engine.pid, signal.SIGKILL)
            for one in (socket, other):
                words = ""
                while (frame := await receive(one))["type"] == "token":
                    words += frame["text"]
                assert (frame["type"], frame["say"]) == ("reply", words)
                assert words
                assert not any(word in words.lower() for word in ("error", "engine", "crash"))
            assert await talk(socket, text="Is the king well?"), "the next request starts a new engine"
        audits = [mind.explain(one.id) for one in mind.store.audits()]
        assert "engine_crashed" in [attempt.refused for audit in audits for attempt in audit.attempts]


@pytest.mark.parametrize("vanish", ["abort", "close", "half a frame", "end of file"])
async def test_clients_vanish_in_mid_stream(vanish: str) -> None:
    npcs = ["marta", "brann", "edda"]
    async with calm(lambda request: SLOW) as bridge:
        for number, npc in enumerate(npcs):
            async with greeted(bridge.url) as socket:
                await first_words(socket, npc, f"p{number}")
                await send(socket, type="talk", id=2, npc=npc, player="p1", text="And another thing.")
                await _vanish(socket, vanish)
        await until(lambda: bridge.server.clients == 0)
        for npc in npcs:
            asked, answered, queued = bridge.mind.store.turns(npc)
            assert {asked.mark, answered.mark, queued.mark} == {"interrupted"}
            assert answered.text
            assert queued.text == "And another thing."


async def _vanish(socket: ClientConnection, how: str) -> None:
    if how == "half a frame":
        socket.transport.write(b"\x82\xfe\x01\x00\x00\x00\x00\x00\x81\xa4")  # 256 bytes are announced, two come
        await asyncio.sleep(0)
    if how == "end of file":
        socket.transport.write_eof()
    elif how == "close":
        await socket.close()
    else:
        socket.transport.abort()


@pytest.mark.parametrize(
    "greeting",
    [
        b"",
        b"\x00\xff\xfe\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConn",
    ],
)
async def test_what_is_no_websocket_is_turned_away(greeting: bytes) -> None:
    async with calm() as bridge:
        reader, writer = await asyncio.open_connection("127.0.0.1", bridge.server.port)
        writer.write(greeting)
        writer.write_eof()
        answer = await reader.read()
        assert b"101" not in answer.split(b"\r\n")[0]
        writer.close()
        await writer.wait_closed()
        async with greeted(bridge.url) as socket:
            assert await talk(socket)


async def test_many_clients_at_once_of_whom_half_vanish() -> None:
    async def play(url: str, number: int) -> None:
        async with greeted(url) as socket:
            npc = ("marta", "brann", "edda", "osric")[number % 4]
            await send(socket, type="talk", id=1, npc=npc, player=f"p{number}", text="Good evening.")
            if number // 4 % 2:
                socket.transport.abort()
                return
            while (frame := await receive(socket))["type"] == "token":
                pass
            assert frame["type"] == "reply"

    async with calm() as bridge:
        await asyncio.gather(*(play(bridge.url, number) for number in range(40)))
        await until(lambda: bridge.server.clients == 0)
        for npc in ("marta", "brann", "edda", "osric"):
            stayed = [turn for turn in bridge.mind.store.turns(npc) if turn.speaker == npc and not turn.mark]
            assert len(stayed) >= 5


async def test_two_clients_one_key_one_of_them_vanishes() -> None:
    async with calm([SLOW, "Well met."]) as bridge, greeted(bridge.url) as other:
        async with greeted(bridge.url) as socket:
            await send(socket, type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
            await receive(socket)
            await send(other, type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
            await ask(other, type="ping", id=2)
            socket.transport.abort()
        while (frame := await receive(other))["type"] == "token":
            pass
        assert frame["say"] == "Well met."
        assert marks(bridge) == ["interrupted", "interrupted", "", ""]


async def test_the_clock_goes_back_for_nobody() -> None:
    async with calm() as bridge, greeted(bridge.url) as one, greeted(bridge.url) as other:
        assert (await ask(one, type="clock", id=1, game_time=300_000))["type"] == "ok"
        refused = await ask(other, type="clock", id=1, game_time=299_999)
        assert (refused["type"], refused["code"]) == ("error", "invalid_input")
        assert refused["hint"]
        assert (await ask(other, type="clock", id=2, game_time=300_000))["type"] == "ok", (
            "standing still is no going back"
        )
        assert bridge.mind.game_time == 300_000
        assert (await ask(other, type="clock", id=3, game_time=-1))["code"] == "invalid_input"
        assert await talk(other)


async def test_the_bridge_closes_in_the_middle_of_everything() -> None:
    async with calm(lambda request: SLOW) as bridge:
        async with greeted(bridge.url) as one, greeted(bridge.url) as other:
            await first_words(one)
            await send(other, type="talk", id=1, npc="marta", player="p2", text="Me too.")
            await ask(other, type="ping", id=2)
            await bridge.server.close()
            await bridge.server.close()
            for socket in (one, other):
                await socket.wait_closed()
                assert socket.close_code == 1001
        assert set(marks(bridge)) == {"interrupted"}
        assert [turn.text for turn in bridge.mind.store.turns("marta")][-1] == "Me too."
