"""Bad weather over a real socket: what happens is defined, nothing accepted is lost, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgpack
import pytest

from bridge.client import connect
from bridge.messages import ReplyFrame
from bridge.server import Server
from bridge.testing import TestBridge, scripted_bridge
from npc_memory.inference import LlamaEngine, find_model
from npc_memory.inference.script import Reply
from npc_memory.mind import Mind
from npc_memory.opening import prompt_for
from npc_memory.store import Store
from npc_memory.world import load_world

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


@pytest.mark.parametrize("end", ["half a frame", "half a handshake", "nothing at all", "no websocket"])
async def test_half_of_anything_leaves_nothing(end: str) -> None:
    async with storm() as bridge:
        if end == "half a frame":
            _, writer = await raw_socket(bridge)
            writer.write(masked(HELLO))
            said = msgpack.packb({"type": "talk", "id": 1, "npc": "marta", "player": "p", "text": "x" * 90})
            writer.write(masked(said[:40], declared=len(said)))
        else:
            _, writer = await asyncio.open_connection("127.0.0.1", bridge.server.port)
            sent = {"half a handshake": b"GET / HTTP/1.1\r\nHost: x\r\n", "no websocket": b"\x00\xff" * 50}
            writer.write(sent.get(end, b""))
        await writer.drain()
        writer.transport.abort()
        await asyncio.sleep(0)
        assert bridge.mind.store.turns("marta") == ()


async def test_clients_that_vanish_leave_what_they_said_and_no_more() -> None:
    async with storm(lambda request: Reply(LONG, "slow")) as bridge:
        for n in range(8):
            reader, writer = await raw_socket(bridge)
            writer.write(masked(HELLO))
            npc = ["marta", "brann", "edda", "jory"][n % 4]
            writer.write(masked(msgpack.packb({"type": "talk", "id": 1, "npc": npc, "player": f"p{n}", "text": "Hi"})))
            await writer.drain()
            await read_frame(reader)
            writer.transport.abort()
        while bridge.server.clients:
            await asyncio.sleep(0.01)
        said = [turn for npc in ("marta", "brann", "edda", "jory") for turn in bridge.mind.store.turns(npc)]
        assert sorted({turn.player for turn in said}) == [f"p{n}" for n in range(8)]
        assert all(turn.mark in ("", "interrupted") for turn in said)


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


@pytest.mark.full
@pytest.mark.model
@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
async def test_an_engine_killed_in_mid_stream_is_stood_in_for_and_comes_back(tmp_path: Path) -> None:
    world = load_world("emberfall")
    store = Store.open(tmp_path / "w.sqlite3", world=world.id, world_version=world.version)
    with Mind(world, store, LlamaEngine(find_model(), n_ctx=2048, n_threads=2), prompt_for()) as mind:
        async with Server(mind, port=0) as server, connect(server.url) as client:
            asked = await client.send("talk", npc="marta", player="p1", text="Tell me a long story of the town.")
            while "marta" not in mind._speaking:  # she has begun: her prompt is being read
                await asyncio.sleep(0.01)
            assert children(os.getpid())
            for pid in children(os.getpid()):
                os.kill(pid, signal.SIGKILL)
            reply = await asked
            assert isinstance(reply, ReplyFrame)
            assert reply.say
            if reply.fallback:
                assert mind.store.turns("marta")[-1].mark == "fallback"
            again = await client.talk("brann", "p1", "Good evening.")
            assert isinstance(again, ReplyFrame)
            assert mind.explain(again.audit).attempts[0].text


def children(parent: int) -> list[int]:
    """The engine processes this process has started (Linux)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(fields[1]) == parent and b"inference.child" in words:
                found.append(int(entry.name))
    return found
