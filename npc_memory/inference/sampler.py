"""Drawing a token: llama.cpp's own samplers, and a grammar that costs little while the model keeps to it.

Only ever imported in the engine's own process.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from typing import Any

import llama_cpp.llama_cpp as lib
import numpy as np

from npc_memory.errors import EngineError, RequestInvalid
from npc_memory.inference.grammar import check_grammar
from npc_memory.inference.native import Logits, Model, log_tail
from npc_memory.inference.request import GenerationRequest, Sampling

__all__ = ["Candidates", "NativeSampler", "fold_seed"]

_CANDIDATE = np.dtype([("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
_RANDOM_SEED = 0xFFFFFFFF


def fold_seed(seed: int) -> int:
    """Return a 64-bit seed as the 32 bits llama.cpp takes; its "choose one yourself" value is never among them."""
    folded = (seed ^ (seed >> 32)) & 0xFFFFFFFF
    return folded if folded != _RANDOM_SEED else _RANDOM_SEED - 1


class Candidates:
    """The array llama.cpp's samplers work on, one for all replies: filled, narrowed and read within one step."""

    def __init__(self, n_vocab: int) -> None:
        self._ids = np.arange(n_vocab, dtype=np.int32)
        self._rows = np.zeros(n_vocab, dtype=_CANDIDATE)
        self._data = self._rows.ctypes.data_as(ctypes.POINTER(lib.llama_token_data))
        self.array = lib.llama_token_data_array()

    def fill(self, logits: Logits, barred: np.ndarray[Any, Any] | None = None) -> None:
        """Offer every token with its logit, those in ``barred`` with none."""
        self._rows["id"] = self._ids
        self._rows["logit"] = logits
        self._rows["p"] = 0.0
        if barred is not None:
            self._rows["logit"][barred] = -np.inf
        self._reset(len(self._rows))

    def only(self, token: int) -> None:
        """Offer one token alone, with a finite logit."""
        self._rows[0] = (token, 0.0, 0.0)
        self._reset(1)

    def _reset(self, size: int) -> None:
        self.array.data, self.array.size, self.array.selected, self.array.sorted = self._data, size, -1, False

    def apply(self, sampler: Any) -> None:
        """Let a sampler work on what is offered."""
        lib.llama_sampler_apply(sampler, ctypes.byref(self.array))

    def any_left(self) -> bool:
        """Whether a token with a finite logit is offered."""
        return bool(np.isfinite(self._rows["logit"][: self.array.size]).any())

    def selected(self) -> int:
        """Return the token a sampler chose."""
        if not 0 <= self.array.selected < self.array.size:
            raise EngineError("no token could be drawn: the model's logits are not numbers", hint="use another model")
        return int(self.array.data[self.array.selected].id)


class NativeSampler:
    """Draws the tokens of one reply; ``logits`` gives the row of the step just computed."""

    def __init__(
        self, model: Model, candidates: Candidates, request: GenerationRequest, logits: Callable[[], Logits]
    ) -> None:
        self._model = model
        self._candidates = candidates
        self._logits = logits
        self._grammar = _grammar(model, request.grammar) if request.grammar is not None else None
        self._barred = model.unsayable if self._grammar is not None else None
        self._chain = _chain(model.n_vocab, request.sampling, fold_seed(request.seed))
        self._hash = hashlib.sha256() if request.hash_logits else None

    def sample(self) -> int | None:
        """Draw, and remember, the next token."""
        logits = self._logits()
        if self._hash is not None:
            self._hash.update(logits.tobytes())
        self._candidates.fill(logits)
        self._candidates.apply(self._chain)
        token = self._candidates.selected()
        if self._grammar is not None and not self._legal(token):
            token = self._resample(logits)
        lib.llama_sampler_accept(self._chain, token)
        if self._grammar is not None:
            lib.llama_sampler_accept(self._grammar, token)
        return token

    def _legal(self, token: int) -> bool:
        """Ask the grammar for one token only: walking the whole vocabulary at each step is what grammars cost."""
        # A grammar takes control tokens by their spelling, yet they stand for no text.
        if self._model.is_control(token) and not self._model.is_end(token):
            return False
        self._candidates.only(token)
        self._candidates.apply(self._grammar)
        return self._candidates.any_left()

    def _resample(self, logits: Logits) -> int:
        self._candidates.fill(logits, self._barred)
        self._candidates.apply(self._grammar)
        if not self._candidates.any_left():
            raise RequestInvalid("the grammar allows no further token", hint="mend the grammar: it has a dead end")
        self._candidates.apply(self._chain)
        return self._candidates.selected()

    @property
    def logits_sha256(self) -> str:
        """Hash over the float32 logits of all steps so far, or "" if none was asked for."""
        return self._hash.hexdigest() if self._hash is not None else ""

    def close(self) -> None:
        """Free the native samplers."""
        for sampler in (self._chain, self._grammar):
            if sampler is not None:
                lib.llama_sampler_free(sampler)
        self._chain = self._grammar = None


def _chain(n_vocab: int, sampling: Sampling, seed: int) -> Any:
    chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
    if sampling.repeat_last_n and sampling.repeat_penalty != 1.0:
        penalty = lib.llama_sampler_init_penalties(n_vocab, sampling.repeat_last_n, sampling.repeat_penalty, 0.0, 0.0)
        lib.llama_sampler_chain_add(chain, penalty)
    if sampling.temperature == 0:
        lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_greedy())
        return chain
    for sampler in (
        lib.llama_sampler_init_top_k(sampling.top_k),
        lib.llama_sampler_init_top_p(sampling.top_p, 1),
        lib.llama_sampler_init_min_p(sampling.min_p, 1),
        lib.llama_sampler_init_temp(sampling.temperature),
        lib.llama_sampler_init_dist(seed),
    ):
        lib.llama_sampler_chain_add(chain, sampler)
    return chain


def _grammar(model: Model, text: str) -> Any:
    check_grammar(text)
    log_tail()
    sampler = lib.llama_sampler_init_grammar(model.vocab, text.encode("utf-8"), b"root")
    if not sampler:
        reason = log_tail()
        raise RequestInvalid(
            f"the grammar does not parse{': ' + reason if reason else ''}",
            hint="it must be GBNF with a rule named root, every rule defined and none left-recursive",
        )
    return sampler
