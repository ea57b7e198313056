"""The made-up model under the scripted engine: its tokenizer, and samplers that read from a script."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from collections.abc import Sequence as Items
from functools import lru_cache

from npc_memory.errors import EngineCrashed, EngineError, InvalidInput, NpcMemoryError, RequestInvalid
from npc_memory.inference.request import GenerationRequest
from npc_memory.inference.scheduler import Slice
from npc_memory.inference.script import Reply, Script
from npc_memory.inference.sequence import Sequence

__all__ = ["CHATML", "SPECIAL_TOKENS", "ScriptedBackend"]

SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>'"
    " + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
_SPECIAL = re.compile("(" + "|".join(map(re.escape, SPECIAL_TOKENS)) + ")")
_LETTERS = 4
_SPACE = 1 << 7 * _LETTERS
_PIECE = re.compile(f" ?[A-Za-z]{{1,{_LETTERS}}}|.", re.DOTALL)
_BYTE = len(SPECIAL_TOKENS)
_WORD = _BYTE + 256
_END = SPECIAL_TOKENS.index("<|im_end|>")


class _Vocabulary:
    """Ids 0-2 are special, then 256 bytes, then words: up to four ASCII letters, perhaps behind a space.

    A word's id is its spelling, so every text has the same ids in every process. All else is spelled in bytes, as the
    real ones do with what they do not know.
    """

    def encode(self, text: str, special: bool) -> list[int]:
        parts = _SPECIAL.split(text) if special else [text]
        return [id for part in parts for id in self._part(part, special)]

    def decode(self, token: int) -> bytes:
        if token < _BYTE:
            return b""
        if token < _WORD:
            return bytes([token - _BYTE])
        code = token - _WORD
        letters = bytes(code >> shift & 127 for shift in range(0, 7 * _LETTERS, 7)).rstrip(b"\0")
        return b" " + letters if code & _SPACE else letters

    def _part(self, part: str, special: bool) -> list[int]:
        if special and part in SPECIAL_TOKENS:
            return [SPECIAL_TOKENS.index(part)]
        return [id for piece in _PIECE.findall(part) for id in _ids(piece)]


@lru_cache(maxsize=16_384)
def _ids(piece: str) -> tuple[int, ...]:
    letters = piece.removeprefix(" ")
    if not (letters.isascii() and letters.isalpha()):
        return tuple(_BYTE + byte for byte in piece.encode("utf-8"))
    code = sum(ord(letter) << 7 * i for i, letter in enumerate(letters))
    return (_WORD + code + (_SPACE if piece != letters else 0),)


class _ScriptedSampler:
    """Reads a reply token by token. ``logits_sha256`` stands for what a model would have computed."""

    def __init__(self, backend: ScriptedBackend, sequence: Sequence, reply: Reply) -> None:
        self._backend = backend
        self._reply = reply
        self._said = 0
        self._tokens = self._read()
        self._hash = hashlib.sha256(repr((sequence.prompt, sequence.request.seed)).encode())
        self._hashed = sequence.request.hash_logits

    def sample(self) -> int | None:
        behaviour = self._reply.behaviour
        if behaviour == "slow":
            time.sleep(self._backend.pace)
        if self._said and behaviour == "stall":
            self._backend.idle = True
            return None
        if self._said and behaviour == "crash":
            raise EngineCrashed("the scripted engine crashed as told", hint="the next request starts a new one")
        token = next(self._tokens)
        self._said += 1
        self._hash.update(token.to_bytes(4, "little"))
        return token

    @property
    def logits_sha256(self) -> str:
        return self._hash.hexdigest() if self._hashed else ""

    def close(self) -> None:
        self._tokens = iter(())

    def _read(self) -> Iterator[int]:
        behaviour, tokens = self._reply.behaviour, self._backend.encode(self._reply.text)
        if behaviour == "split_emoji":
            tokens = [_BYTE + byte for byte in self._reply.text.encode("utf-8")]
        yield from tokens
        while behaviour in ("loop", "over_long") and tokens:
            yield from tokens
        yield _END


class ScriptedBackend:
    """A backend without a model. ``idle`` tells that the last step gave nobody a token."""

    def __init__(self, script: Script, *, n_ctx: int, pace: float) -> None:
        self.n_ctx = n_ctx
        self.pace = pace
        self.idle = False
        self._script = script
        self._vocabulary = _Vocabulary()

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text of the script."""
        return self._vocabulary.encode(text, False)

    def tokenize(self, pairs: Items[tuple[str, bool]]) -> tuple[int, ...]:
        """Return the ids of ``(text, control)`` pairs, each tokenised on its own."""
        return tuple(id for text, control in pairs for id in self._vocabulary.encode(text, control))

    def forget(self) -> None:
        """Forget the pieces whose tokens were remembered."""
        _ids.cache_clear()

    def begin(self, sequence: Sequence) -> _ScriptedSampler:
        """Return the sampler of a reply that begins now. A script that raises fails this request, not the engine."""
        try:
            return _ScriptedSampler(self, sequence, self._script.reply(sequence.id - 1, sequence.request))
        except InvalidInput as error:
            raise RequestInvalid(error.message, hint=error.hint) from error
        except NpcMemoryError as error:
            raise EngineError(error.message, hint=error.hint, details=error.details) from error
        except Exception as error:
            raise EngineError(f"the script raised {error!r}", hint="mend the script or its format hook") from error

    def keep(self, slot: int, n: int) -> bool:
        """There is nothing to drop."""
        return True

    def clear(self, slot: int) -> None:
        """There is nothing to empty."""

    def save(self, slot: int) -> bytes:
        """There is nothing to save."""
        return b""

    def restore(self, slot: int, state: bytes) -> bool:
        """There is nothing to fill a slot with."""
        return False

    def decode(self, step: Items[Slice]) -> None:
        """There is nothing to compute."""
        self.idle = False

    def piece(self, token: int) -> bytes:
        """Return the bytes a token stands for."""
        return self._vocabulary.decode(token)

    def ends(self, token: int, request: GenerationRequest) -> bool:
        """Whether a token is one of the end tokens."""
        return token < _BYTE
