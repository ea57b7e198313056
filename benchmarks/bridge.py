"""What the bridge costs: `npc-memory bench bridge [--json] [--turns N]`.

1. Frames per second without a model: `ping` to the bridge against a bare `websockets` echo of the same bytes, same
   client, alternated in one run; each server in a process of its own. Once with one frame under way, once with many.
2. 1,000 connections of which 200 talk to the scripted engine, until N turns are made; the server's memory every tenth.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

CONNECTIONS, TALKERS = 1000, 200
FRAMES, ROUNDS, WINDOW = 4000, 5, 64

ECHO = """
import asyncio
from websockets.asyncio.server import serve

async def echo(socket):
    async for message in socket:
        await socket.send(message)

async def main():
    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        print("ready ws://127.0.0.1:%d" % server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().create_future()

asyncio.run(main())
"""


class Process:
    """A server in a process of its own; ``url`` is where it listens."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, encoding="utf-8")
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()
        if len(words) < 2 or words[0] != "ready":
            raise RuntimeError(f"no server came up: {words}")
        self.url = words[1]

    def memory(self) -> float:
        """Resident memory in MiB (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()


async def rate(socket: ClientConnection, message: bytes | str, window: int) -> float:
    """Frames per second with ``window`` of them under way."""
    started = time.perf_counter()
    under_way = 0
    for sent in range(FRAMES):
        await socket.send(message)
        under_way += 1
        if under_way == window or sent == FRAMES - 1:
            for _ in range(under_way):
                await socket.recv()
            under_way = 0
    return FRAMES / (time.perf_counter() - started)


async def beside_an_echo(bridge: str, echo: str) -> dict[str, dict[str, float]]:
    """Median frames per second of both, and their ratio, by format and number of frames under way."""
    found: dict[str, dict[str, float]] = {}
    for format, dump in (("msgpack", msgpack.packb), ("json", json.dumps)):
        names = [Subprotocol(f"npc-memory.v1.{format}")]
        async with (
            connect(bridge, subprotocols=names, compression=None, proxy=None) as ours,
            connect(echo, compression=None, proxy=None) as bare,
        ):
            await ours.send(dump({"type": "hello", "id": 0, "protocol": 1, "client": "bench"}))
            await ours.recv()
            ping = dump({"type": "ping", "id": 1})
            for window in (1, WINDOW):
                rates: dict[str, list[float]] = {"bridge": [], "echo": []}
                for _ in range(ROUNDS):
                    rates["bridge"].append(await rate(ours, ping, window))
                    rates["echo"].append(await rate(bare, ping, window))
                us, them = median(rates["bridge"]), median(rates["echo"])
                found[f"{format}, {window} under way"] = {"bridge": us, "echo": them, "ratio": us / them}
    return found


async def talker(socket: ClientConnection, number: int, npcs: Sequence[str], left: list[int]) -> None:
    """Talk until no turns are left."""
    line = 0
    while left[0] > 0:
        left[0] -= 1
        line += 1
        npc = npcs[(number + line) % len(npcs)]
        frame = {
            "type": "talk",
            "id": line,
            "npc": npc,
            "player": f"p{number}",
            "text": f"Line {line}: is the king well?",
        }
        await socket.send(msgpack.packb(frame))
        while (answer := msgpack.unpackb(await socket.recv()))["type"] == "token":
            pass
        if answer["type"] != "reply" and answer.get("code") != "busy":
            raise RuntimeError(f"an unexpected answer: {answer}")


async def crowd(server: Process, turns: int) -> dict[str, object]:
    """Memory in MiB after each tenth of ``turns`` with all connections open, and turns per second."""
    sockets: list[ClientConnection] = []
    names = [Subprotocol("npc-memory.v1.msgpack")]
    for number in range(CONNECTIONS):
        socket = await connect(server.url, subprotocols=names, compression=None, proxy=None, ping_interval=None)
        await socket.send(msgpack.packb({"type": "hello", "id": 0, "protocol": 1, "client": f"bench {number}"}))
        welcome = msgpack.unpackb(await socket.recv())
        sockets.append(socket)
    npcs = [npc["id"] for npc in welcome["npcs"]]
    memory, started = [("connected", server.memory())], time.perf_counter()
    for tenth in range(1, 11):
        left = [turns // 10]
        await asyncio.gather(*(talker(socket, n, npcs, left) for n, socket in enumerate(sockets[:TALKERS])))
        memory.append((f"{tenth * turns // 10:,} turns", server.memory()))
        print(f"   {memory[-1][0]}: {memory[-1][1]:.1f} MiB", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - started
    for socket in sockets:
        await socket.close()
    return {"memory_mib": dict(memory), "turns_per_second": turns / seconds}


def main(arguments: Sequence[str] = ()) -> None:
    """Run both parts and print them."""
    turns = int(arguments[arguments.index("--turns") + 1]) if "--turns" in arguments else 2000
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as data:
        serve = ["-m", "npc_memory", "serve", "--engine", "scripted", "--port", "0", "--data", data]
        bridge, echo = Process(serve), Process(["-c", ECHO])
        try:
            rates = asyncio.run(beside_an_echo(bridge.url, echo.url))
            result = {"frames_per_second": rates, **asyncio.run(crowd(bridge, turns))}
        finally:
            bridge.stop()
            echo.stop()
    if "--json" in arguments:
        print(json.dumps(result))
        return
    for name, one in rates.items():
        print(f"{name:24} bridge {one['bridge']:8.0f}/s   bare echo {one['echo']:8.0f}/s   ratio {one['ratio']:.2f}")
    print(
        f"{CONNECTIONS} connections, {TALKERS} talking: {result['turns_per_second']:.1f} turns/s; memory of the server:"
    )
    for name, mib in result["memory_mib"].items():  # type: ignore[attr-defined]
        print(f"  {name:>14} {mib:8.1f} MiB")


if __name__ == "__main__":
    main(sys.argv[1:])
