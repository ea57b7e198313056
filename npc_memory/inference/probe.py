"""The start-up probe: does this library give this model the same logits however the work is cut?

Only ever imported in the engine's own process. A library that was built the wrong way is found here too: pip's wheel
cache does not know which CMAKE_ARGS a wheel was built with.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

from npc_memory.inference.fingerprint import system_info
from npc_memory.inference.native import Model
from npc_memory.inference.probe_subject import Logits, Subject
from npc_memory.inference.request import Determinism
from npc_memory.inference.settings import Settings

__all__ = ["REBUILD", "Findings", "agrees", "probe"]

REBUILD = (
    "make setup in a checkout, elsewhere "
    'CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_LLAMAFILE=OFF" pip install --force-reinstall --no-deps --no-cache-dir'
    " --no-binary llama-cpp-python llama-cpp-python==0.3.36"
)


class Findings(NamedTuple):
    """The word on a model, the logits that any faster settings have to give too, and the seconds a chunk took."""

    determinism: Determinism
    logits: Logits
    seconds: float


def probe(model: Model, n_threads: int, heard: Callable[[int], None]) -> Findings:
    """Examine a loaded model (seconds for a small one). ``heard`` is told of tokens as they are computed."""
    with closing(Subject(model, n_threads, heard)) as subject:
        start = time.perf_counter()
        logits = subject.alone()
        seconds = time.perf_counter() - start
        found = list(subject.checks(logits))
    failed = [name for name, same in found if not same]
    if failed:
        reason = f"logits differ {', '.join(failed)}: {_cause(model.settings)}"
        return Findings(Determinism("prompt-only", reason), logits, seconds)
    names = ", ".join(name for name, _ in found)
    return Findings(Determinism("bit-exact", f"logits are bit-identical {names}"), logits, seconds)


def agrees(model: Model, n_threads: int, logits: Logits, heard: Callable[[int], None]) -> bool:
    """Whether a model loaded in another way gives these very logits, in every way; it ends at the first difference."""
    with closing(Subject(model, n_threads, heard)) as subject:
        if not subject.glance(logits):
            return False
        return subject.alone() == logits and all(same for _, same in subject.checks(logits))


def _cause(settings: Settings) -> str:
    """Name the likeliest cause and its cure."""
    if settings != Settings(chunk=settings.chunk):
        return "the engine was opened with settings that are not strict; leave them at their defaults"
    if "LLAMAFILE = 1" in system_info():
        return f"the library was built without GGML_LLAMAFILE=OFF; rebuild it: {REBUILD}"
    return f"this model's kernels are not exact in this build; use a Q4_1 or Q8_0 file, or rebuild: {REBUILD}"
