"""Waiting for another process to end: a bridge started by a game must not outlive it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

__all__ = ["POLL", "parent_gone"]

POLL = 0.5
"""Seconds between looks, where the system cannot tell by itself."""


async def parent_gone(pid: int) -> None:
    """Return when process ``pid`` has ended. One that has ended but was not collected yet counts as ended, except where
    the system has no process descriptors (macOS) and ``pid`` is not the parent of this process.
    """
    if sys.platform != "win32" and hasattr(os, "pidfd_open"):
        await _wait_for_descriptor(pid)
        return
    runs = _looker_on_windows(pid) if sys.platform == "win32" else _looker(pid)
    while runs():
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


def _looker(pid: int) -> Callable[[], bool]:
    """Whether ``pid`` runs, by signals that are not sent; a parent is known to be gone when another took its place."""
    is_parent = os.getppid() == pid

    def runs() -> bool:
        if is_parent:
            return os.getppid() == pid
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    return runs


def _looker_on_windows(pid: int) -> Callable[[], bool]:
    """The same by a handle, which goes on naming this process when its number is used again."""
    import ctypes

    synchronize, still_waiting = 0x00100000, 0x102
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(synchronize, False, pid)
    return lambda: bool(handle) and kernel.WaitForSingleObject(handle, 0) == still_waiting
