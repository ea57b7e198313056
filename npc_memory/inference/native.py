"""llama.cpp through the low-level API of llama-cpp-python: one model, its vocabulary, contexts over it.

Only ever imported in the engine's own process. ``GGML_CPU_TILED_MM`` must be set before this module is: the library
reads its environment once.
"""

from __future__ import annotations

import ctypes
import re
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import llama_cpp.llama_cpp as lib
import numpy as np
import numpy.typing as npt

from npc_memory.errors import EngineError, ModelDamaged, RequestInvalid
from npc_memory.inference.settings import Settings

__all__ = ["Context", "Entry", "Model", "log_tail"]

Logits = npt.NDArray[np.float32]
_ERROR_LEVEL = 4
_CONTINUED = 5
_log: deque[str] = deque(maxlen=20)
_BUFFER = re.compile(rb"(\S+) model buffer size")
_PLAIN = {"CPU", "CPU_Mapped", "CPU_Host"}
_buffers: set[str] = set()
_CONTROL = lib.LLAMA_TOKEN_ATTR_CONTROL
_USER_DEFINED = lib.LLAMA_TOKEN_ATTR_USER_DEFINED


@lib.llama_log_callback  # type: ignore[untyped-decorator]
def _on_log(level: int, text: bytes, _data: Any) -> None:
    if found := _BUFFER.search(text):
        _buffers.add(found[1].decode("utf-8", "replace"))
    if level == _ERROR_LEVEL or (level == _CONTINUED and _log):
        _log.append(text.decode("utf-8", "replace").strip())


lib.llama_log_set(_on_log, ctypes.c_void_p(0))


def log_tail() -> str:
    """Return what the library last complained of, and forget it."""
    text = "; ".join(line for line in _log if line)
    _log.clear()
    return text


class Entry(NamedTuple):
    """One token of a batch: its id, position, native sequence, and whether its logits are wanted."""

    token: int
    position: int
    slot: int
    wanted: bool


class Model:
    """A loaded GGUF file. Raises ``ModelDamaged`` when llama.cpp refuses it."""

    def __init__(self, path: str, settings: Settings, *, vocab_only: bool = False) -> None:
        lib.llama_backend_init()
        params = lib.llama_model_default_params()
        params.n_gpu_layers = 0
        params.use_extra_bufts = settings.extra_bufts
        params.vocab_only = vocab_only
        self.settings = settings
        """How it was loaded, and the chunk it is computed with."""
        self._piece = ctypes.create_string_buffer(64)
        _buffers.clear()
        self.handle = lib.llama_model_load_from_file(path.encode(), params)
        # Only the log tells. If it were worded otherwise one day, repacking would no longer be tried.
        self.rearranged = bool(_buffers - _PLAIN)
        if not self.handle:
            raise ModelDamaged(
                f"llama.cpp cannot load {path}: {log_tail() or 'no reason given'}",
                hint="fetch it again (npc-memory models pull), or name a GGUF file this llama.cpp knows",
            )
        self.vocab = lib.llama_model_get_vocab(self.handle)
        self.n_vocab = int(lib.llama_vocab_n_tokens(self.vocab))

    @property
    def chat_template(self) -> str:
        """The chat template in the file, or ""."""
        return (lib.llama_model_chat_template(self.handle, None) or b"").decode("utf-8", "replace")

    @property
    def n_ctx_train(self) -> int:
        """The window the model was trained for, in tokens."""
        return int(lib.llama_model_n_ctx_train(self.handle))

    @property
    def bytes_per_token(self) -> int:
        """About what one token takes of a sequence's memory, in bytes: keys and values, 16 bits each, of all layers."""
        heads = max(1, int(lib.llama_model_n_head(self.handle)))
        width = int(lib.llama_model_n_embd(self.handle)) // heads * int(lib.llama_model_n_head_kv(self.handle))
        return 2 * 2 * width * int(lib.llama_model_n_layer(self.handle))

    @property
    def bos(self) -> int:
        """Id of the token that begins a text, or -1."""
        return int(lib.llama_vocab_bos(self.vocab))

    @property
    def eos(self) -> int:
        """Id of the token that ends a text, or -1."""
        return int(lib.llama_vocab_eos(self.vocab))

    @property
    def add_bos(self) -> bool:
        """Whether the model wants a prompt to begin with ``bos``."""
        return bool(lib.llama_vocab_get_add_bos(self.vocab))

    def tokenize(self, text: str, special: bool) -> list[int]:
        """Return the ids of one segment; nothing is added. Safe from any thread."""
        data = text.encode("utf-8")
        room = len(data) + 16
        while True:
            ids = (lib.llama_token * room)()
            n = lib.llama_tokenize(self.vocab, data, len(data), ids, room, False, special)
            if n >= 0:
                return list(ids[:n])
            if n == -(2**31):
                raise RequestInvalid("the text is too long to tokenise", hint="send a shorter text")
            room = -n

    def text(self, token: int) -> str:
        """Return a token as the vocabulary spells it, or "" for no token."""
        return lib.llama_vocab_get_text(self.vocab, token).decode("utf-8", "replace") if token >= 0 else ""

    def piece(self, token: int, special: bool = False) -> bytes:
        """Return the bytes a token stands for; a control token stands for none unless ``special``. For one thread."""
        buffer = self._piece
        n = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, special)
        if n < 0:
            buffer = self._piece = ctypes.create_string_buffer(-n)
            n = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, special)
        return buffer.raw[:n]

    def pieces(self) -> list[bytes]:
        """Return the bytes each token is shown as, control tokens too, by id. Safe from any thread."""
        buffer = ctypes.create_string_buffer(512)
        found = []
        for token in range(self.n_vocab):
            n = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, True)
            if n < 0:
                buffer = ctypes.create_string_buffer(-n)
                n = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, True)
            found.append(ctypes.string_at(buffer, n))
        return found

    def is_end(self, token: int) -> bool:
        """Whether the model ends its turn with this token."""
        return bool(lib.llama_vocab_is_eog(self.vocab, token))

    def is_control(self, token: int) -> bool:
        """Whether the token is a control token."""
        return bool(lib.llama_vocab_is_control(self.vocab, token))

    def kinds(self, token: int) -> tuple[bool, bool]:
        """Whether the token is a control token, and whether it is matched in text even without special tokens."""
        attributes = lib.llama_vocab_get_attr(self.vocab, token)
        return bool(attributes & _CONTROL), bool(attributes & _USER_DEFINED)

    def special_tokens(self) -> list[str]:
        """Texts of all CONTROL and USER_DEFINED tokens, by id."""
        wanted = _CONTROL | _USER_DEFINED
        return [self.text(t) for t in range(self.n_vocab) if lib.llama_vocab_get_attr(self.vocab, t) & wanted]

    @cached_property
    def unsayable(self) -> npt.NDArray[np.int64]:
        """Ids of control tokens that do not end a reply."""
        ids = [t for t in range(self.n_vocab) if self.is_control(t) and not self.is_end(t)]
        return np.array(ids, dtype=np.int64)

    def close(self) -> None:
        """Free the model."""
        if self.handle:
            lib.llama_model_free(self.handle)
            self.handle = None


