"""The few kinds of node a reply grammar is made of, and how they are written in llama.cpp's GBNF.

Bounded repetition is written ``{m,n}``. Measured on SmolLM2-135M (49,152 tokens), masking the whole vocabulary costs
35 ms a token with ``{0,239}`` and 32 ms with ``*``, so the bound is nearly free; what is dear is masking a whole
vocabulary at all (see docs/reply.md).
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Alt", "Chars", "Lit", "Node", "Opt", "Rep", "Seq", "gbnf"]


@dataclass(frozen=True, slots=True)
class Lit:
    """Exactly this text."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One character outside all of ``excluded``: inclusive ranges of code points, sorted."""

    excluded: tuple[tuple[int, int], ...]

    def allows(self, char: str) -> bool:
        """Whether ``char`` may stand here (lone surrogates never may)."""
        point = ord(char)
        return not 0xD800 <= point <= 0xDFFF and not any(low <= point <= high for low, high in self.excluded)


@dataclass(frozen=True, slots=True)
class Seq:
    """The parts one after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """One of the choices."""

    choices: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Opt:
    """The part, or nothing."""

    part: Node


@dataclass(frozen=True, slots=True)
class Rep:
    """The part ``low`` to ``high`` times."""

    part: Node
    low: int
    high: int


Node = Lit | Chars | Seq | Alt | Opt | Rep


_CLASS = "[]\\^-"


def gbnf(root: Node) -> str:
    """Write ``root`` as a grammar whose start rule is ``root``."""
    return f"root ::= {_write(root)}\n"


def _write(node: Node) -> str:
    match node:
        case Lit(text):
            return '"' + "".join(_escape(c, '"\\') for c in text) + '"'
        case Chars(excluded):
            return "[^" + "".join(_range(low, high) for low, high in excluded) + "]"
        case Seq(parts):
            return " ".join(_write(p) for p in parts)
        case Alt(choices):
            return "( " + " | ".join(_write(c) for c in choices) + " )"
        case Opt(part):
            return f"( {_write(part)} )?"
        case Rep(part, low, high):
            inner = _write(part)
            return f"{inner if isinstance(part, Chars) else f'( {inner} )'}{{{low},{high}}}"


def _range(low: int, high: int) -> str:
    first, last = _escape(chr(low), _CLASS), _escape(chr(high), _CLASS)
    return first if low == high else f"{first}-{last}"


def _escape(char: str, special: str) -> str:
    point = ord(char)
    if char in special:
        # "^" and "-" have no escape of their own in GBNF; the hexadecimal form works for every character.
        return f"\\{char}" if char in '"\\[]' else f"\\x{point:02X}"
    if char == "\n":
        return "\\n"
    if point < 0x20 or 0x7F <= point <= 0x9F:
        return f"\\x{point:02X}"
    if (special == _CLASS and point >= 0x80) or not char.isprintable():
        return f"\\u{point:04X}" if point <= 0xFFFF else f"\\U{point:08X}"
    return char
