"""The Python client: pleasant when all is well, typed errors when it is not."""

from __future__ import annotations

import asyncio
import socket as sockets
from typing import Any

import pytest
from bridge_kit import gate

from bridge.client import BridgeFault, connect
from bridge.codec import Format
from bridge.messages import CancelledFrame, DueFrame, OkFrame, ReplyFrame, WorkingMemoryFrame
from bridge.server import Server
from bridge.testing import scripted_bridge
from npc_memory.errors import ConnectionLost, InvalidInput, TextTooLong
from npc_memory.inference.script import Reply

TWO = "The stew is hot. Sit down, friend."
SLOW = Reply(TWO + " Eat. Drink. Stay a while.", "slow")


@pytest.mark.parametrize("format", ["msgpack", "json"])
async def test_a_talk(format: Format) -> None:
    words: list[str] = []
    async with scripted_bridge([TWO]) as bridge:
        async with connect(bridge.url, client="test", world="emberfall", format=format) as client:
            assert client.welcome.world == "emberfall"
            assert [npc.id for npc in client.welcome.npcs] == sorted(bridge.mind.world.npcs)
            reply = await client.talk("marta", "p1", "Good evening.", on_text=words.append, place="inn")
            assert isinstance(reply, ReplyFrame)
            assert "".join(words) == reply.say == TWO
            silent = await client.talk("brann", "p1", "Good evening.")
            assert isinstance(silent, ReplyFrame)
            assert silent.say == TWO
            shown = await client.request("explain", audit=reply.audit)
            assert isinstance(shown, WorkingMemoryFrame)
            assert "Good evening." in shown.prompt


async def test_a_stream_ends_with_its_reply() -> None:
    async with scripted_bridge([TWO]) as bridge, connect(bridge.url) as client:
        stream = client.stream("marta", "p1", "Good evening.", key="k")
        words = [text async for text in stream]
        assert isinstance(stream.reply, ReplyFrame)
        assert "".join(words) == stream.reply.say == TWO
        assert [text async for text in stream] == [], "it is over"


async def test_a_stream_can_be_broken_off() -> None:
    async with scripted_bridge(lambda request: SLOW) as bridge, connect(bridge.url) as client:
        stream = client.stream("marta", "p1", "Good evening.")
        words = []
        async for text in stream:
            words.append(text)
            await stream.cancel()
        assert isinstance(stream.reply, CancelledFrame)
        assert bridge.mind.store.turns("marta")[-1].text == "".join(words)


async def test_a_stream_that_fails_says_so_every_time() -> None:
    async with scripted_bridge() as bridge, connect(bridge.url) as client:
        stream = client.stream("nobody", "p1", "Good evening.")
        for _ in range(2):
            with pytest.raises(BridgeFault, match="unknown_id"):
                await anext(stream)


async def test_cancelling_the_waiting_task_cancels_the_talk() -> None:
    heard = asyncio.Event()
    async with scripted_bridge(lambda request: SLOW) as bridge, connect(bridge.url) as client:
        task = asyncio.ensure_future(client.talk("marta", "p1", "Good evening.", on_text=lambda text: heard.set()))
        await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await client.request("end", player="p1")
        assert [turn.mark for turn in bridge.mind.store.turns("marta")] == ["interrupted", "interrupted"]


async def test_requests_under_way_do_not_mix() -> None:
    async with scripted_bridge() as bridge, connect(bridge.url) as client:
        pending = [await client.send("talk", npc=npc, player="p1", text=f"Ho, {npc}") for npc in ("marta", "brann")]
        again = await client.send("ping")
        replies = [await one for one in pending]
        assert [reply.npc for reply in replies] == ["marta", "brann"]
        assert (await again).type == "pong"


async def test_an_error_of_the_bridge_is_raised_with_all_it_says() -> None:
    async with scripted_bridge() as bridge, connect(bridge.url) as client:
        with pytest.raises(BridgeFault) as raised:
            await client.request("set_state", entries={"north_gate": "ajar"})
        fault = raised.value
        assert fault.code == "invalid_input"
        assert "ajar" in fault.message
        assert fault.hint
        assert fault.message in str(fault)
        assert isinstance(await client.request("set_state", entries={"north_gate": "closed"}), OkFrame)


async def test_what_the_bridge_would_refuse_is_not_even_sent() -> None:
    async with scripted_bridge() as bridge, connect(bridge.url) as client:
        with pytest.raises(InvalidInput, match="player"):
            await client.request("talk", npc="marta", text="Hi")
        with pytest.raises(TextTooLong):
            await client.talk("marta", "p1", "x" * 70_000)
        assert (await client.request("ping")).type == "pong"


async def test_a_listener_that_fails_ends_his_own_talk_only() -> None:
    def listen(text: str) -> None:
        raise ZeroDivisionError(text)

    async with scripted_bridge([TWO]) as bridge, connect(bridge.url) as client:
        with pytest.raises(ZeroDivisionError):
            await client.talk("marta", "p1", "Good evening.", on_text=listen)
        assert (await client.talk("brann", "p1", "Good evening.")).type == "reply"


async def test_a_bridge_that_goes_fails_every_open_request() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, connect(bridge.url) as client:
        talks = [await client.send("talk", npc=npc, player="p1", text="Hi") for npc in ("marta", "brann")]
        await held.until(1)
        closing = asyncio.ensure_future(bridge.server.close())
        pushed = [frame async for frame in client.pushes()]
        held.open()
        await closing
        assert pushed == []
        for ended in await asyncio.gather(*talks, return_exceptions=True):
            # The bridge may still find the time to say that it is cancelled.
            assert isinstance(ended, CancelledFrame) or "1001" in str(ended)
        with pytest.raises(ConnectionLost):
            await client.request("ping")


async def test_pushes_come_in_order() -> None:
    async with scripted_bridge() as bridge, connect(bridge.url) as client:
        notes = [DueFrame(npc="marta", note=f"note {n}", urgency=0.5) for n in range(5)]
        for note in notes:
            bridge.server.push(note)
        seen = client.pushes()
        assert [await anext(seen) for _ in notes] == notes


async def test_nobody_there_is_a_typed_error_naming_the_cure() -> None:
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(ConnectionLost, match="npc-memory serve"):
        async with connect(url):
            raise AssertionError("somebody was there")


async def test_a_client_waits_for_a_bridge_that_is_still_starting() -> None:
    async with scripted_bridge() as bridge:
        port = bridge.server.port
        await bridge.server.close()

        async def late() -> Server:
            server = Server(bridge.mind, port=port)
            await server.start()
            return server

        waiting = asyncio.ensure_future(_welcome(f"ws://127.0.0.1:{port}"))
        await asyncio.sleep(0)
        server = await late()
        assert (await waiting).world == "emberfall"
        await server.close()


@pytest.mark.parametrize(
    ("given", "code"), [({"world": "elsewhere"}, "unknown_id"), ({"token": "wrong"}, "token_required")]
)
async def test_no_welcome_no_connection(given: dict[str, Any], code: str) -> None:
    async with scripted_bridge(token="s3cret") as bridge:
        with pytest.raises(BridgeFault) as raised:
            async with connect(bridge.url, **given):
                raise AssertionError("it was welcomed")
        assert raised.value.code == code
        async with connect(bridge.url, token="s3cret", owner="ann") as client:
            assert client.welcome.world == "emberfall"


async def _welcome(url: str) -> Any:
    async with connect(url, retry_for=30) as client:
        return client.welcome