class Context:
    """A window over a model: ``slots`` native sequences of ``n_ctx`` tokens each."""

    def __init__(self, model: Model, *, n_ctx: int, slots: int, n_threads: int, n_batch: int) -> None:
        settings = model.settings
        params = lib.llama_context_default_params()
        params.n_ctx = n_ctx * slots
        params.n_batch = params.n_ubatch = n_batch
        params.n_seq_max = slots
        params.n_threads = params.n_threads_batch = n_threads
        params.flash_attn_type = int(settings.flash_attn)
        params.kv_unified = settings.kv_unified
        # Without the full window cache a removed tail of a sliding-window model could not be computed again.
        params.swa_full = True
        params.offload_kqv = params.op_offload = False
        params.no_perf = True
        self.model = model
        self.n_batch = n_batch
        self.handle = lib.llama_init_from_model(model.handle, params)
        if not self.handle:
            raise EngineError(
                f"llama.cpp cannot open a window of {n_ctx} tokens: {log_tail() or 'no reason given'}",
                hint="use a smaller n_ctx or a machine with more memory",
            )
        self.memory = lib.llama_get_memory(self.handle)
        self._batch = lib.llama_batch_init(n_batch, 0, 1)
        self._row = ctypes.c_float * model.n_vocab

    def decode(self, entries: Sequence[Entry]) -> None:
        """Run one step over the model. Raises ``EngineError`` if it fails; what the slots hold is then unknown."""
        batch = self._batch
        batch.n_tokens = len(entries)
        for i, (token, position, slot, wanted) in enumerate(entries):
            batch.token[i] = token
            batch.pos[i] = position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = slot
            batch.logits[i] = wanted
        status = lib.llama_decode(self.handle, batch)
        if status != 0:
            raise EngineError(
                f"llama.cpp could not compute a step (status {status}): {log_tail()}", hint="send the request again"
            )

    def logits(self, i: int) -> Logits:
        """Return the logits of entry ``i`` of the last step, valid until the next one."""
        pointer = lib.llama_get_logits_ith(self.handle, i)
        row = self._row.from_address(ctypes.addressof(pointer.contents))
        return np.ctypeslib.as_array(row)

    def set_threads(self, n: int) -> None:
        """Use ``n`` threads from the next step on."""
        lib.llama_set_n_threads(self.handle, n, n)

    def keep(self, slot: int, n: int) -> bool:
        """Drop all of a slot behind its first ``n`` tokens; False if this model's memory cannot do that."""
        return bool(lib.llama_memory_seq_rm(self.memory, slot, n, -1))

    def clear(self, slot: int) -> None:
        """Empty a slot."""
        lib.llama_memory_seq_rm(self.memory, slot, -1, -1)

    def copy(self, source: int, target: int) -> None:
        """Copy a slot whole. A part of one must never be copied: with split KV that aborts the process."""
        lib.llama_memory_seq_cp(self.memory, source, target, -1, -1)

    def save(self, slot: int) -> bytes:
        """Return a slot's state."""
        size = lib.llama_state_seq_get_size(self.handle, slot)
        buffer = (ctypes.c_uint8 * size)()
        written = lib.llama_state_seq_get_data(self.handle, buffer, size, slot)
        return bytes(buffer)[:written]

    def restore(self, slot: int, state: bytes) -> bool:
        """Fill a slot from a state saved in a window with as many slots; False if it does not fit."""
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        return bool(lib.llama_state_seq_set_data(self.handle, buffer, len(state), slot))

    def close(self) -> None:
        """Free the window."""
        if self.handle:
            lib.llama_batch_free(self._batch)
            lib.llama_free(self.handle)
            self.handle = None
