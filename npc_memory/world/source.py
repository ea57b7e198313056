"""One YAML file of a world pack: its plain data, and the line on which each part of it stands.

The dialect is small, so that a writer meets no surprises: ``true`` and ``false`` are booleans, whole numbers are
integers, everything else is text (``no``, ``1.0`` and ``05:00`` too). No anchors, aliases or tags: each file says what
it means where it means it, and a short file cannot unfold into a huge one.
"""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from npc_memory.errors import Problem
from npc_memory.memory.text import MAX_ID_CHARS

__all__ = ["MAX_DEPTH", "MAX_FILE_BYTES", "MAX_PARTS", "Document", "Loc", "parse_document", "read_document"]

MAX_FILE_BYTES = 256 * 1024
"""Largest file of a pack, in bytes."""

MAX_DEPTH = 12
"""Deepest nesting; the schema needs half of it."""

MAX_PARTS = 20_000
"""Most keys, values and list items of one file."""

Loc = tuple[str | int, ...]
"""A place in a document: keys and list positions from the top."""

_CORE = "tag:yaml.org,2002:"
_INT64 = range(-(2**63), 2**63)
_LONE = re.compile("[\ud800-\udfff\x00]")


@dataclass(slots=True)
class Document:
    """``data`` (dicts with text keys, lists, scalars), ``lines`` (1-based) by place, and what was wrong on the way."""

    file: str
    data: Any = None
    lines: dict[Loc, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def line(self, loc: Loc) -> int:
        """The line of ``loc``, or of the nearest part around it that is in the file."""
        for end in range(len(loc), -1, -1):
            if loc[:end] in self.lines:
                return self.lines[loc[:end]]
        return 1

    def problem(self, loc: Loc, message: str, cure: str, severity: str = "error") -> Problem:
        """A problem at ``loc`` of this file."""
        return Problem(self.file, self.line(loc), message, cure, severity)

    def where(self, loc: Loc) -> str:
        """``file:line`` of ``loc``, for a message that names a second place."""
        return f"{self.file}:{self.line(loc)}"


def read_document(path: Path, file: str) -> Document:
    """Read ``path``, shown as ``file`` in problems. Never raises for what a pack may hold: see ``problems``."""
    try:
        info = path.lstat()
        if stat.S_ISLNK(info.st_mode):
            return _failed(file, 0, "is a symbolic link", "put the file itself into the pack")
        if not stat.S_ISREG(info.st_mode):
            return _failed(file, 0, "is not a regular file", "a pack holds plain YAML files")
        with path.open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return _failed(file, 0, "is missing", "create it; docs/worlds.md shows what it holds")
    except OSError as error:
        return _failed(file, 0, f"cannot be read: {error.strerror}", "check the file and its permissions")
    if len(raw) > MAX_FILE_BYTES:
        return _failed(
            file, 0, f"has more than {MAX_FILE_BYTES} bytes", "shorten it; a pack is what NPCs are told, not an archive"
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return _failed(file, line, f"is not UTF-8 (byte 0x{raw[error.start]:02x})", "save the file as UTF-8")
    return parse_document(text, file)


def parse_document(text: str, file: str) -> Document:
    """Parse YAML ``text``; what is wrong with it stands in the result's ``problems``."""
    loader = _PackLoader(text) if (bad := _unreadable(text)) is None else None
    if loader is None:
        return _failed(file, *bad)  # type: ignore[misc]
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = error.problem or error.context or "cannot be parsed"
        return _failed(file, mark.line + 1 if mark else 0, message, _yaml_cure(message))
    except (ValueError, OverflowError):  # PyYAML lets an impossible \U escape through to chr()
        return _failed(file, loader.line + 1, "holds an impossible escape", 'write the character itself, or "\\\\"')
    finally:
        loader.dispose()
    document = Document(file)
    if node is not None:
        document.lines[()] = 1
        document.data = _build(node, (), document)
    return document


def _failed(file: str, line: int, message: str, cure: str) -> Document:
    return Document(file, problems=[Problem(file, line, message, cure)])


def _unreadable(text: str) -> tuple[int, str, str] | None:
    found = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start()) + 1
    return line, f"holds the control character U+{ord(found.group()):04X}", "delete that character"


def _yaml_cure(message: str) -> str:
    if "\\t" in message or "tab" in message:
        return "indent with spaces, not tabs"
    if "mapping values are not allowed" in message:
        return "put a text that contains ': ' in quotes, and check the indentation"
    if "single document" in message or "another document" in message:
        return "one file, one document: remove the '---'"
    return _CURES.get(message, "check indentation, quotes and brackets at and above this line")


_ANCHORS = "anchors, aliases and merges are not used in world packs"
_TAGS = "YAML tags are not used in world packs"
_DEEP = f"is nested deeper than {MAX_DEPTH} levels"
_MANY = f"has more than {MAX_PARTS} keys and values"
_CURES = {
    _ANCHORS: "write the value out (a text that begins with & or * needs quotes)",
    _TAGS: "remove the tag (a text that begins with ! needs quotes)",
    _DEEP: "docs/worlds.md shows the shape of each file",
    _MANY: "shorten it; a pack is what NPCs are told, not an archive",
}


class _PackLoader(yaml.SafeLoader):
    """PyYAML's safe loader in the small dialect above, refusing early what could unfold or nest without end."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (PyYAML's own class attribute, emptied here)

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = self._parts = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        problem = self._refused(event)
        if problem:
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        self._parts += 1
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def _refused(self, event: Any) -> str | None:
        if getattr(event, "anchor", None) is not None:
            return _ANCHORS
        if getattr(event, "tag", None) is not None:
            return _TAGS
        if self._depth >= MAX_DEPTH:
            return _DEEP
        return _MANY if self._parts >= MAX_PARTS else None


_PackLoader.add_implicit_resolver(_CORE + "bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
_PackLoader.add_implicit_resolver(_CORE + "int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))
_PackLoader.add_implicit_resolver(_CORE + "null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])


def _build(node: yaml.Node, loc: Loc, document: Document) -> Any:
    document.lines.setdefault(loc, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, loc, document)
    if isinstance(node, yaml.SequenceNode):
        return [_build(child, (*loc, i), document) for i, child in enumerate(node.value)]
    return _scalar(node, loc, document)


def _mapping(node: yaml.MappingNode, loc: Loc, document: Document) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode) or not 1 <= len(key_node.value) <= MAX_ID_CHARS:
            document.problems.append(
                Problem(document.file, line, "a key must be a short text", "write it as `key: value`")
            )
            continue
        key: str = key_node.value
        here = (*loc, key)
        if key in data:
            document.problems.append(
                Problem(
                    document.file,
                    line,
                    f"the key {key!r} is given twice (first at {document.where(here)})",
                    "keep one of the two",
                )
            )
            continue
        document.lines[here] = line
        data[key] = _build(value_node, here, document)
    return data


def _scalar(node: yaml.Node, loc: Loc, document: Document) -> Any:
    text: str = node.value
    kind = node.tag.removeprefix(_CORE)
    if kind == "bool":
        return text.lower() == "true"
    if kind == "null":
        return None
    if kind == "int":
        number = int(text) if len(text) <= 20 else _INT64.stop
        if number not in _INT64:
            document.problems.append(
                document.problem(loc, "is a number beyond 64 bits", "use a smaller number, or put it in quotes")
            )
            return 0
        return number
    if _LONE.search(text):
        document.problems.append(
            document.problem(loc, "holds a NUL or half of a surrogate pair", "write the character itself")
        )
        return _LONE.sub("", text)
    return text
