"""`npc-memory serve` as a game starts it: a process of its own, with a ready line, that ends cleanly and remembers."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bridge.client import BridgeFault, connect
from bridge.messages import ReplyFrame, WorkingMemoryFrame
from npc_memory.cli.app import run
from npc_memory.errors import ConnectionLost
from npc_memory.store import Store

COMMAND = [sys.executable, "-m", "npc_memory.cli", "serve"]


class Served:
    """A running `npc-memory serve`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.process = process
        self.ready = process.stdout.readline().split()
        assert self.ready[:1] == ["ready"], process.stderr.read() if process.stderr else ""
        self.url = self.ready[1]

    def ends(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


@contextmanager
def serving(data: Path, *args: str, prefix: tuple[str, ...] = (), **environment: str) -> Iterator[Served]:
    command = [*prefix, *COMMAND, "--engine", "scripted", "--port", "0", "--data", str(data), *args]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "200", **environment},
    ) as process:
        try:
            yield Served(process)
        finally:
            process.kill()


def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path, *args: str) -> str:
    """What the command says when it does not even start; it runs in this process."""
    monkeypatch.setattr(sys, "argv", ["npc-memory", "serve", "--engine", "scripted", "--data", str(data), *args])
    monkeypatch.setenv("COLUMNS", "200")
    assert run() != 0
    return capsys.readouterr().err


async def said(url: str, text: str, npc: str = "marta", **more: str) -> ReplyFrame:
    async with connect(url, **more) as client:  # type: ignore[arg-type]
        reply = await client.talk(npc, "p1", text, on_text=lambda text: None)
        assert isinstance(reply, ReplyFrame)
        return reply


async def prompt(url: str, npc: str, text: str) -> str:
    async with connect(url) as client:
        shown = await client.request("explain", npc=npc, player="p1", text=text)
        assert isinstance(shown, WorkingMemoryFrame)
        return shown.prompt


def test_the_ready_line_names_what_is_served_and_the_token_of_the_environment_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def with_and_without(url: str) -> None:
        assert await said(url, "Good evening.")
        with pytest.raises(BridgeFault, match="token_required"):
            await prompt(url, "marta", "Hm?")
        async with connect(url, token="s3cret") as client:
            assert (await client.request("explain", npc="marta", player="p1", text="Hm?")).type == "working_memory"

    with serving(tmp_path, NPC_MEMORY_TOKEN="s3cret") as served:
        assert served.ready[2:] == ["emberfall", "scripted", "bit-exact"]
        assert served.url.startswith("ws://127.0.0.1:")
        asyncio.run(with_and_without(served.url))
        errors = refused(capsys, monkeypatch, tmp_path, "--port", "0")
        assert "store_locked" in errors, "two bridges do not share a file"
        served.process.send_signal(signal.SIGTERM)
        assert served.ends() == (0, "")


def test_a_program_that_knows_three_npcs_finds_them_again_after_a_kill(tmp_path: Path) -> None:
    told = {"marta": "My name is Quillon.", "brann": "My sword is chipped.", "edda": "I seek a red amulet."}
    with serving(tmp_path) as served:
        for npc, text in told.items():
            asyncio.run(said(served.url, text, npc))
        served.process.kill()
        assert served.ends()[0] == -signal.SIGKILL
    with serving(tmp_path) as served:
        for npc, text in told.items():
            assert text in asyncio.run(prompt(served.url, npc, "Do you remember me?"))
            assert not any(
                other in asyncio.run(prompt(served.url, npc, "And?")) for other in told.values() if other != text
            )


async def _interrupted(served: Served, number: signal.Signals) -> None:
    """Send the signal while she is being listened for: her snapshot has been taken, and her model has stalled."""
    async with connect(served.url) as client:
        talk = await client.send("talk", npc="marta", player="p1", text="Tell me everything. [[scripted:stall]]")
        assert (await client.request("set_state", entries={"weather": "rain"})).type == "ok"
        served.process.send_signal(number)
        try:
            assert (await talk).type == "cancelled"
        except ConnectionLost as error:
            assert "1001" in str(error)  # noqa: PT017 - it may be told either


BACKGROUND = ("/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh")
"""How a shell starts `command &`: with SIGINT ignored."""


@pytest.mark.parametrize(("number", "prefix"), [(signal.SIGINT, BACKGROUND), (signal.SIGTERM, ())])
def test_what_is_being_said_is_stored_as_interrupted(
    tmp_path: Path, number: signal.Signals, prefix: tuple[str, ...]
) -> None:
    with serving(tmp_path, prefix=prefix) as served:
        asyncio.run(_interrupted(served, number))
        assert served.ends() == (0, "")
    with Store.open(tmp_path / "emberfall.sqlite3", world="emberfall", world_version="1") as store:
        (asked,) = store.turns("marta")
    assert asked.text.startswith("Tell me everything.")
    assert asked.mark == "interrupted"


def test_it_ends_with_its_game(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as game:
        with serving(tmp_path, "--parent-pid", str(game.pid)) as served:
            assert asyncio.run(said(served.url, "Good evening.")).say
            game.kill()  # and nobody collects it yet
            assert served.ends() == (0, "")


def test_a_taken_port_is_told_with_its_cure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        errors = refused(capsys, monkeypatch, tmp_path, "--port", str(taken.getsockname()[1]))
    assert "port_taken" in errors
    assert "--port" in errors
    assert not any(tmp_path.iterdir()), "found out before anything was opened"


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("--host", "0.0.0.0"), "token_required"),
        (("--host", "no.such.host.invalid", "--token", "x"), "port_taken"),
        (("--port", "70000"), "invalid_input"),
        (("--queue", "0"), "invalid_input"),
        (("--port", "0", "nowhere"), "world_not_found"),
    ],
)
def test_what_cannot_be_served_is_refused_at_start(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    args: tuple[str, ...],
    expected: str,
) -> None:
    assert expected in refused(capsys, monkeypatch, tmp_path, *args)


def test_without_a_model_file_it_serves_authored_lines_and_says_so(tmp_path: Path) -> None:
    with serving(tmp_path, "--engine", "llama", "--model", str(tmp_path / "none.gguf")) as served:
        assert served.ready[3] == "-"
        reply = asyncio.run(said(served.url, "Good evening."))
        assert reply.fallback
        assert reply.say
        served.process.send_signal(signal.SIGTERM)
        code, errors = served.ends()
        assert code == 0
        assert "none.gguf" in errors
