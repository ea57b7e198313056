"""Where worlds, prompts and the model catalogue lie: in a checkout beside the package, in a wheel inside it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

__all__ = ["resource_dir"]

_PACKAGE = Path(__file__).resolve().parent


def resource_dir(kind: Literal["worlds", "prompts", "models"]) -> Path:
    """Return the folder that holds the shipped ``kind``: the wheel's own copy, else the checkout's."""
    packed = _PACKAGE / "_data" / kind
    return packed if packed.is_dir() else _PACKAGE.parent / kind
