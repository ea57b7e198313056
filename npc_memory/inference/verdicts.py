"""What is worth keeping between starts: a model file's sha256, and the probe's verdict on a model in a build.

A cache: it may be deleted at any time and is never more than a saving of seconds.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from npc_memory.inference.request import Determinism

__all__ = ["Verdicts", "cache_dir", "hash_file"]

PROBE = 2
"""Version of the probe. Raise it whenever ``probe.py`` changes, or old verdicts are believed for ever."""

_BLOCK = 4 * 1024 * 1024


def cache_dir() -> Path:
    """Return the folder for caches: ``NPC_MEMORY_CACHE``, else the platform's."""
    if own := os.environ.get("NPC_MEMORY_CACHE"):
        return Path(own)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "npc-memory" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "npc-memory"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "npc-memory"


def hash_file(path: Path, progress: Callable[[int, int], None] | None = None) -> str:
    """Return the sha256 of a file; ``progress`` hears bytes done and bytes in all."""
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
            done += len(block)
            if progress is not None:
                progress(done, total)
    return digest.hexdigest()


class Verdicts:
    """Small JSON files in ``folder``, one per question, replaced whole."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder if folder is not None else cache_dir()

    def model_sha256(self, path: Path) -> str:
        """Return a model file's sha256, remembered as long as its size, time and inode stay the same."""
        status = path.stat()
        mark = [str(path.resolve()), status.st_size, status.st_mtime_ns, status.st_ino]
        known = self._read("sha256", mark)
        if known is not None and isinstance(known.get("sha256"), str):
            return str(known["sha256"])
        found = hash_file(path)
        self._write("sha256", mark, {"sha256": found})
        return found

    def get(self, model: str, build: str, settings: Mapping[str, Any]) -> Determinism | None:
        """Return the remembered verdict, if any."""
        known = self._read("verdict", [PROBE, model, build, dict(settings)])
        if known is None or known.get("word") not in ("bit-exact", "prompt-only"):
            return None
        return Determinism("bit-exact" if known["word"] == "bit-exact" else "prompt-only", str(known.get("reason")))

    def put(self, model: str, build: str, settings: Mapping[str, Any], verdict: Determinism) -> None:
        """Remember a verdict."""
        answer = {"word": verdict.word, "reason": verdict.reason}
        self._write("verdict", [PROBE, model, build, dict(settings)], answer)

    def _path(self, kind: str, question: list[Any]) -> Path:
        key = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:32]
        return self._folder / f"{kind}-{key}.json"

    def _read(self, kind: str, question: list[Any]) -> dict[str, Any] | None:
        try:
            kept = json.loads(self._path(kind, question).read_text("utf-8"))
        except (OSError, ValueError):
            return None  # No cache, or half a one: the question is simply asked again.
        return kept if isinstance(kept, dict) and kept.get("question") == question else None

    def _write(self, kind: str, question: list[Any], answer: Mapping[str, Any]) -> None:
        path = self._path(kind, question)
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps({"question": question, **answer}, indent=1), "utf-8")
            part.replace(path)
        except OSError:
            with suppress(OSError):  # A read-only or full disk costs the next start seconds, nothing else.
                part.unlink(missing_ok=True)
