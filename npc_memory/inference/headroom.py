"""How much memory a second copy of a model's weights may take."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["available_memory", "room_for"]

_UNKNOWN = 3 * 1024**3
"""Bytes believed to be free where the system does not say."""


def available_memory() -> int | None:
    """Return the bytes programs can still have without swapping, or None where the system does not say."""
    if sys.platform == "win32":
        return _windows()
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return None


def room_for(path: Path, available: int | None = None) -> bool:
    """Whether weights repacked in memory would leave half of what is free; ``available`` is for tests."""
    free = available_memory() if available is None else available
    return path.stat().st_size * 2 <= (_UNKNOWN if free is None else free)


def _windows() -> int | None:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            *((name, ctypes.c_uint64) for name in ("total", "available", "_3", "_4", "_5", "_6", "_7")),
        )

    status = Status(length=ctypes.sizeof(Status))
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009  mypy knows it on Windows alone
    return int(status.available) if kernel.GlobalMemoryStatusEx(ctypes.byref(status)) else None
