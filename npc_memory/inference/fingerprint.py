"""Which native library this is: its version, how it was built, and the bytes of its shared objects.

Only ever imported in the engine's own process.
"""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path

import llama_cpp.llama_cpp as lib
from llama_cpp import __version__

__all__ = ["fingerprint", "system_info"]

_SHARED = (".so", ".dylib", ".dll")


def system_info() -> str:
    """Return what the library says of its own build, e.g. ``AVX2 = 1 | … | REPACK = 1``."""
    return bytes(lib.llama_print_system_info()).decode("utf-8", "replace").strip(" |")


def fingerprint() -> str:
    """Return ``llama-cpp-python <version> <12 hex digits>``.

    The digits hash the machine type, the build's own description, and name, size and content of each shared object.
    """
    digest = hashlib.sha256(f"{platform.machine()}\n{system_info()}\n".encode())
    for path in sorted(Path(lib._base_path).iterdir()):
        if any(part in _SHARED for part in path.suffixes):
            data = path.read_bytes()
            digest.update(f"{path.name} {len(data)} {hashlib.sha256(data).hexdigest()}\n".encode())
    return f"llama-cpp-python {__version__} {digest.hexdigest()[:12]}"
