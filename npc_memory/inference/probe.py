"""The start-up probe: does this library give this model the same logits however the work is cut?

Only ever imported in the engine's own process. Each check computes the same prompt and the same few greedy steps in
another way and compares the raw logits with the plainest way (whole prompt in one chunk, alone, cold). A library that
was built the wrong way is found here too: pip's wheel cache does not know which CMAKE_ARGS a wheel was built with.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial

from npc_memory.inference.fingerprint import system_info
from npc_memory.inference.native import Context, Entry, Model
from npc_memory.inference.request import Determinism
from npc_memory.inference.settings import Settings

__all__ = ["REBUILD", "probe"]

REBUILD = (
    'CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_LLAMAFILE=OFF" pip install --force-reinstall --no-deps --no-cache-dir'
    " --no-binary llama-cpp-python llama-cpp-python==0.3.36"
)
_TEXT = (
    "The innkeeper wipes the table and counts her silver twice. Snow lies on the north road, the bridge is burned, and"
    " nobody has come down from the mine since the feast of lanterns. A stranger asks about the king; 3 of the 12 men"
    " at the fire look up, then away. She pours the cider, says nothing, and waits for the wind to turn. "
)
_PROMPT = 100
_SPLIT = 64
_STEPS = 3
_ROOM = 256


class _Probe:
    """One model under examination. Tokens are cut to what fits; every run gets a context of its own."""

    def __init__(self, model: Model, n_threads: int) -> None:
        self.model = model
        self.n_threads = n_threads
        tokens = model.tokenize(_TEXT * 3, False)
        self.prompt = tokens[:_PROMPT]
        self.other = tokens[_PROMPT : 2 * _PROMPT] or tokens[::-1][:_PROMPT]

    def context(self, slots: int = 1, n_threads: int | None = None) -> Context:
        return Context(
            self.model, n_ctx=_ROOM, slots=slots, n_threads=n_threads or self.n_threads, n_batch=2 * _PROMPT + 8
        )

    def feed(self, context: Context, tokens: list[int], start: int, slot: int, chunk: int) -> bytes:
        """Compute tokens in chunks; return the logits behind the last."""
        for at in range(0, len(tokens), chunk):
            part = tokens[at : at + chunk]
            context.decode([Entry(t, start + at + i, slot, i == len(part) - 1) for i, t in enumerate(part)])
        return context.logits(len(part) - 1).tobytes()

    def go_on(self, context: Context, slot: int, logits: bytes, neighbour: int | None = None) -> bytes:
        """Take a few fixed steps behind the prompt, beside a neighbour if there is one; return all logits."""
        seen = [logits]
        for i in range(_STEPS):
            entries = [Entry(self.other[i], len(self.prompt) + i, slot, True)]
            if neighbour is not None:
                entries.insert(0, Entry(self.other[-i - 1], len(self.other) + i, neighbour, True))
            context.decode(entries)
            seen.append(context.logits(len(entries) - 1).tobytes())
        return b"".join(seen)

    def chunks(self, size: int, n_threads: int | None = None) -> bytes:
        with closing(self.context(n_threads=n_threads)) as context:
            return self.go_on(context, 0, self.feed(context, self.prompt, 0, 0, size))

    def tail(self) -> bytes:
        """Another tail is computed first, then removed."""
        with closing(self.context()) as context:
            self.feed(context, self.prompt[:_SPLIT] + self.other[:40], 0, 0, _PROMPT)
            if not context.keep(0, _SPLIT):
                return b""
            return self.go_on(context, 0, self.feed(context, self.prompt[_SPLIT:], _SPLIT, 0, _PROMPT))

    def copied(self) -> bytes:
        with closing(self.context(slots=2)) as context:
            self.feed(context, self.prompt[:_SPLIT], 0, 0, _PROMPT)
            context.copy(0, 1)
            return self.go_on(context, 1, self.feed(context, self.prompt[_SPLIT:], _SPLIT, 1, _PROMPT))

    def restored(self) -> bytes:
        with closing(self.context()) as context:
            self.feed(context, self.prompt[:_SPLIT], 0, 0, _PROMPT)
            state = context.save(0)
        with closing(self.context(slots=2)) as context:
            if not context.restore(1, state):
                return b""
            return self.go_on(context, 1, self.feed(context, self.prompt[_SPLIT:], _SPLIT, 1, _PROMPT))

    def together(self) -> bytes:
        with closing(self.context(slots=2)) as context:
            self.feed(context, self.other, 0, 1, _PROMPT)
            return self.go_on(context, 0, self.feed(context, self.prompt, 0, 0, _PROMPT), neighbour=1)

    def mixed(self) -> bytes:
        """The prompt's tail shares a batch with another's prompt."""
        with closing(self.context(slots=2)) as context:
            self.feed(context, self.prompt[:_SPLIT], 0, 0, _PROMPT)
            rest = self.prompt[_SPLIT:]
            entries = [Entry(t, i, 1, False) for i, t in enumerate(self.other)]
            entries += [Entry(t, _SPLIT + i, 0, i == len(rest) - 1) for i, t in enumerate(rest)]
            context.decode(entries)
            return self.go_on(context, 0, context.logits(len(entries) - 1).tobytes())


def probe(model: Model, n_threads: int) -> Determinism:
    """Examine a loaded model (seconds for a small one) and return the word and its reason."""
    subject = _Probe(model, n_threads)
    expected = subject.chunks(_PROMPT)
    checks: list[tuple[str, Callable[[], bytes]]] = [
        *((f"between prompt chunks of {size} and {_PROMPT}", partial(subject.chunks, size)) for size in (1, 7, 32)),
        ("between 1 and 2 threads", lambda: subject.chunks(32, 1) + subject.chunks(32, 2)),
        ("after a removed tail", subject.tail),
        ("after a copied prefix", subject.copied),
        ("after a restored state", subject.restored),
        ("beside another sequence", subject.together),
        ("in one batch with another's prompt", subject.mixed),
    ]
    wanted = {"between 1 and 2 threads": expected * 2}
    failed = [name for name, check in checks if check() != wanted.get(name, expected)]
    if not failed:
        names = ", ".join(name for name, _ in checks)
        return Determinism("bit-exact", f"logits are bit-identical {names}")
    return Determinism("prompt-only", f"logits differ {', '.join(failed)}: {_cause(model.settings)}")


def _cause(settings: Settings) -> str:
    """Name the likeliest cause and its cure."""
    if settings != Settings(chunk=settings.chunk):
        return "the engine was opened with settings that are not strict; leave them at their defaults"
    if "LLAMAFILE = 1" in system_info():
        return f"the library was built without GGML_LLAMAFILE=OFF; rebuild it: {REBUILD}"
    return f"this model's kernels are not exact in this build; use a Q4_1 or Q8_0 file, or rebuild: {REBUILD}"
