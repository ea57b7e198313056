"""Reads the pieces of a loaded vocabulary, if its tokenizer is one that cuts a text into them.

Only ever imported in the engine's own process. What is said here of tokenizers holds for the pinned llama.cpp.
"""

from __future__ import annotations

import ctypes

import llama_cpp.llama_cpp as lib

from npc_memory.inference.native import Model
from npc_memory.inference.pieces import Pieces

__all__ = ["pieces_of"]

_STRIPS = lib.LLAMA_TOKEN_ATTR_LSTRIP | lib.LLAMA_TOKEN_ATTR_RSTRIP
_USER_DEFINED = lib.LLAMA_TOKEN_ATTR_USER_DEFINED
_ESCAPED_SPACE = "\u2581".encode()


def pieces_of(model: Model) -> Pieces | None:
    """Return the pieces of a byte-level BPE or an SPM vocabulary; None for every other kind.

    Left out are kinds that change the text (lower case, dropped blanks) and vocabularies with a USER_DEFINED token
    that swallows the blanks beside it. The file's merges are taken to make tokens, as the format demands: a merge into
    nothing would be dropped like a byte that is no piece.
    """
    read = {"gpt2": _bpe, "llama": _spm}.get(_metadata(model, "tokenizer.ggml.model"))
    if read is None:
        return None
    attributes = [int(lib.llama_vocab_get_attr(model.vocab, id)) for id in range(model.n_vocab)]
    if any(a & _USER_DEFINED and a & _STRIPS for a in attributes):
        return None
    return read(model, attributes)


def _bpe(model: Model, attributes: list[int]) -> Pieces | None:
    """Byte-level BPE: tokens are spelled in an alphabet of 256 letters, one a byte."""
    bytes_of = _byte_letters()
    pieces = model.pieces()
    spellings = set(pieces)
    # Without that letter the "BPE" works on plain UTF-8 with escaped blanks, as Gemma 4's does.
    if not any(_text(model, id) == "\u0120".encode() for id, piece in enumerate(pieces) if piece == b" "):
        return None
    for id, attribute in enumerate(attributes):
        if attribute != lib.LLAMA_TOKEN_ATTR_NORMAL:  # found in the text as it stands, or made by merges, or both
            text = _text(model, id)
            letters = text.decode("utf-8", "replace")
            spellings.add(text)
            if all(letter in bytes_of for letter in letters):
                spellings.add(bytes(bytes_of[letter] for letter in letters))
    return Pieces(tuple(sorted(spellings - {b""})), escaped=False)


def _spm(model: Model, attributes: list[int]) -> Pieces | None:
    """SentencePiece with byte fallback: U+2581 is the space, and a space may be put before each stretch of text."""
    texts = (_text(model, id) for id in range(model.n_vocab))
    spellings = {spelling.replace(_ESCAPED_SPACE, b" ") for spelling in (*model.pieces(), *texts)}
    if any(attribute & _USER_DEFINED for attribute in attributes):
        # A USER_DEFINED token ends a stretch; the next one may get a space that is not in the text.
        spellings |= {spelling[1:] for spelling in sorted(spellings) if spelling.startswith(b" ")}
    return Pieces(tuple(sorted(spellings - {b""})), escaped=True)


def _text(model: Model, id: int) -> bytes:
    text: bytes = lib.llama_vocab_get_text(model.vocab, id)
    return text


def _metadata(model: Model, key: str) -> str:
    buffer = ctypes.create_string_buffer(64)
    length = lib.llama_model_meta_val_str(model.handle, key.encode(), buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace") if length >= 0 else ""


def _byte_letters() -> dict[str, int]:
    """GPT-2's alphabet: a printable Latin-1 byte is its own letter, the others follow from U+0100 on, in order."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + i): byte for i, byte in enumerate(others)}
