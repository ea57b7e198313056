"""What is bounded: frames in line, frames waiting for a slow reader, lines for one NPC and for all."""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import Callable

import pytest
from bridge_kit import Raw, gate, raw
from hypothesis import given
from hypothesis import strategies as st

from bridge import connection as connection_module
from bridge import lane as lane_module
from bridge import outbox as outbox_module
from bridge.connection import Connection
from bridge.messages import DueFrame, PongFrame, ReplyFrame, ServerFrame, TokenFrame
from bridge.outbox import Outbox
from bridge.testing import TestBridge, scripted_bridge
from bridge.turns import Turns
from npc_memory.errors import EngineBusy


def only(bridge: TestBridge) -> Connection:
    """The server's end of the one connection there is."""
    (connection,) = bridge.server._connections
    return connection


async def until(there: Callable[[], bool]) -> None:
    while not there():
        await asyncio.sleep(0.005)


async def stop_reading(client: Raw, bridge: TestBridge) -> None:
    """The client reads no more and its system takes little."""
    for transport in (client.socket.transport, only(bridge)._socket.transport):
        found = transport.get_extra_info("socket")
        found.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        found.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
    client.socket.transport.pause_reading()


async def block(client: Raw, bridge: TestBridge) -> int:
    """Ask for prompts until the server cannot get rid of them; return how many were asked for."""
    await stop_reading(client, bridge)
    for asked in range(1, 1000):
        await client.send(type="explain", id=1000 + asked, npc="marta", player="p1", text="Hm?")
        await asyncio.sleep(0.01)
        if only(bridge)._outbox.waiting >= 2:
            return asked
    raise AssertionError("everything was taken")


# -- the outbox


@given(st.lists(st.tuples(st.sampled_from(["token", "other", "send"]), st.integers(1, 3)), max_size=60))
def test_tokens_are_joined_never_dropped_and_order_is_kept(steps: list[tuple[str, int]]) -> None:
    put: list[ServerFrame] = []
    sent: list[ServerFrame] = []

    async def play() -> None:
        outbox = Outbox()
        for number, (step, re) in enumerate(steps):
            if step == "send":
                if outbox.waiting:
                    sent.append(outbox._next())
                continue
            frame: ServerFrame = TokenFrame(re=re, text=f"{number} ") if step == "token" else PongFrame(re=number)
            put.append(frame)
            outbox.put(frame)
        while outbox.waiting:
            sent.append(outbox._next())

    asyncio.run(play())
    for re in (1, 2, 3):
        assert _said(sent, re) == _said(put, re)
    others = [frame for frame in put if not isinstance(frame, TokenFrame)]
    assert [frame for frame in sent if not isinstance(frame, TokenFrame)] == others


def _said(frames: list[ServerFrame], re: int) -> str:
    return "".join(frame.text for frame in frames if isinstance(frame, TokenFrame) and frame.re == re)


async def test_a_reply_never_overtakes_its_words() -> None:
    outbox, sent = Outbox(), []
    reply = ReplyFrame(re=1, npc="n", say="ab", mood="", turn="t", kind="talk", fallback=False, dropped=0, audit="a")
    for frame in (TokenFrame(re=1, text="a"), TokenFrame(re=2, text="x"), TokenFrame(re=1, text="b"), reply):
        outbox.put(frame)
    while outbox.waiting:
        sent.append(outbox._next())
    assert sent == [TokenFrame(re=1, text="ab"), TokenFrame(re=2, text="x"), reply]


# -- a slow reader on a real socket


async def test_a_slow_reader_gets_his_words_joined_and_all_of_them() -> None:
    words = ["Sit down, friend.", "The stew is hot.", "Brann shoes horses.", "Rain is coming.", "Mind the step."]
    async with scripted_bridge([" ".join(words)]) as bridge, raw(bridge.url) as client:
        asked = await block(client, bridge)
        await client.send(type="talk", id=1, npc="marta", player="p1", text="Hi")
        await until(lambda: bool(bridge.mind.store.turns("marta")) and not only(bridge)._lane._under_way)
        client.socket.transport.resume_reading()
        reply = await client.answer(1)
        assert "".join(client.words(1)) == reply["say"] == " ".join(words)
        assert len(client.words(1)) == 1, "they waited in one piece"
        assert [f["re"] for f in client.seen if f["type"] == "working_memory"] == [
            1000 + n for n in range(1, asked + 1)
        ]


