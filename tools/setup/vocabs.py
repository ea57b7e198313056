"""Vocabularies of other model families, out of llama.cpp's source: the tests of promise P9 need their tokenizers."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from tools.setup.failure import Failure
from tools.setup.stamps import read_stamp, write_json

__all__ = ["FAMILIES", "keep_vocabularies", "vocabularies_kept"]

FAMILIES = ("command-r", "deepseek-coder", "gemma-4", "llama-bpe", "llama-spm", "phi-3", "qwen2")


def vocabularies_kept(folder: Path, source_hashes: Sequence[str]) -> bool:
    """Whether ``folder`` has all of them, whole, from that source."""
    stamp = read_stamp(folder / "vocabs.json")
    sizes = stamp.get("sizes", {})
    return stamp.get("source") == list(source_hashes) and all(
        sizes.get(name, -1) == _size(folder / name) for name in map(_file_name, FAMILIES)
    )


def keep_vocabularies(source: Path, folder: Path, source_hashes: Sequence[str]) -> None:
    """Copy them from the unpacked ``source`` into ``folder``; the stamp comes last."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for name in map(_file_name, FAMILIES):
        origin = source / "vendor" / "llama.cpp" / "models" / name
        if not origin.is_file():
            raise Failure(
                f"llama.cpp's source has no {name}", "mend FAMILIES in tools/setup/vocabs.py for this version"
            )
        shutil.copyfile(origin, folder / name)
        sizes[name] = origin.stat().st_size
    write_json(folder / "vocabs.json", {"source": list(source_hashes), "sizes": sizes})


def _file_name(family: str) -> str:
    return f"ggml-vocab-{family}.gguf"


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
