"""llama-cpp-python's ``Llama`` with its RAM cache, in a process of its own: one JSON object a line, one back.

Only the library's own defaults, but for window, threads, sampling and the size of its cache.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter
from typing import Any

from llama_cpp import Llama, LlamaRAMCache


class HighLevel:
    """A model as most programs in Python load it."""

    def __init__(self, path: str, n_ctx: int, n_threads: int, cache_bytes: int) -> None:
        self.llama = Llama(path, n_ctx=n_ctx, n_threads=n_threads, n_threads_batch=n_threads, verbose=False)
        self.llama.set_cache(LlamaRAMCache(capacity_bytes=cache_bytes))

    def complete(self, prompt: str, max_tokens: int, seed: int, sampling: dict[str, Any]) -> dict[str, Any]:
        """Seconds until the first chunk of text."""
        started = perf_counter()
        first = None
        for _ in self.llama(prompt, max_tokens=max_tokens, seed=seed, stream=True, **sampling):
            first = first or perf_counter() - started
        return {"seconds": first}


def main() -> None:
    """Serve until the input ends."""
    llama: HighLevel | None = None
    for line in sys.stdin:
        ask = json.loads(line)
        op = ask.pop("op")
        if op == "load":
            llama, answer = HighLevel(**ask), {}
        else:
            answer = getattr(llama, op)(**ask)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
