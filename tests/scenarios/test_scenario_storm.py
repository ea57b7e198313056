"""Too much at once: thousands of frames, garbage, readers who do not read, a thousand who say nothing."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgpack
import pytest

from bridge.client import connect
from bridge.messages import ReplyFrame
from bridge.testing import TestBridge, scripted_bridge

LONG = "The stew is hot. Sit down, friend. Eat. Drink. The night is cold. Stay a while."


@asynccontextmanager
async def storm(script: Any = None, **more: Any) -> AsyncIterator[TestBridge]:
    """A bridge that must leave no task and no thread behind, and still answers a newcomer at the end."""
    threads = {thread.ident for thread in threading.enumerate()}
    tasks = asyncio.all_tasks()
    async with scripted_bridge(script, **more) as bridge:
        yield bridge
        while bridge.server.clients:
            await asyncio.sleep(0.01)
        async with connect(bridge.url) as newcomer:
            assert (await newcomer.request("ping")).type == "pong"
    assert {thread.ident for thread in threading.enumerate()} <= threads
    assert asyncio.all_tasks() <= tasks


async def raw_socket(bridge: TestBridge) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A TCP connection that has done the websocket handshake and nothing else."""
    reader, writer = await asyncio.open_connection("127.0.0.1", bridge.server.port, limit=1 << 20)
    writer.write(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def masked(payload: bytes, *, declared: int | None = None) -> bytes:
    """A binary websocket frame of a client, with a mask of zeros."""
    size = len(payload) if declared is None else declared
    head = bytes([0x82, 0x80 | size]) if size < 126 else bytes([0x82, 0xFE]) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


HELLO = msgpack.packb({"type": "hello", "id": 0, "protocol": 1, "client": "storm"})


async def test_thousands_of_frames_at_once_are_all_answered_in_order() -> None:
    async with storm() as bridge, connect(bridge.url) as client:
        pending = [await client.send("clock", game_time=300_000 + n) for n in range(1500)]
        pending += [await client.send("ping") for _ in range(1500)]
        answers = [await one for one in pending]
        assert [one.type for one in answers] == ["ok"] * 1500 + ["pong"] * 1500
        assert bridge.mind.game_time == 301_499


async def test_a_slow_reader_gets_every_word_and_holds_nobody_up() -> None:
    async with storm([LONG]) as bridge:
        reader, writer = await raw_socket(bridge)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        writer.write(masked(HELLO))
        for n in range(1, 4):
            said = {"type": "talk", "id": n, "npc": "marta", "player": "slow", "text": f"Line {n}"}
            writer.write(masked(msgpack.packb(said)))
        for n in range(4, 400):  # answers nobody reads
            writer.write(masked(msgpack.packb({"type": "explain", "id": n, "npc": "edda", "player": "p", "text": "?"})))
        async with connect(bridge.url) as quick:
            reply = await quick.talk("brann", "quick", "Hi")
            assert isinstance(reply, ReplyFrame)
            while len(bridge.mind.store.turns("marta")) < 6:
                await asyncio.sleep(0.01)
        words: dict[int, str] = {}
        says: dict[int, str] = {}
        while len(says) < 3:
            frame = await read_frame(reader)
            if frame["type"] == "token":
                words[frame["re"]] = words.get(frame["re"], "") + frame["text"]
            elif frame["type"] == "reply":
                says[frame["re"]] = frame["say"]
        assert words == says
        writer.close()
        await writer.wait_closed()


async def read_frame(reader: asyncio.StreamReader) -> dict[str, Any]:
    _, size = await reader.readexactly(2)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    elif size == 127:
        size = int.from_bytes(await reader.readexactly(8), "big")
    return msgpack.unpackb(await reader.readexactly(size))


async def test_garbage_is_answered_and_forgotten() -> None:
    async with storm() as bridge:
        reader, writer = await raw_socket(bridge)
        for n in range(300):
            writer.write(masked(bytes([n % 256]) * (n % 120)))
        writer.write(masked(HELLO))
        codes = [await read_frame(reader) for _ in range(301)]
        assert {one.get("code") for one in codes[:300]} == {"bad_frame"}
        assert codes[300]["type"] == "welcome"
        writer.close()
        await writer.wait_closed()
        assert bridge.mind.store.turns("marta") == ()


@pytest.mark.full
async def test_a_thousand_idle_connections_and_somebody_who_talks() -> None:
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < 4096:
        pytest.skip(f"this system allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    async with storm([LONG]) as bridge:
        idle = [await raw_socket(bridge) for _ in range(1000)]
        async with connect(bridge.url) as client:
            assert bridge.server.clients == 1001
            reply = await client.talk("marta", "p1", "Hi")
            assert isinstance(reply, ReplyFrame)
            assert reply.say == LONG
        for _, writer in idle:
            writer.transport.abort()
