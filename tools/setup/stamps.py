"""Stamps: what a stage was made from, written last, so that an interrupted stage has none."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["digest", "file_sha256", "key_of", "read_stamp", "write_json"]


def file_sha256(path: Path) -> str:
    """The file's SHA-256 in hex, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(files: Iterable[Path]) -> str:
    """One hash over the names and contents of ``files``."""
    found = [(path.name, file_sha256(path)) for path in files]
    return key_of({"files": found})


def key_of(parts: Mapping[str, Any]) -> str:
    """A short key of everything a stage depends on; the same parts in any order give the same key."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def read_stamp(path: Path) -> dict[str, Any]:
    """The stamp's content; empty when there is none or it was cut off."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, json.JSONDecodeError, UnicodeDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write ``content`` so that a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    with half.open("w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, sort_keys=True)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)
