"""Downloading one file over https: resumed where it broke off, checked, and only then given its name."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from npc_memory.errors import ModelDamaged, ModelMissing
from npc_memory.inference.verdicts import hash_file

__all__ = ["download"]

_BLOCK = 256 * 1024
_SECONDS = 60.0
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_AGAIN = "pull again: what has come is kept and the rest is fetched"


def download(url: str, target: Path, size: int, sha256: str, progress: Callable[[int, int], None]) -> None:
    """Fetch ``url`` to ``target``, which is ``size`` bytes with that ``sha256``.

    What has come is kept in ``target.part`` when the line breaks, and thrown away when it proves wrong. Raises
    ``ModelMissing`` (not there, unreachable, broken off), ``ModelDamaged`` (too long or other bytes), ``OSError``.
    """
    _check_address(url)
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    if have > size:
        part.unlink()
        have = 0
    if have < size:
        _fetch(url, part, have, size, progress)
    if part.stat().st_size < size:
        raise ModelMissing(
            f"the download of {target.name} broke off at {part.stat().st_size} of {size} bytes", hint=_AGAIN
        )
    found = hash_file(part)
    if found != sha256:
        part.unlink()
        raise ModelDamaged(
            f"what was fetched for {target.name} has sha256 {found}, not {sha256}",
            hint="pull again; if it stays wrong the file at its source has changed",
            details={"sha256": found, "expected": sha256},
        )
    part.replace(target)


def _check_address(url: str) -> None:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise ModelMissing(f"{url} is no https address", hint="the catalogue may only name https addresses")


def _fetch(url: str, part: Path, have: int, size: int, progress: Callable[[int, int], None]) -> None:
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
            resumed = answer.status == 206 and answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")
            if answer.status == 206 and not resumed:
                raise ModelMissing("the server answered with another part of the file", hint="pull again")
            with part.open("ab" if resumed else "wb") as out:
                _copy(answer, out, have if resumed else 0, size, progress)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:
            part.unlink(missing_ok=True)
        raise ModelMissing(f"the server answered {error.code} {error.reason}", hint="check the catalogue") from error
    except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
        raise ModelMissing(f"the download broke off: {error}", hint=_AGAIN) from error


def _copy(answer: Any, out: Any, done: int, size: int, progress: Callable[[int, int], None]) -> None:
    while block := answer.read(_BLOCK):
        done += len(block)
        if done > size:
            raise ModelDamaged(f"the server sends more than the {size} bytes it should", hint="check the catalogue")
        out.write(block)
        progress(done, size)
