"""The engine's own process: frames come in on one thread, steps are computed on the other.

The native code runs here so that an assert in it takes no game down. The process ends when its parent does: its
standard input closes, or its parent's id changes.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
import traceback
from typing import Any, BinaryIO

from npc_memory.errors import EngineMissing, NpcMemoryError, RequestInvalid
from npc_memory.inference.cache import MEGABYTE
from npc_memory.inference.protocol import Frame, FrameReader, error_frame, pack, pieces_map, request_from, texts_from
from npc_memory.inference.request import control_pairs
from npc_memory.inference.runner import Runner
from npc_memory.inference.settings import Settings
from npc_memory.inference.verdicts import verdict_map

__all__ = ["main"]

_WATCH_SECONDS = 1.0


class _Pipe:
    """Frames out, from any thread."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def send(self, frame: Frame) -> None:
        data = pack(frame)
        with self._lock:
            self._out.write(data)
            self._out.flush()


def main() -> None:
    """Serve one parent until it goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C is for the parent: it decides what becomes of the replies
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    source, pipe = _take_over_pipes()
    inbox: queue.SimpleQueue[tuple[float, Frame]] = queue.SimpleQueue()
    reader = FrameReader()
    first = _first_frame(source, reader, inbox)
    try:
        served = _Served(first, pipe)
    except NpcMemoryError as error:
        pipe.send(error_frame("failed", error))
        return
    threading.Thread(target=_read, args=(source, reader, inbox, served), daemon=True).start()
    served.run(inbox)


def _take_over_pipes() -> tuple[int, _Pipe]:
    """Keep the pipes for frames alone: whatever native code prints goes to standard error."""
    source, target = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return source, _Pipe(os.fdopen(target, "wb"))


def _watch_parent(parent: int) -> None:
    """A process forked from the parent may hold our input open after the parent's death; then this notices."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(0)


def _first_frame(source: int, reader: FrameReader, inbox: queue.SimpleQueue[tuple[float, Frame]]) -> Frame:
    while True:
        data = os.read(source, 65_536)
        if not data:
            os._exit(0)
        frames = list(reader.feed(data))
        for frame in frames[1:]:
            inbox.put((time.monotonic(), frame))
        if frames:
            return frames[0]


def _read(source: int, reader: FrameReader, inbox: queue.SimpleQueue[tuple[float, Frame]], served: _Served) -> None:
    """Answer what can be answered at once; leave the rest to the step loop. Ends the process with its input."""
    try:
        while data := os.read(source, 65_536):
            for frame in reader.feed(data):
                if frame["op"] == "tokenize":
                    served.tokenize(frame)
                elif frame["op"] == "pieces":
                    served.pieces(frame)
                else:
                    inbox.put((time.monotonic(), frame))
    except Exception:
        traceback.print_exc()
        os._exit(70)
    os._exit(0)


class _Served:
    """A loaded model and the runner over it."""

    def __init__(self, load: Frame, pipe: _Pipe) -> None:
        self._pipe = pipe
        try:
            from npc_memory.inference.examination import examined
            from npc_memory.inference.fingerprint import fingerprint, system_info
            from npc_memory.inference.llama_backend import LlamaBackend, slots_for
            from npc_memory.inference.native import Model
        except (ImportError, OSError, RuntimeError) as error:
            raise _cannot_load(error) from error
        self._n_threads: int = load["n_threads"]
        info: dict[str, Any] = {"build": fingerprint(), "system_info": system_info()}
        if load["vocab_only"]:
            self._model = Model(load["path"], Settings(), vocab_only=True)
            info["vocabulary"] = _tokens(self._model)
        else:
            self._model, verdict = examined(load, info["build"], pipe.send)
            info["verdict"] = verdict_map(verdict)
            slots = load["slots"] or slots_for(self._model, load["n_ctx"])
            backend = LlamaBackend(self._model, n_ctx=load["n_ctx"], n_threads=self._n_threads, slots=slots)
            self._runner = Runner(
                backend,
                pipe.send,
                time.monotonic,
                slots=slots,
                chunk=self._model.settings.chunk,
                cache_bytes=load["cache_mb"] * MEGABYTE,
            )
            info |= {"slots": slots, "slot_bytes": self._model.bytes_per_token * load["n_ctx"]}
        pipe.send({"op": "ready", "info": {**info, **_vocabulary(self._model)}})

    def tokenize(self, frame: Frame) -> None:
        """Answer with the ids of each segment put end to end; runs beside a step, on the reading thread."""
        try:
            ids = [
                token
                for text, control in control_pairs(texts_from(frame["segments"]))
                for token in self._model.tokenize(text, control)
            ]
        except NpcMemoryError as error:
            self._pipe.send(error_frame("error", error, id=frame["id"]))
            return
        self._pipe.send({"op": "tokens", "id": frame["id"], "tokens": ids})

    def pieces(self, frame: Frame) -> None:
        """Answer with what the vocabulary's tokens can stand for; on the reading thread too."""
        from npc_memory.inference.native_pieces import pieces_of

        self._pipe.send({"op": "pieces", "id": frame["id"], **pieces_map(pieces_of(self._model))})

    def run(self, inbox: queue.SimpleQueue[tuple[float, Frame]]) -> None:
        """Take frames between steps, wait for one when there is nothing to compute."""
        busy = False
        while True:
            try:
                while True:
                    self._handle(*inbox.get(block=not busy))
                    busy = True
            except queue.Empty:
                busy = self._runner.step() or self._runner.tidy()

    def _handle(self, arrived: float, frame: Frame) -> None:
        op, id = frame["op"], frame["id"]
        if op == "cancel":
            self._runner.cancel(id)
        elif op == "drop":
            self._runner.drop()
            self._pipe.send({"op": "dropped", "id": id})
        elif op == "stats":
            self._pipe.send({"op": "stats", "id": id, "stats": self._runner.stats()})
        elif op == "generate":
            try:
                request = request_from(frame["request"])
            except NpcMemoryError as error:
                self._pipe.send(error_frame("error", error, id=id))
            else:
                self._runner.submit(id, request, arrived)
        else:
            unknown = RequestInvalid(f"the engine does not know {op!r}", hint="parent and child differ in version")
            self._pipe.send(error_frame("error", unknown, id=id))


def _vocabulary(model: Any) -> dict[str, Any]:
    return {
        "chat_template": model.chat_template,
        "bos": model.text(model.bos),
        "eos": model.text(model.eos),
        "add_bos": model.add_bos,
        "special_tokens": model.special_tokens(),
    }


def _tokens(model: Any) -> list[list[Any]]:
    return [[model.text(t), model.piece(t, True), *model.kinds(t), model.is_end(t)] for t in range(model.n_vocab)]


def _cannot_load(error: Exception) -> EngineMissing:
    return EngineMissing(
        f"llama-cpp-python cannot be loaded: {error}",
        hint="install it with the strict flags (in a checkout: make setup), or use --engine scripted",
    )


if __name__ == "__main__":
    main()
