"""What holds where nobody chose, and where a world's file lies: what commands ask before anything heavy is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

__all__ = ["DEFAULT_MODEL", "EngineKind", "store_path"]

DEFAULT_MODEL = "smollm2-135m-instruct"

EngineKind = Literal["llama", "scripted"]


def store_path(data: Path, world_id: str) -> Path:
    """The file that holds what the NPCs of a world remember."""
    return data / f"{world_id}.sqlite3"
