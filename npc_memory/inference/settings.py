"""How the native library is set: the strict values keep logits bit-identical however the work is cut."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Settings", "child_environment"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The defaults are strict (DESIGN, "Inference"). Anything else may make replies depend on cache and company.

    ``extra_bufts``: weights repacked at load. ``tiled_mm``: tiled kernels from 8 rows on. ``flash_attn``: other order
    of sums. ``kv_unified``: one buffer for all sequences. ``chunk``: most prompt tokens of one step.
    """

    extra_bufts: bool = False
    tiled_mm: bool = False
    flash_attn: bool = False
    kv_unified: bool = False
    chunk: int = 128

    @property
    def loose(self) -> tuple[str, ...]:
        """Names of the switches that are not strict: they change logits, if only from one exact engine to another."""
        return tuple(name for name, value in self.as_map().items() if value is True)

    def as_map(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)


def child_environment(settings: Settings, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of an engine process.

    The library reads switches from its environment once, at load: stray ones of the caller's would change its kernels,
    so they are taken out. Threads wait without spinning unless the caller says otherwise: a game wants its cores.
    """
    environment = {
        name: value
        for name, value in (os.environ if base is None else base).items()
        if name == "LLAMA_CPP_LIB_PATH" or not name.startswith(("GGML_", "LLAMA_"))
    }
    environment["GGML_CPU_TILED_MM"] = "1" if settings.tiled_mm else "0"
    environment.setdefault("OMP_WAIT_POLICY", "passive")
    return environment