async def test_nothing_more_is_read_from_one_who_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 32
    monkeypatch.setattr(outbox_module, "MOST_WAITING", most)
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        await block(client, bridge)
        frames = 20 * most

        async def ask() -> None:
            for id in range(frames):
                await client.send(type="ping", id=id)

        asking = asyncio.ensure_future(ask())
        connection = only(bridge)
        await until(lambda: connection._outbox.waiting >= most)
        async with raw(bridge.url) as other:
            assert (await other.talk(1, "brann", "Hi"))["type"] == "reply", "others do not notice"
        assert connection._outbox.waiting < most + 8, "the explained prompts that were under way come on top"
        client.socket.transport.resume_reading()
        await asking
        await client.answer(frames - 1)
        assert [f["re"] for f in client.seen if f["type"] == "pong"] == list(range(frames))


async def test_one_who_reads_nothing_for_too_long_is_cut_off_by_the_pushes_he_does_not_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 200
    monkeypatch.setattr(connection_module, "MOST_PUSHED", most)
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        await block(client, bridge)
        pushed = 0
        while only(bridge)._outbox.waiting < most:
            bridge.server.push(DueFrame(npc="marta", note="Well?", urgency=0.1))
            pushed += 1
        assert pushed > most / 2
        await asyncio.sleep(0)
        assert bridge.server.clients == 1
        bridge.server.push(DueFrame(npc="marta", note="Well?", urgency=0.1))
        await until(lambda: bridge.server.clients == 0)
        client.socket.transport.abort()


# -- frames in line


async def test_a_line_that_is_full_stops_the_reader_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    held, most = gate(), 64
    monkeypatch.setattr(lane_module, "MOST_IN_LANE", most)
    frames = 4 * most
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=0, npc="marta", player="p1", text="First")
        await held.until(1)
        await client.send(type="talk", id=1, npc="marta", player="p1", text="Second")

        async def ask() -> None:
            for n in range(frames):
                await client.send(type="clock", id=2 + n, game_time=200_000 + n)

        asking = asyncio.ensure_future(ask())
        lane = only(bridge)._lane
        await until(lambda: len(lane._waiting) == most)
        for _ in range(20):
            await asyncio.sleep(0.001)
        assert len(lane._waiting) == most
        held.open()
        await asking
        await client.answer(1 + frames)
        assert [f["re"] for f in client.seen if f["type"] == "ok"] == list(range(2, 2 + frames))
        assert bridge.mind.game_time == 200_000 + frames - 1


# -- turns


async def test_turns_come_in_the_order_of_asking_for_each_npc() -> None:
    turns, order = Turns(10, 100), []

    async def take(npc: str, number: int) -> None:
        async with turns.turn("", npc):
            order.append((npc, number))
            await asyncio.sleep(0)

    await asyncio.gather(*(take(npc, n) for n in range(5) for npc in ("a", "b")))
    assert [n for npc, n in order if npc == "a"] == [n for npc, n in order if npc == "b"] == list(range(5))
    assert (turns.waiting, turns._lines) == (0, {})


async def test_too_many_for_one_or_for_all_are_busy_and_cost_nobody_his_place() -> None:
    turns, leave = Turns(2, 3), asyncio.Event()

    async def take(npc: str) -> str:
        async with turns.turn("", npc):
            await leave.wait()
            return npc

    async def refused(npc: str) -> float:
        with pytest.raises(EngineBusy) as busy:
            async with turns.turn("", npc):
                raise AssertionError("it had a turn")
        return busy.value.retry_after

    waiting = [asyncio.ensure_future(take(npc)) for npc in ("a", "a", "b")]
    await asyncio.sleep(0)
    assert await refused("a") > 0
    assert await refused("c") > 0
    waiting[1].cancel()
    await asyncio.sleep(0)
    other = asyncio.ensure_future(take("c"))
    leave.set()
    assert await asyncio.gather(waiting[0], waiting[2], other) == ["a", "b", "c"]
    assert (turns.waiting, turns._lines) == (0, {})


async def test_a_key_is_held_until_it_is_answered() -> None:
    turns, order = Turns(2, 3), []

    async def use(key: str, name: str) -> None:
        async with turns.key("", key):
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")

    await asyncio.gather(use("k", "one"), use("k", "two"), use("", "none"))
    assert order.index("one out") < order.index("two in")
    assert order.index("none in") < order.index("one out")
    assert turns._keys == {}
