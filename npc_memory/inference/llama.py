"""The real engine: a llama.cpp model in a process of its own, restarted when it dies."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from npc_memory.errors import Cancelled, EngineCrashed, EngineError, ModelDamaged, NpcMemoryError, RequestInvalid
from npc_memory.inference.generation import Generation
from npc_memory.inference.models import check_header, check_sha256, check_size, entry_of
from npc_memory.inference.pending import Pending
from npc_memory.inference.pieces import Pieces
from npc_memory.inference.process import EngineProcess
from npc_memory.inference.protocol import Frame, error_from, pieces_from, request_map
from npc_memory.inference.request import EngineInfo, GenerationRequest, check_text, control_pairs
from npc_memory.inference.settings import Settings
from npc_memory.inference.verdicts import Verdicts, question, verdict_from, verdict_map

__all__ = ["CACHE_MB", "LlamaEngine"]

CACHE_MB = 1024
"""Host memory (MB) for conversations that lost their sequence, unless told otherwise."""

_REMEMBERED_COUNTS = 8_192
_ANSWER_SECONDS = 60.0


class LlamaEngine:
    """Opens ``model_path`` (GGUF) in a child process; see ``Engine`` for the verbs.

    ``n_ctx``: window in tokens, prompt and reply together. ``n_threads`` changes the speed, never the words.
    ``slots``: how many sequences of the model take part in steps at once, each of ``n_ctx`` tokens; None: up to eight,
    fewer where that takes too much memory. ``cache_mb``: host memory (MB) for conversations that lost their sequence.
    ``max_queue``: most requests at once. ``cache_dir``: where hash and verdict are kept. ``stall_seconds``: a child
    this long over a deadline without a sign of life is ended and replaced. ``settings``: taken as they are; without,
    the fastest are chosen that give the bits of the strict ones. ``progress`` hears what share (0 … 1) is done while a
    model is examined at its first start.

    Raises ``ModelMissing``, ``ModelDamaged``, ``EngineMissing``, ``EngineCrashed`` or ``RequestInvalid`` (``n_ctx``).
    """

    def __init__(
        self,
        model_path: str | Path,
        *,
        n_ctx: int = 2048,
        n_threads: int = 2,
        slots: int | None = None,
        cache_mb: int = CACHE_MB,
        max_queue: int = 64,
        settings: Settings | None = None,
        cache_dir: Path | None = None,
        stall_seconds: float = 10.0,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        if n_ctx < 16 or min(n_threads, max_queue, 1 if slots is None else slots) < 1 or cache_mb < 0:
            raise RequestInvalid(
                "n_ctx, n_threads, slots, cache_mb or max_queue is too small",
                hint="n_ctx ≥ 16, cache_mb ≥ 0, the others ≥ 1",
            )
        self._path = Path(model_path)
        self._settings = settings
        self._progress = progress
        self._n_ctx, self._n_threads = n_ctx, n_threads
        self._slots, self._cache_mb = slots, cache_mb
        self._stall_seconds = stall_seconds
        self._verdicts = Verdicts(cache_dir)
        self._pending = Pending(max_queue)
        self._answers: dict[int, queue.SimpleQueue[Frame | NpcMemoryError]] = {}
        self._starting = threading.RLock()  # held for seconds while a child starts; never by the reading thread
        self._state = threading.Lock()
        self._process: EngineProcess | None = None
        self._info: EngineInfo | None = None
        self._closed = False
        self._pieces: tuple[Pieces | None] | None = None  # a model that changed under us is refused, so they stay
        self._count = lru_cache(maxsize=_REMEMBERED_COUNTS)(self._count_afresh)
        self._alive()

    @property
    def info(self) -> EngineInfo:
        """What the engine runs, and the probe's word on it."""
        assert self._info is not None
        return self._info

    @property
    def pid(self) -> int | None:
        """The child's process id, ``None`` while there is none."""
        process = self._process
        return None if process is None else process.pid

    def count(self, text: str) -> int:
        """Return the exact number of tokens of one segment (remembered)."""
        return self._count(str.__str__(text), bool(getattr(text, "control", False)))

    def tokenize(self, segments: Iterable[str]) -> tuple[int, ...]:
        """Return the ids of the segments, each tokenised on its own, put end to end."""
        return self._tokenize(control_pairs(segments))

    def pieces(self) -> Pieces | None:
        """Return what the vocabulary's tokens can stand for (remembered), or None if that bounds nothing."""
        if self._pieces is None:
            self._pieces = (pieces_from(self._ask({"op": "pieces"})),)
        return self._pieces[0]

    def drop_cache(self) -> None:
        """Forget all prompts computed so far; see ``Engine``."""
        self._count.cache_clear()
        process = self._process
        if process is not None and process.alive:
            with suppress(EngineCrashed):  # a child that is gone remembers nothing
                self._ask_process(process, {"op": "drop"}, _ANSWER_SECONDS)

    def stats(self) -> dict[str, Any]:
        """Return what is cached: ``slots`` and ``slot_bytes`` of each, ``states`` in host memory and their
        ``state_bytes``, ``shared_bytes`` of the world's beginning, ``saved`` states so far, and ``hits`` by tier.
        """
        process = self._alive()
        sizes = {name: process.info[name] for name in ("slots", "slot_bytes")}
        return {**sizes, **self._ask({"op": "stats"})["stats"]}

    def submit(self, request: GenerationRequest) -> Generation:
        """Queue a request and return at once (later only if a dead child has to be replaced first)."""
        process = self._alive()
        generation = self._pending.add(request, self._cancel)
        process.send({"op": "generate", "id": generation.id, "request": request_map(request)})
        if not process.alive:
            self._died(process, EngineCrashed("the engine process has just ended", hint="send the request again"))
        return generation

    def close(self) -> None:
        """End the child; whatever is open fails with ``Cancelled``."""
        with self._starting:
            if self._closed:
                return
            self._closed = True
            process, self._process = self._process, None
        if process is not None:
            process.close()
        self._fail(Cancelled("the engine was closed", hint="open a new engine"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _count_afresh(self, text: str, control: bool) -> int:
        return len(self._tokenize([(text, control)]))

    def _tokenize(self, pairs: list[tuple[str, bool]]) -> tuple[int, ...]:
        for text, _ in pairs:
            check_text(text)
        return tuple(self._ask({"op": "tokenize", "segments": pairs})["tokens"])

    def _ask(self, frame: Frame) -> Frame:
        """Ask what has no effects; so a child that dies over it may be replaced once."""
        try:
            return self._ask_process(self._alive(), frame, _ANSWER_SECONDS)
        except EngineCrashed:
            return self._ask_process(self._alive(), frame, _ANSWER_SECONDS)

    def _ask_process(self, process: EngineProcess, frame: Frame, seconds: float) -> Frame:
        """Send a frame and wait for its answer; a child silent for ``seconds`` is ended."""
        until = time.monotonic() + seconds
        id = self._pending.next_id()
        answers: queue.SimpleQueue[Frame | NpcMemoryError] = queue.SimpleQueue()
        self._answers[id] = answers
        try:
            process.send({**frame, "id": id})
            while True:
                try:
                    answer = answers.get(timeout=0.5)
                    break
                except queue.Empty:
                    if time.monotonic() > until:
                        process.kill()
                    if not process.alive:
                        raise EngineCrashed("the engine process ended", hint="send the request again") from None
        finally:
            self._answers.pop(id, None)
        if isinstance(answer, NpcMemoryError):
            raise answer
        if answer["op"] == "error":
            raise error_from(answer)
        return answer

    def _cancel(self, id: int) -> None:
        process = self._process
        if process is not None:
            process.send({"op": "cancel", "id": id})

    def _alive(self) -> EngineProcess:
        """Return a child that runs; start one if there is none or the last stalled."""
        with self._starting:
            if self._closed:
                raise Cancelled("the engine is closed", hint="open a new engine")
            process = self._process
            if process is not None and process.alive and self._pending.stalled(self._stall_seconds):
                process.kill()
                process.close()
            if process is None or not process.alive:
                if process is not None:
                    self._died(process, EngineCrashed("the engine process ended", hint="send the request again"))
                process = self._process = self._start()
            return process

    def _start(self) -> EngineProcess:
        check_header(self._path)
        check_size(self._path, entry_of(self._path))
        sha256 = self._verdicts.model_sha256(self._path)
        check_sha256(self._path, entry_of(self._path), sha256)
        if self._info is not None and sha256 != self._info.model_sha256:
            raise ModelDamaged(f"{self._path.name} has changed while it was in use", hint="open a new engine for it")
        process: EngineProcess | None = None

        def on_exit(crash: EngineCrashed) -> None:
            if process is not None:
                self._died(process, crash)

        asked = question(self._settings, self._n_threads)
        known = self._verdicts.known(sha256, asked)
        load = {
            "path": str(self._path),
            "n_ctx": self._n_ctx,
            "n_threads": self._n_threads,
            "slots": self._slots,
            "cache_mb": self._cache_mb,
            "vocab_only": False,
        }
        strict = self._settings or Settings()

        def start(choose: bool) -> EngineProcess:
            verdicts = {
                build: verdict_map(verdict if choose else replace(verdict, settings=strict))
                for build, verdict in known.items()
            }
            frame = {**load, "choose": choose and self._settings is None, "verdicts": verdicts}
            return EngineProcess(frame, strict, self._hear, on_exit, progress=self._progress)

        try:
            process = start(choose=True)
        except EngineCrashed:
            if self._settings is not None:
                raise
            # What was to make it faster may have cost it its life (memory): then as it is, without any choice.
            process = start(choose=False)
        self._info = self._describe(process, sha256, asked)
        return process

    def _describe(self, process: EngineProcess, sha256: str, asked: Mapping[str, Any]) -> EngineInfo:
        found: dict[str, Any] = process.info
        verdict = verdict_from(found["verdict"])
        assert verdict is not None
        if found["build"] not in self._verdicts.known(sha256, asked):
            self._verdicts.put(sha256, found["build"], asked, verdict)
        return EngineInfo(
            model=self._path.stem,
            model_sha256=sha256,
            build=" ".join([found["build"], *(self._settings or Settings()).loose]),
            n_ctx=self._n_ctx,
            determinism=verdict.determinism,
            chat_template=found["chat_template"],
            bos=found["bos"],
            eos=found["eos"],
            add_bos=found["add_bos"],
            special_tokens=tuple(found["special_tokens"]),
            engine="llama",
        )

    def _hear(self, frame: Frame) -> None:
        """The reading thread: a frame is an answer somebody waits for, or it belongs to a generation."""
        answers = self._answers.get(frame["id"])
        if answers is not None:
            answers.put(frame)
        else:
            self._pending.feed(frame)

    def _died(self, process: EngineProcess, crash: EngineCrashed) -> None:
        """Fail what a dead child owed, once: its successor's requests are not its own."""
        with self._state:
            if process.buried:
                return
            process.buried = True
            if self._process is process:
                self._process = None
        self._fail(crash)

    def _fail(self, error: EngineError) -> None:
        for answers in list(self._answers.values()):
            answers.put(error)
        self._pending.fail_all(error)
