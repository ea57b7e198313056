"""Looking for words in every byte of every file of a folder, whatever they may have been turned into."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["found_in"]

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")

STREAM = b"\x78\x9c"
"""How the compressed payload of an audit record begins."""


def found_in(folder: Path, words: Iterable[str]) -> list[str]:
    """Which of ``words``, in which form, stands in which file; empty when none is left anywhere."""
    wanted = {form.encode(code): (form, code) for word in words for form in _forms(word) for code in ENCODINGS}
    return [
        f"{path.name}: {form!r} as {code}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for data in _contents(path.read_bytes())
        for bytes, (form, code) in wanted.items()
        if bytes in data
    ]


def _forms(word: str) -> set[str]:
    """Cases, and the stem a full-text index would keep."""
    cased = {word, word.lower(), word.upper(), word.capitalize()}
    return cased | {one[:-2] for one in cased if len(one) >= 7}


def _contents(data: bytes) -> Iterator[bytes]:
    """The bytes as they are, and everything in them that was compressed, also what nothing points to any more."""
    yield data
    at = data.find(STREAM)
    while at >= 0:
        with contextlib.suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[at:])
        at = data.find(STREAM, at + 1)
