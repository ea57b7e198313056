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
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from npc_memory.inference.request import Determinism
from npc_memory.inference.settings import Settings

__all__ = ["Verdict", "Verdicts", "cache_dir", "hash_file", "question", "verdict_from", "verdict_map"]

PROBE = 3
"""Version of the probe. Raise it whenever ``probe*.py`` or ``tuning.py`` changes, or old verdicts stay believed."""

_BLOCK = 4 * 1024 * 1024
_BUILDS = 8
"""Builds of the library whose verdicts on a model are kept."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The probe's word on a model, and the settings to run it with: those asked for, or faster ones of equal bits."""

    determinism: Determinism
    settings: Settings


def question(settings: Settings | None, n_threads: int) -> dict[str, Any]:
    """Return what is asked about a model: these settings as they are, or (None) the fastest strict ones."""
    return {**(settings or Settings()).as_map(), "n_threads": n_threads, "choose": settings is None}


def verdict_map(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain data."""
    word = verdict.determinism
    return {"word": word.word, "reason": word.reason, "settings": verdict.settings.as_map()}


def verdict_from(data: Any) -> Verdict | None:
    """Return the verdict that ``verdict_map`` wrote, None for anything else."""
    try:
        word, reason, settings = data["word"], data["reason"], Settings(**data["settings"])
    except (KeyError, TypeError):
        return None
    sound = all(type(value) is type(known) for value, known in zip(astuple(settings), astuple(Settings()), strict=True))
    if not sound or settings.chunk < 1 or not isinstance(reason, str):
        return None
    if word == "bit-exact":
        return Verdict(Determinism("bit-exact", reason), settings)
    return Verdict(Determinism("prompt-only", reason), settings) if word == "prompt-only" else None


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


def _key(question: Any) -> str:
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:32]


class Verdicts:
    """Small JSON files in ``folder``, one per question, replaced whole."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder if folder is not None else cache_dir()
        self._told: dict[tuple[str, str], dict[str, Verdict]] = {}

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

    def known(self, model: str, asked: Mapping[str, Any]) -> dict[str, Verdict]:
        """Return the remembered verdicts on a model by build; ``asked`` is what ``question`` returns."""
        kept = self._read("verdict", [PROBE, model, dict(asked)])
        builds = kept.get("builds") if kept is not None else None
        found = {build: verdict_from(data) for build, data in builds.items()} if isinstance(builds, dict) else {}
        found.update(self._told.get((model, _key(dict(asked))), {}))
        return {build: verdict for build, verdict in found.items() if verdict is not None}

    def put(self, model: str, build: str, asked: Mapping[str, Any], verdict: Verdict) -> None:
        """Remember a verdict, also where nothing can be written: then for as long as this object lives."""
        self._told.setdefault((model, _key(dict(asked))), {})[build] = verdict
        newest = {**self.known(model, asked), build: verdict}
        builds = {build: verdict_map(newest[build]) for build in list(newest)[-_BUILDS:]}
        self._write("verdict", [PROBE, model, dict(asked)], {"builds": builds})

    def _path(self, kind: str, question: list[Any]) -> Path:
        return self._folder / f"{kind}-{_key(question)}.json"

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
