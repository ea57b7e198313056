"""Where set-up keeps its things, all below the checkout."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Layout"]


@dataclass(frozen=True)
class Layout:
    """The folders of one checkout at ``root``."""

    root: Path

    @property
    def venv(self) -> Path:
        """The environment that everything runs in."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.venv / "bin" / "python"

    @property
    def cache(self) -> Path:
        """What may be deleted at the cost of time."""
        return self.root / ".cache"

    @property
    def wheels(self) -> Path:
        """Compiled engines, one folder per key."""
        return self.cache / "wheels"

    @property
    def vocabs(self) -> Path:
        """Vocabularies of other model families, for the tests of promise P9."""
        return self.cache / "vocabs"

    @property
    def logs(self) -> Path:
        """The full output of each step."""
        return self.cache / "logs"

    @property
    def models(self) -> Path:
        """The catalogue of models."""
        return self.root / "models"

    @property
    def model_files(self) -> Path:
        """Model files: where npc-memory looks for them, ``NPC_MEMORY_MODELS`` or beside the catalogue."""
        return Path(os.environ.get("NPC_MEMORY_MODELS") or self.models)

    def requirements(self, name: str) -> Path:
        """The hashed lock file ``requirements/<name>.txt``."""
        return self.root / "requirements" / f"{name}.txt"
