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
    "make setup in a checkout, elsewhere "
    'CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_LLAMAFILE=OFF" pip install --force-reinstall --no-deps --no-cache-dir'
    " --no-binary llama-cpp-python llama-cpp-python==0.3.36"
)
_TEXT = (
    "The innkeeper wipes the table and counts her silver twice. Snow lies on the north road, the bridge is burned, and"
    " nobody has come down from the mine since the feast of lanterns. A stranger asks about the king; 3 of the 12 men"
    " at the fire look up, then away. She pours the cider, says nothing, and waits for the wind to turn. "
)
_PROMPT = 80
_SPLIT = 48
_OTHER = 40
_STEPS = 3
_ROOM = 256


class _Probe:
    """One model under examination, in one window of two slots that is emptied between checks."""

    def __init__(self, model: Model, n_threads: int) -> None:
        tokens = model.tokenize(_TEXT * 2, False)
        self.prompt = tokens[:_PROMPT]
        self.other = tokens[:_OTHER:-1][:_OTHER]
        self.n_threads = n_threads
        self.context = Context(model, n_ctx=_ROOM, slots=2, n_threads=n_threads, n_batch=_PROMPT + _OTHER)
        self.expected = self.whole(_PROMPT)

    def fresh(self) -> None:
        self.context.clear(0)
        self.context.clear(1)

    def feed(self, tokens: list[int], start: int, slot: int, chunk: int = _PROMPT) -> bytes:
        """Compute tokens in chunks; return the logits behind the last."""
        for at in range(0, len(tokens), chunk):
            part = tokens[at : at + chunk]
            self.context.decode([Entry(t, start + at + i, slot, i == len(part) - 1) for i, t in enumerate(part)])
        return self.context.logits(len(part) - 1).tobytes()

    def go_on(self, slot: int, logits: bytes, neighbour: int | None = None) -> bytes:
        """Take a few fixed steps behind the prompt, beside a neighbour if there is one; return all logits."""
        seen = [logits]
        for i in range(_STEPS):
            entries = [Entry(self.other[i], len(self.prompt) + i, slot, True)]
            if neighbour is not None:
                entries.insert(0, Entry(self.other[-i - 1], len(self.other) + i, neighbour, True))
            self.context.decode(entries)
            seen.append(self.context.logits(len(entries) - 1).tobytes())
        return b"".join(seen)

    def rest(self, slot: int) -> bytes:
        """Compute what follows the split in a slot that holds what precedes it."""
        return self.go_on(slot, self.feed(self.prompt[_SPLIT:], _SPLIT, slot))

    def whole(self, chunk: int, n_threads: int | None = None) -> bytes:
        self.fresh()
        self.context.set_threads(n_threads or self.n_threads)
        seen = self.go_on(0, self.feed(self.prompt, 0, 0, chunk))
        self.context.set_threads(self.n_threads)
        return seen

    def tail(self) -> bytes:
        """Another tail is computed first, then removed."""
        self.fresh()
        self.feed(self.prompt[:_SPLIT] + self.other, 0, 0)
        return self.rest(0) if self.context.keep(0, _SPLIT) else b""

    def copied(self) -> bytes:
        self.fresh()
        self.feed(self.prompt[:_SPLIT], 0, 0)
        self.context.copy(0, 1)
        return self.rest(1)

    def restored(self) -> bytes:
        self.fresh()
        self.feed(self.prompt[:_SPLIT], 0, 0)
        state = self.context.save(0)
        self.fresh()
        return self.rest(1) if self.context.restore(1, state) else b""

    def together(self) -> bytes:
        self.fresh()
        self.feed(self.other, 0, 1)
        return self.go_on(0, self.feed(self.prompt, 0, 0), neighbour=1)

    def mixed(self) -> bytes:
        """The prompt's rest shares a batch with another's prompt."""
        self.fresh()
        self.feed(self.prompt[:_SPLIT], 0, 0)
        rest = self.prompt[_SPLIT:]
        entries = [Entry(t, i, 1, False) for i, t in enumerate(self.other)]
        entries += [Entry(t, _SPLIT + i, 0, i == len(rest) - 1) for i, t in enumerate(rest)]
        self.context.decode(entries)
        return self.go_on(0, self.context.logits(len(entries) - 1).tobytes())


def probe(model: Model, n_threads: int) -> Determinism:
    """Examine a loaded model (seconds for a small one) and return the word and its reason."""
    subject = _Probe(model, n_threads)
    with closing(subject.context):
        threads = 2 if n_threads == 1 else 1
        checks: list[tuple[str, Callable[[], bytes]]] = [
            *((f"between prompt chunks of {size} and {_PROMPT}", partial(subject.whole, size)) for size in (1, 7, 32)),
            (f"between {n_threads} and {threads} threads", partial(subject.whole, _PROMPT, threads)),
            ("after a removed tail", subject.tail),
            ("after a copied prefix", subject.copied),
            ("after a restored state", subject.restored),
            ("beside another sequence", subject.together),
            ("in one batch with another's prompt", subject.mixed),
        ]
        failed = [name for name, check in checks if check() != subject.expected]
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
