"""A bridge notices that its game has died, also before anyone has collected the dead process."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bridge import parent
from bridge.parent import parent_gone

WAIT = "import sys; sys.stdin.read()"


@pytest.fixture
def game() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", WAIT], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


async def test_as_long_as_it_lives_nothing_happens(game: subprocess.Popen[bytes]) -> None:
    waiting = asyncio.ensure_future(parent_gone(game.pid))
    done, _ = await asyncio.wait([waiting], timeout=0.1)
    assert not done
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system has no process descriptors")
async def test_a_dead_one_is_gone_before_it_is_collected(game: subprocess.Popen[bytes]) -> None:
    waiting = asyncio.ensure_future(parent_gone(game.pid))
    await asyncio.sleep(0)
    game.kill()
    await asyncio.wait_for(waiting, 30)
    os.kill(game.pid, 0)  # still there: nobody has waited for it
    await asyncio.wait_for(parent_gone(game.pid), 30)


async def test_one_that_never_was_is_gone(game: subprocess.Popen[bytes]) -> None:
    game.kill()
    game.wait()
    await asyncio.wait_for(parent_gone(game.pid), 30)


async def test_where_the_system_cannot_tell_it_is_looked_for(
    game: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    monkeypatch.setattr(parent, "POLL", 0.01)
    waiting = asyncio.ensure_future(parent_gone(game.pid))
    await asyncio.wait([waiting], timeout=0.05)
    assert not waiting.done()
    game.kill()
    game.wait()
    await asyncio.wait_for(waiting, 30)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
def test_a_parent_that_another_replaced_is_gone() -> None:
    """Without descriptors: the child of a dead parent has another one, whatever became of the number."""
    script = """
import os, sys, time
from bridge.parent import _looker
game = os.getpid()
if os.fork() == 0:
    runs = _looker(game)
    print("looking" if runs() else "dead", flush=True)
    while runs():
        time.sleep(0.01)
    print("gone", flush=True)
    os._exit(0)
sys.stdin.read(1)
os._exit(0)
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "looking\n"
        process.stdin.write("x")
        process.stdin.close()
        assert process.stdout.read() == "gone\n", "its body is not collected yet"
