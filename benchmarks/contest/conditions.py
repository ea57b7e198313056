"""Under what conditions a run was made: what a ratio cannot tell."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from npc_memory.inference import Engine, Settings
from npc_memory.version import __version__

__all__ = ["conditions", "load_average"]


def conditions(
    engine: Engine, *, threads: int, slots: int, settings: Settings, options: dict[str, Any]
) -> dict[str, Any]:
    """Machine, model, build, settings, versions."""
    info = engine.info
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load_average_before": load_average(),
        "model": info.model,
        "model_sha256": info.model_sha256,
        "build": info.build,
        "determinism": info.determinism.word,
        "n_ctx": info.n_ctx,
        "threads": threads,
        "sequences": slots,
        "settings": asdict(settings),
        "versions": {
            "npc-memory": __version__,
            "llama-cpp-python": _version("llama-cpp-python"),
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
        },
        "options": options,
    }


def load_average() -> list[float] | None:
    """Of the last 1, 5 and 15 minutes, where the system tells."""
    return [round(one, 2) for one in os.getloadavg()] if hasattr(os, "getloadavg") else None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
