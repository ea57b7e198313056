"""The bridge as the game's child: it says when it is ready, and comes back after a crash."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from npc_memory.errors import ConnectionLost
from roguelike.bridge_process import BridgeProcess
from roguelike.link import Link


def runs(pid: int) -> bool:
    """Whether ``pid`` still runs; one that ended and was not collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_it_starts_comes_back_after_a_crash_and_is_gone_after_stop(tmp_path: Path) -> None:
    process = BridgeProcess(["emberfall", "--engine", "scripted", "--data", str(tmp_path)])
    link = Link(process.address, token=process.token)
    running = asyncio.create_task(link.run())
    await asyncio.wait_for(link.here(), 60)
    first = process.pid
    assert first is not None
    assert (await process.ready()).determinism == "bit-exact"
    assert (await link.explain(npc="marta", player="hero", text="Hm?")).prompt, "the launch token was handed over"
    os.kill(first, signal.SIGKILL)
    while link.state == "here":
        await asyncio.sleep(0.01)
    link.put("observe", kind="sight", text="The hero bowed.", audience=["marta"])
    await asyncio.wait_for(link.drained(), 60)
    second = process.pid
    assert second not in (None, first)
    assert "bowed" in (await link.explain(npc="marta", player="hero", text="Who bowed?")).prompt
    await link.close()
    await process.stop()
    await asyncio.wait_for(running, 30)
    assert process.pid is None
    assert not runs(second or 0)


@pytest.mark.full
async def test_a_bridge_that_cannot_start_is_told_with_its_reason(tmp_path: Path) -> None:
    heard: list[str] = []
    process = BridgeProcess(["no-such-world", "--data", str(tmp_path)], on_progress=heard.append)
    with pytest.raises(ConnectionLost, match="no-such-world"):
        await process.address()
    await process.stop()
    assert any("no-such-world" in text for text in heard)
