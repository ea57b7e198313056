"""A Godot 4 pack (.pck, format 2, neither compressed nor encrypted) made of a dictionary of files."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping

__all__ = ["class_cache", "pack"]

FORMAT, GODOT = 2, (4, 0, 0)
ALIGN = 32
RESERVED = 16 * 4


def pack(files: Mapping[str, bytes]) -> bytes:
    """The pack of ``files``, by path below ``res://``; the same files give the same bytes."""
    entries = [(f"res://{path}".encode(), files[path]) for path in sorted(files)]
    names = [name + b"\0" * (-len(name) % 4) for name, _ in entries]
    # magic, format and three numbers of the engine's version; flags, base of the offsets; reserved; how many files
    head = b"GDPC" + struct.pack("<4I", FORMAT, *GODOT) + struct.pack("<IQ", 0, 0) + b"\0" * RESERVED
    head += struct.pack("<I", len(entries))
    start = _aligned(len(head) + sum(4 + len(name) + 8 + 8 + 16 + 4 for name in names))
    directory, body = b"", b""
    for name, (_, data) in zip(names, entries, strict=True):
        body += b"\0" * (_aligned(len(body)) - len(body))
        directory += struct.pack("<I", len(name)) + name
        directory += (
            struct.pack("<QQ", start + len(body), len(data)) + hashlib.md5(data).digest() + struct.pack("<I", 0)
        )
        body += data
    return (head + directory).ljust(start, b"\0") + body


def class_cache(scripts: Mapping[str, bytes]) -> bytes:
    """The list of named classes that the editor would write to ``.godot/global_script_class_cache.cfg``."""
    found = []
    for path in sorted(scripts):
        lines = scripts[path].decode("utf-8").splitlines()
        named = [line.removeprefix("class_name ").strip() for line in lines if line.startswith("class_name ")]
        bases = [line.removeprefix("extends ").strip() for line in lines if line.startswith("extends ")]
        base = bases[0] if bases else "RefCounted"
        found += [
            f'{{\n"base": &"{base}",\n"class": &"{name}",\n"icon": "",\n"is_abstract": false,\n"is_tool": false,\n'
            f'"language": &"GDScript",\n"path": "res://{path}"\n}}'
            for name in named
        ]
    return f"list=Array[Dictionary]([{', '.join(found)}])\n".encode()


def _aligned(size: int) -> int:
    return -(-size // ALIGN) * ALIGN
