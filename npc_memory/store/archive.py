"""The archive: readable lines, each with a checksum, the first saying what it is, the last that it is whole.

    {"archive":1,"counts":{…},"id":"","kind":"world","schema":3,"world":"emberfall",…,"check":"0123456789abcdef"}
    {"id":"t00000012","kind":"turn","npc":"marta",…,"turns":{"text":"Good evening.",…},"check":"…"}
    {"end":true,"lines":2,"sha256":"…","check":"…"}

A line is canonical JSON; ``check`` is the beginning of the SHA-256 of the line without it, ``sha256`` that of all lines
before the last. Nothing in a line is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from npc_memory.errors import ArchiveDamaged, ArchiveInvalid, ArchiveTooNew, StoreError
from npc_memory.store.rows import canonical

__all__ = ["FORMAT", "MAX_FILE", "MAX_LINE", "ArchiveLines", "Header", "Kind", "sealed"]

FORMAT = 1
"""Version of the lines; readers refuse a newer one by name."""

MAX_LINE = 16 * 2**20
"""Longest line, in bytes."""

MAX_FILE = 8 * 2**30
"""Longest archive, in bytes."""

MAX_DEPTH = 40
"""Most levels of maps and lists in a line."""

Kind = Literal["world", "npc", "player"]

_CHECK = re.compile(rb',"check":"([0-9a-f]{16})"\}\n', re.ASCII)
_TAIL = len(',"check":"0123456789abcdef"}\n')


@dataclass(frozen=True, slots=True)
class Header:
    """What an archive says of itself. ``counts`` are lines by kind of record and by table; ``timeline`` and ``save``:
    where the game was being played (0: not said).
    """

    kind: Kind
    id: str
    world: str
    world_version: str
    schema: int
    counts: dict[str, int]
    timeline: int = 0
    save: int = 0

    def line(self) -> dict[str, Any]:
        """The header as the first line."""
        return {"archive": FORMAT, **{name: getattr(self, name) for name in self.__slots__}}


def sealed(line: dict[str, Any]) -> bytes:
    """``line`` as bytes, with its checksum."""
    body = canonical(line).encode("utf-8")
    return body[:-1] + f',"check":"{_check(body)}"}}\n'.encode("ascii")


def _check(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


class ArchiveLines:
    """Reads an archive: its ``header`` first, then the ``lines`` in order, each checked; raises ``ArchiveInvalid``,
    ``ArchiveDamaged`` or ``ArchiveTooNew`` where it is not sound. When ``lines`` has ended it is known to be whole.
    """

    def __init__(self, path: Path, schema: int) -> None:
        self.number = 0
        self._hash = hashlib.sha256()
        try:
            if not path.is_file():
                raise ArchiveInvalid(f"there is no archive {path}", hint="name the file that export wrote")
            if path.stat().st_size > MAX_FILE:
                raise ArchiveInvalid(f"{path} is over {MAX_FILE} bytes", hint="no export is that large")
            self._file: BinaryIO = path.open("rb")
        except OSError as error:
            raise StoreError(
                f"cannot read {path}: {error.strerror or error}", hint="check that the file may be read"
            ) from error
        try:
            self.header = self._header(schema)
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def lines(self) -> Iterator[dict[str, Any]]:
        """The lines between the first and the last."""
        while True:
            before = self._hash.hexdigest()
            line = self._next()
            if line.get("end") is True:
                if line != {"end": True, "lines": self.number - 1, "sha256": before} or self._file.read(1):
                    raise self.damaged("it does not end as it should")
                return
            yield line

    def invalid(self, why: str) -> ArchiveInvalid:
        """The error for what is wrong in the present line."""
        return ArchiveInvalid(f"line {self.number} of the archive: {why}", hint="import a file as export wrote it")

    def damaged(self, why: str) -> ArchiveDamaged:
        """The error for an archive that is not what was written."""
        return ArchiveDamaged(
            f"line {self.number} of the archive: {why}", hint="take a whole, unchanged copy of the file"
        )

    def _header(self, schema: int) -> Header:
        first = self._next(begins=b'{"archive":')
        format = first.pop("archive")
        try:
            header = Header(**first)
        except TypeError:
            header = None
        known = header.schema if header else first.get("schema")
        if type(format) is not int or type(known) is not int:
            raise self.invalid("it does not say which version it has")
        if format > FORMAT or known > schema:
            raise ArchiveTooNew(
                f"the archive has format {format} and schema {known}; this npc-memory knows {FORMAT} and {schema}",
                hint="import it with the npc-memory that wrote it, or a later one",
                details={"format": format, "schema": known},
            )
        texts = header and (header.kind, header.id, header.world, header.world_version)
        numbers = header and (header.timeline, header.save)
        if (
            header is None
            or not all(isinstance(one, str) for one in texts or ())
            or not all(type(one) is int for one in numbers or ())
            or header.kind not in ("world", "npc", "player")
            or not isinstance(header.counts, dict)
        ):
            raise self.invalid("the header is not one")
        return header

    def _next(self, begins: bytes = b"") -> dict[str, Any]:
        raw = self._file.readline(MAX_LINE + 1)
        self.number += 1
        if not raw:
            raise self.damaged("it is cut short") if self.number > 1 else self.invalid("it is empty")
        if not raw.startswith(begins):
            raise self.invalid("this is no archive")
        if len(raw) > MAX_LINE:
            raise self.invalid(f"it is longer than {MAX_LINE} bytes")
        seal = _CHECK.fullmatch(raw[-_TAIL:])
        body = raw[:-_TAIL] + b"}"
        if seal is None or seal[1].decode("ascii") != _check(body):
            raise self.damaged("its checksum does not fit")
        self._hash.update(raw)
        return self._parsed(body)

    def _parsed(self, body: bytes) -> dict[str, Any]:
        try:
            line = json.loads(body.decode("utf-8"), parse_constant=_refuse)
            sound = isinstance(line, dict) and _depth(line) <= MAX_DEPTH and canonical(line).encode("utf-8") == body
        except (ValueError, RecursionError):
            sound = False
        if not sound:
            raise self.invalid(f"it is no map in canonical JSON of at most {MAX_DEPTH} levels")
        return dict(line)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _depth(value: object) -> int:
    """Levels of maps and lists."""
    level, here = 0, [value]
    while here:
        inner = [one for one in here if isinstance(one, dict | list)]
        level += bool(inner)
        here = [two for one in inner for two in (one.values() if isinstance(one, dict) else one)]
    return level
