"""Model files on this machine: list them, find one, check one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from npc_memory.errors import ModelDamaged, ModelMissing
from npc_memory.inference.catalogue import CatalogueEntry, catalogue
from npc_memory.inference.verdicts import hash_file
from npc_memory.resources import resource_dir

__all__ = [
    "InstalledModel",
    "VerifiedModel",
    "check_header",
    "check_sha256",
    "check_size",
    "entry_of",
    "find_model",
    "list_models",
    "models_dir",
    "verify_model",
]

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SMALLEST = 24


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model of the catalogue, or a stray file of the folder (``entry`` is ``None``); ``path`` if it is here."""

    name: str
    path: Path | None
    entry: CatalogueEntry | None


@dataclass(frozen=True, slots=True)
class VerifiedModel:
    """A sound file: size in bytes, sha256, and the catalogue's name for it if it has one."""

    path: Path
    size: int
    sha256: str
    name: str | None


def models_dir() -> Path:
    """Return the folder for model files: ``NPC_MEMORY_MODELS``, else the checkout's, else the user's data folder."""
    if own := os.environ.get("NPC_MEMORY_MODELS"):
        return Path(own)
    shipped = resource_dir("models")
    packed = {"site-packages", "dist-packages", "_data"} & set(shipped.parts)
    return shipped if not packed and os.access(shipped, os.W_OK) else _user_data() / "models"


def list_models() -> list[InstalledModel]:
    """Return the catalogue's models, then other GGUF files of the folder by name."""
    folder = models_dir()
    listed = [InstalledModel(e.name, _here(folder / e.file), e) for e in catalogue()]
    known = {e.file for e in catalogue()}
    strays = sorted(p for p in folder.glob("*.gguf") if p.name not in known)
    return listed + [InstalledModel(p.stem, p, None) for p in strays]


def find_model(name_or_path: str | Path | None = None) -> Path:
    """Return the file of a catalogue name, a file name in the models folder, or a path; ``None``: the default model.

    Raises ``ModelMissing`` that names the cure. The file is not read; see ``verify_model``.
    """
    wanted = str(name_or_path) if name_or_path is not None else default_entry().name
    entry = next((e for e in catalogue() if e.name == wanted), None)
    if entry is not None:
        path = models_dir() / entry.file
        if path.is_file():
            return path
        raise ModelMissing(
            f"the model {entry.name} is not on this machine ({path})",
            hint=f"npc-memory models pull {entry.name}",
            details={"name": entry.name, "path": str(path)},
        )
    for path in (Path(wanted), models_dir() / wanted, models_dir() / f"{wanted}.gguf"):
        if path.is_file():
            return path
    known = ", ".join(e.name for e in catalogue())
    raise ModelMissing(
        f"there is no model {wanted!r}",
        hint=f"give the path of a .gguf file, or npc-memory models pull {default_entry().name} (known: {known})",
        details={"name": wanted},
    )


def default_entry() -> CatalogueEntry:
    """Return the catalogue's default model."""
    return next((e for e in catalogue() if e.default), catalogue()[0])


def entry_of(path: Path) -> CatalogueEntry | None:
    """Return the catalogue entry a file claims to be by its name, if any."""
    return next((e for e in catalogue() if e.file == path.name), None)


def check_header(path: Path) -> None:
    """Raise ``ModelMissing`` or ``ModelDamaged`` unless the file begins as a GGUF file does."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_SMALLEST)
    except FileNotFoundError:
        raise _missing(path) from None
    except OSError as error:
        raise ModelDamaged(f"{path} cannot be read: {error.strerror}", hint="check the file and its rights") from error
    version = int.from_bytes(head[4:8], "little")
    if len(head) < _SMALLEST or head[:4] != _MAGIC or version not in _VERSIONS:
        raise ModelDamaged(f"{path} is not a GGUF file of version 2 or 3", hint=_cure(path))


def check_size(path: Path, entry: CatalogueEntry | None) -> int:
    """Return a file's size in bytes; raise ``ModelDamaged`` if it is not ``entry``'s."""
    size = path.stat().st_size
    if entry is not None and size != entry.size:
        what = "truncated" if size < entry.size else "too large"
        raise ModelDamaged(
            f"{path} is {what}: {size} of {entry.size} bytes",
            hint=_cure(path),
            details={"path": str(path), "size": size, "expected": entry.size},
        )
    return size


def check_sha256(path: Path, entry: CatalogueEntry | None, sha256: str) -> None:
    """Raise ``ModelDamaged`` if a file's ``sha256`` is not ``entry``'s."""
    if entry is not None and sha256 != entry.sha256:
        raise ModelDamaged(
            f"{path} is not {entry.name}: its sha256 is {sha256}, not {entry.sha256}",
            hint=_cure(path),
            details={"path": str(path), "sha256": sha256, "expected": entry.sha256},
        )


def verify_model(
    path: Path, progress: Callable[[int, int], None] | None = None, entry: CatalogueEntry | None = None
) -> VerifiedModel:
    """Read the whole file and check header, size and sha256; ``progress`` hears bytes done and bytes in all.

    ``entry``: what the file must be, by default the catalogue's entry of that file name. A file the catalogue does not
    know can only be checked for its header; loading it is the rest of the proof. Raises ``ModelMissing`` or
    ``ModelDamaged``.
    """
    check_header(path)
    entry = entry or entry_of(path)
    size = check_size(path, entry)
    sha256 = hash_file(path, progress)
    check_sha256(path, entry, sha256)
    return VerifiedModel(path, size, sha256, entry.name if entry else None)


def _here(path: Path) -> Path | None:
    return path if path.is_file() else None


def _missing(path: Path) -> ModelMissing:
    return ModelMissing(f"there is no model file {path}", hint=_cure(path), details={"path": str(path)})


def _cure(path: Path) -> str:
    entry = entry_of(path)
    return f"npc-memory models pull {entry.name}" if entry else "fetch the file again, or name another"


def _user_data() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "npc-memory"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "npc-memory"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "npc-memory"
