"""The scripted engine: a public test double with no native code, and every bad habit on request.

It runs the same runner, scheduler, cache and text stream as the real engine; only the model is made up. So priorities,
deadlines, cancels, stop strings, windows and queues behave as they do in earnest.
"""

from __future__ import annotations

import hashlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import TracebackType
from typing import Self

from npc_memory.errors import Cancelled
from npc_memory.inference.generation import Generation
from npc_memory.inference.pending import Pending
from npc_memory.inference.request import Determinism, EngineInfo, GenerationRequest, check_text, control_pairs
from npc_memory.inference.runner import Runner
from npc_memory.inference.scheduler import MOST_SLOTS
from npc_memory.inference.script import Behaviour, Reply, Script, ScriptSource
from npc_memory.inference.scripted_backend import CHATML, SPECIAL_TOKENS, ScriptedBackend

__all__ = ["Behaviour", "Reply", "ScriptedEngine"]

_REMEMBERED_COUNTS = 8_192
_REMEMBERED_REQUESTS = 1024
_IDLE_SECONDS = 0.002


class ScriptedEngine:
    """See ``Engine`` for the verbs.

    ``script``: what to say — a list (one reply after the other, the last repeated), a mapping from regular expressions
    over the prompt's text to replies (first match), a callable of the request, or ``None`` for an answer derived from
    seed and prompt. A reply is a text or a ``Reply`` with a behaviour. ``behaviours``: by arrival, one per request
    (``None``: none), before those of the script; a marker ``[[scripted:stall]]`` in the prompt comes before both.
    ``format``: wraps a text when the request carries a grammar, e.g. into the JSON it asks for. ``lie``: what the
    behaviour ``lie`` says. ``pace``: seconds per token of the behaviour ``slow``. ``slots``: replies spoken at once.
    """

    def __init__(
        self,
        script: ScriptSource = None,
        *,
        behaviours: Sequence[Behaviour | None] = (),
        format: Callable[[str, GenerationRequest], str] | None = None,
        lie: str = "King Aldric is alive and well.",
        pace: float = 0.05,
        n_ctx: int = 2048,
        slots: int = MOST_SLOTS,
        max_queue: int = 64,
    ) -> None:
        self.requests: list[GenerationRequest] = []
        self._backend = ScriptedBackend(Script(script, behaviours, format, lie), n_ctx=n_ctx, pace=pace)
        self._pending = Pending(max_queue)
        self._runner = Runner(self._backend, self._pending.feed, time.monotonic, slots=slots)
        self._inbox: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._count = lru_cache(maxsize=_REMEMBERED_COUNTS)(self._count_afresh)
        self._thread = threading.Thread(target=self._run, name="scripted-engine", daemon=True)
        self._thread.start()
        self.info = EngineInfo(
            model="scripted",
            model_sha256=hashlib.sha256(b"scripted engine 1").hexdigest(),
            build="scripted 1",
            n_ctx=n_ctx,
            determinism=Determinism("bit-exact", "a script is no model"),
            chat_template=CHATML,
            bos="<|im_start|>",
            eos="<|im_end|>",
            add_bos=False,
            special_tokens=SPECIAL_TOKENS,
            engine="scripted",
        )

    def count(self, text: str) -> int:
        """Return the exact number of the scripted tokenizer's tokens of one segment."""
        return self._count(str.__str__(text), bool(getattr(text, "control", False)))

    def tokenize(self, segments: Iterable[str]) -> tuple[int, ...]:
        """Return the ids of the segments, each tokenised on its own, put end to end."""
        pairs = control_pairs(segments)
        for text, _ in pairs:
            check_text(text)
        return self._backend.tokenize(pairs)

    def pieces(self) -> None:
        """Return None: the scripted vocabulary is made up as it goes."""
        return

    def submit(self, request: GenerationRequest) -> Generation:
        """Queue a request and return at once. ``requests`` keeps the newest 1,024, for tests to look at."""
        with self._lock:
            if self._closed:
                raise Cancelled("the engine is closed", hint="open a new engine")
            generation = self._pending.add(request, self._cancel)
            self.requests.append(request)
            del self.requests[:-_REMEMBERED_REQUESTS]
            self._inbox.put(lambda: self._runner.submit(generation.id, request))
        return generation

    def drop_cache(self) -> None:
        """Forget the counts, the requests and all prompts."""
        self._count.cache_clear()
        with self._lock:
            self.requests.clear()
            self._inbox.put(self._runner.drop)

    def close(self) -> None:
        """Stop; whatever is open fails with ``Cancelled``."""
        with self._lock:
            self._closed = True
        self._inbox.put(None)
        self._thread.join()
        self._pending.fail_all(Cancelled("the engine was closed", hint="open a new engine"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _count_afresh(self, text: str, control: bool) -> int:
        check_text(text)
        return len(self._backend.tokenize([(text, control)]))

    def _cancel(self, id: int) -> None:
        self._inbox.put(lambda: self._runner.cancel(id))

    def _run(self) -> None:
        """Take orders between steps; rest a little when a reply has no token to give."""
        busy = False
        while True:
            try:
                order = self._inbox.get(block=not busy)
            except queue.Empty:
                busy = self._runner.step()
                if self._backend.idle:
                    time.sleep(_IDLE_SECONDS)
                continue
            if order is None:
                return
            order()
            busy = True
