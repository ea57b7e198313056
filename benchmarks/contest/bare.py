"""llama.cpp bare, in a process of its own: what is left when nothing stands between a caller and the library.

Reads one JSON object a line, answers with one. Nothing of npc_memory is imported here but the values it is given, so
that whatever slows our own engine does not slow what it is held against.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Sequence
from time import perf_counter, process_time
from typing import Any

import llama_cpp.llama_cpp as lib


@lib.llama_log_callback
def _silent(level: int, text: bytes, data: Any) -> None:
    pass


class Bare:
    """A model, a window of ``slots`` sequences, and the tokens each holds."""

    def __init__(self, path: str, n_ctx: int, slots: int, n_threads: int, settings: dict[str, Any]) -> None:
        lib.llama_log_set(_silent, ctypes.c_void_p(0))
        lib.llama_backend_init()
        model = lib.llama_model_default_params()
        model.n_gpu_layers, model.use_extra_bufts = 0, settings["extra_bufts"]
        self.model = lib.llama_model_load_from_file(path.encode(), model)
        self.vocab = lib.llama_model_get_vocab(self.model)
        self.n_vocab = lib.llama_vocab_n_tokens(self.vocab)
        window = lib.llama_context_default_params()
        window.n_ctx, window.n_seq_max = n_ctx * slots, slots
        self.chunk = settings["chunk"]
        window.n_batch = window.n_ubatch = max(self.chunk, slots)
        window.n_threads = window.n_threads_batch = n_threads
        window.flash_attn_type, window.kv_unified = int(settings["flash_attn"]), settings["kv_unified"]
        window.swa_full, window.no_perf = True, True
        window.offload_kqv = window.op_offload = False
        self.context = lib.llama_init_from_model(self.model, window)
        self.memory = lib.llama_get_memory(self.context)
        self.batch = lib.llama_batch_init(max(self.chunk, slots), 0, 1)
        self.held: list[list[int]] = [[] for _ in range(slots)]

    def decode(self, entries: Sequence[tuple[int, int, int, bool]]) -> None:
        """One batch of (token, position, sequence, logits wanted)."""
        batch = self.batch
        batch.n_tokens = len(entries)
        for i, (token, position, slot, wanted) in enumerate(entries):
            batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.logits[i] = token, position, 1, wanted
            batch.seq_id[i][0] = slot
        if lib.llama_decode(self.context, batch) != 0:
            raise RuntimeError("llama_decode failed")

    def append(self, slot: int, tokens: Sequence[int]) -> None:
        """Compute ``tokens`` behind what the slot holds, and fetch the logits of the last."""
        held = self.held[slot]
        for at in range(0, len(tokens), self.chunk):
            part = tokens[at : at + self.chunk]
            self.decode([(t, len(held) + i, slot, at + i == len(tokens) - 1) for i, t in enumerate(part)])
            held.extend(part)
        lib.llama_get_logits_ith(self.context, -1)

    def prepare(self, slot: int, tokens: Sequence[int]) -> None:
        """Make the slot hold exactly ``tokens``."""
        held = self.held[slot]
        shorter = min(len(held), len(tokens))
        same = next((i for i in range(shorter) if held[i] != tokens[i]), shorter)
        lib.llama_memory_seq_rm(self.memory, slot, same, -1)
        del held[same:]
        if len(tokens) > same:
            self.append(slot, tokens[same:])

    def floor(self, slot: int, tokens: Sequence[int], begin: int) -> dict[str, Any]:
        """Seconds, and seconds of CPU, to compute ``tokens[begin:]`` where all before is held already."""
        self.prepare(slot, tokens[:begin])
        started, cpu = perf_counter(), process_time()
        self.append(slot, tokens[begin:])
        return {"seconds": perf_counter() - started, "cpu": process_time() - cpu}

    def talk(
        self, prompts: Sequence[Sequence[int]], lengths: Sequence[int], seeds: Sequence[int], sampling: dict[str, Any]
    ) -> dict[str, Any]:
        """Seconds until each sequence has made its tokens, all in one batch a step; the prompts are held already."""
        for slot, prompt in enumerate(prompts):
            self.prepare(slot, prompt[:-1])
        chains = [self._chain(sampling, seed) for seed in seeds]
        made: list[list[int]] = [[] for _ in prompts]
        next_ones = {slot: prompt[-1] for slot, prompt in enumerate(prompts)}
        started, cpu = perf_counter(), process_time()
        while next_ones:
            slots = list(next_ones)
            self.decode([(next_ones[slot], len(self.held[slot]), slot, True) for slot in slots])
            for row, slot in enumerate(slots):
                self.held[slot].append(next_ones[slot])
                token = lib.llama_sampler_sample(chains[slot], self.context, row)
                made[slot].append(token)
                next_ones[slot] = token
                if len(made[slot]) >= lengths[slot]:
                    del next_ones[slot]
        seconds, cpu = perf_counter() - started, process_time() - cpu
        for chain in chains:
            lib.llama_sampler_free(chain)
        return {"seconds": seconds, "cpu": cpu, "made": made}

    def tiers(self, tokens: Sequence[int], shared: int) -> dict[str, Any]:
        """Bytes of a sequence of ``tokens``; seconds to save it, restore it, copy its first ``shared`` tokens whole."""
        self.prepare(0, tokens)
        size = lib.llama_state_seq_get_size(self.context, 0)
        state = (ctypes.c_uint8 * size)()
        started = perf_counter()
        written = lib.llama_state_seq_get_data(self.context, state, size, 0)
        saved = perf_counter()
        self.prepare(1, [])
        emptied = perf_counter()
        lib.llama_state_seq_set_data(self.context, state, written, 1)
        restored = perf_counter()
        self.prepare(0, tokens[:shared])
        lib.llama_memory_seq_rm(self.memory, 1, -1, -1)
        self.held[1] = []
        copied = perf_counter()
        lib.llama_memory_seq_cp(self.memory, 0, 1, -1, -1)
        # The copy is made when the sequence is next used.
        self.held[1] = list(tokens[:shared])
        self.append(1, tokens[shared : shared + 1])
        done = perf_counter()
        self.prepare(1, tokens[:shared])
        again = perf_counter()
        self.append(1, tokens[shared : shared + 1])
        one = perf_counter() - again
        return {
            "bytes": written,
            "save": saved - started,
            "restore": restored - emptied,
            "copy": max(0.0, done - copied - one),
        }

    def _chain(self, sampling: dict[str, Any], seed: int) -> Any:
        chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        for sampler in (
            lib.llama_sampler_init_penalties(
                self.n_vocab, sampling["repeat_last_n"], sampling["repeat_penalty"], 0.0, 0.0
            ),
            lib.llama_sampler_init_top_k(sampling["top_k"]),
            lib.llama_sampler_init_top_p(sampling["top_p"], 1),
            lib.llama_sampler_init_min_p(sampling["min_p"], 1),
            lib.llama_sampler_init_temp(sampling["temperature"]),
            lib.llama_sampler_init_dist(seed),
        ):
            lib.llama_sampler_chain_add(chain, sampler)
        return chain


def main() -> None:
    """Serve until the input ends."""
    bare: Bare | None = None
    for line in sys.stdin:
        ask = json.loads(line)
        op = ask.pop("op")
        if op == "load":
            bare, answer = Bare(**ask), {}
        else:
            answer = getattr(bare, op)(**ask)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
