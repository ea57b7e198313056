"""Waiting for another process to end: a bridge started by a game must not outlive it."""

from __future__ import annotations

import asyncio
import os
import sys

__all__ = ["POLL", "parent_gone"]

POLL = 0.5
"""Seconds between looks, where the system cannot tell by itself."""


async def parent_gone(pid: int) -> None:
    """Return when process ``pid`` has ended. A process that has ended but was not collected yet counts as ended."""
    if sys.platform == "win32":
        await asyncio.to_thread(_wait_on_windows, pid)
    elif hasattr(os, "pidfd_open"):
        await _wait_for_descriptor(pid)
    else:
        while _runs(pid):
            await asyncio.sleep(POLL)


async def _wait_for_descriptor(pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(descriptor, ended.set)
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _wait_on_windows(pid: int) -> None:
    import ctypes

    synchronize, forever = 0x00100000, 0xFFFFFFFF
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(synchronize, False, pid)
    if handle:
        kernel.WaitForSingleObject(handle, forever)
        kernel.CloseHandle(handle)
