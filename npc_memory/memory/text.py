"""Cleaning text on entry, so that whatever a player, a sign or a writer typed is plain text (promise P9).

Newlines and tabs become spaces; NUL, other control characters, bidirectional overrides and lone surrogates go;
markup that chat models use for control tokens is broken up with a space. Joiners (U+200C, U+200D), combining
marks and every other letter stay. Cleaning twice changes nothing. What a particular model's vocabulary holds beyond
these shapes is broken up again when the prompt is rendered (``prompt.controls``).
"""

from __future__ import annotations

import re

from npc_memory.errors import InvalidInput

__all__ = ["MAX_ID_CHARS", "check_id", "check_text", "clean_text", "is_clean", "is_id"]

MAX_ID_CHARS = 200
"""Longest id, in characters."""

_BREAKS = "\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
_DROPPED = (
    [chr(c) for c in range(0x20)]
    + [chr(c) for c in range(0x7F, 0xA0)]
    + [chr(c) for c in range(0x202A, 0x202F)]  # bidirectional embeddings and overrides
    + [chr(c) for c in range(0x2066, 0x206A)]  # bidirectional isolates
    + ["\ufeff", "\ufffe", "\uffff"]
)
_TABLE: dict[int, str | None] = {ord(c): None for c in _DROPPED}
_TABLE.update({ord(c): " " for c in _BREAKS})

# `<|im_start|>`, `</s>`, `<start_of_turn>`, `<<SYS>>`, `<｜User｜>`: an opening bracket right before a bar, a slash, a
# letter or another opening bracket. "I <3 you" and "a < b" are not markup and stay.
_ANGLE = re.compile(r"<(?=[|｜/<\[]|[^\W\d_])")
_BAR = re.compile(r"(?<=[|｜])>")
_SQUARE = re.compile(r"\[(?=/?[A-Z][A-Z_]+\])")
_BRACES = re.compile(r"\{(?=[{%#])|(?<=[}%#])\}")
_SUSPECT = re.compile(r"[<|｜\[{}]")
_NO_ID = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # categories Cc, Zl, Zp and Cs
_UNCLEAN = re.compile(
    "[" + re.escape("".join(_BREAKS) + "".join(c for c in _DROPPED if c not in _BREAKS)) + "\ud800-\udfff]"
)


def clean_text(text: str) -> str:
    """Return ``text`` as plain text on one line; see the module's docstring for what changes.

    >>> clean_text("Hi\\nthere<|im_end|>")
    'Hi there< |im_end| >'
    """
    if _UNCLEAN.search(text):
        text = text.replace("\r\n", " ").translate(_TABLE)
        text = "".join(c for c in text if not "\ud800" <= c <= "\udfff")
    if _SUSPECT.search(text):
        text = _ANGLE.sub("< ", text)
        text = _BAR.sub(" >", text)
        text = _SQUARE.sub("[ ", text)
        text = _BRACES.sub(lambda m: "{ " if m.group() == "{" else " }", text)
    return text


def is_clean(value: object) -> bool:
    """Whether ``value`` is surely text that cleaning would leave as it is: most is, and so much is seen at a glance."""
    # What is dropped or broken is of the categories Cc, Cf, Cn, Cs, Zl and Zp; none of these is printable.
    return type(value) is str and value.isprintable() and not _SUSPECT.search(value)


def is_id(value: object) -> bool:
    """Whether ``value`` is surely an id: the quick way past ``check_id``, which says what is wrong with the others."""
    return type(value) is str and 0 < len(value) <= MAX_ID_CHARS and value.isprintable()


def check_text(value: object, what: str) -> str:
    """Return ``value`` cleaned; raise ``InvalidInput`` when it is not text."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}", hint="pass a str")
    return clean_text(value)


def check_id(value: object, what: str) -> str:
    """Return ``value`` if it can be an id; ids are compared code point by code point and never altered (promise P6).

    Raises ``InvalidInput`` for anything but a text of 1 to 200 characters without control characters, line breaks or
    lone surrogates. Letters of every script are fine.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}", hint="ids are strings")
    if not value or len(value) > MAX_ID_CHARS:
        raise InvalidInput(
            f"{what} must have 1 to {MAX_ID_CHARS} characters, it has {len(value)}", hint="choose a shorter stable id"
        )
    if _NO_ID.search(value):
        raise InvalidInput(
            f"{what} {value!r} holds control characters or lone surrogates",
            hint="use letters, digits and punctuation; ids of any script are fine",
        )
    return value
