"""The parent's end of an engine process: start it, send frames, hear frames, notice its death."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from npc_memory.errors import EngineCrashed, EngineError
from npc_memory.inference.protocol import Frame, FrameReader, error_from, pack
from npc_memory.inference.settings import Settings, child_environment

__all__ = ["EngineProcess"]

_ROOT = Path(__file__).resolve().parents[2]
_CLOSE_SECONDS = 5.0


class EngineProcess:
    """One child. ``on_frame`` hears its frames and ``on_exit`` its death, each on the reading thread.

    ``progress`` hears, on the calling thread, what share of a first examination is done. A child without a sign of
    progress for ``start_seconds`` is given up.

    Raises ``ModelDamaged``, ``EngineMissing``, ``RequestInvalid`` or ``EngineCrashed`` when it does not get ready.
    """

    def __init__(
        self,
        load: Frame,
        settings: Settings,
        on_frame: Callable[[Frame], None],
        on_exit: Callable[[EngineCrashed], None],
        *,
        progress: Callable[[float], None] | None = None,
        start_seconds: float = 300.0,
    ) -> None:
        self._on_frame = on_frame
        self._on_exit = on_exit
        self._closing = False
        self._ended = False
        self.buried = False
        self._complaints: deque[str] = deque(maxlen=40)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._ready: queue.SimpleQueue[Frame | EngineCrashed] = queue.SimpleQueue()
        environment = child_environment(settings)
        if "site-packages" not in _ROOT.parts:
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_ROOT), environment.get("PYTHONPATH", "")]))
        self._child = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "npc_memory.inference.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        self._threads = [
            threading.Thread(target=target, name=f"engine-{target.__name__.strip('_')}", daemon=True)
            for target in (self._write, self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()
        self.send({"op": "load", **load, "settings": settings.as_map()})
        try:
            self.info = self._await_ready(start_seconds, progress)
        except BaseException:
            self._closing = True
            self.kill()  # it may be in the middle of something and not listening
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._child.pid

    @property
    def alive(self) -> bool:
        """Whether the child still runs."""
        # While the reading thread reaps the child, poll() would still say it runs.
        return not self._ended and self._child.poll() is None

    def send(self, frame: Frame) -> None:
        """Send a frame; returns at once, even to a child that does not read."""
        self._outbox.put(pack(frame))

    def kill(self) -> None:
        """End a child that does not answer any more."""
        self._child.kill()

    def close(self) -> None:
        """Close the child's input and wait for its end."""
        self._closing = True
        self._outbox.put(None)
        try:
            self._child.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_CLOSE_SECONDS)

    def _await_ready(self, seconds: float, progress: Callable[[float], None] | None) -> dict[str, Any]:
        frame = self._next_sign(seconds)
        while not isinstance(frame, EngineCrashed) and frame["op"] == "progress":
            if progress is not None:
                progress(frame["share"])
            frame = self._next_sign(seconds)
        if isinstance(frame, EngineCrashed):
            raise frame
        if frame["op"] == "failed":
            raise error_from(frame)
        info: dict[str, Any] = frame["info"]
        return info

    def _next_sign(self, seconds: float) -> Frame | EngineCrashed:
        try:
            return self._ready.get(timeout=seconds)
        except queue.Empty:
            raise EngineCrashed(
                f"the engine was not ready after {seconds:g} s", hint="use a smaller model or a faster disk"
            ) from None

    def _write(self) -> None:
        assert self._child.stdin is not None
        try:
            while (data := self._outbox.get()) is not None:
                self._child.stdin.write(data)
                self._child.stdin.flush()
            self._child.stdin.close()
        except OSError:
            pass  # The child is gone; the reading thread sees the same and tells everybody.

    def _listen(self) -> None:
        """Keep the last lines of standard error, for the day they explain a crash."""
        assert self._child.stderr is not None
        with self._child.stderr as stream:
            for line in stream:
                self._complaints.append(line.decode("utf-8", "replace").rstrip())

    def _read(self) -> None:
        assert self._child.stdout is not None
        reader = FrameReader()
        with self._child.stdout as stream:
            try:
                while data := os.read(stream.fileno(), 65_536):
                    for frame in reader.feed(data):
                        self._dispatch(frame)
            except EngineError:
                self._child.kill()
        self._ended = True
        status = self._child.wait()
        crash = self._crash(status)
        self._ready.put(crash)
        if not self._closing:
            self._on_exit(crash)

    def _dispatch(self, frame: Frame) -> None:
        if frame["op"] in ("ready", "failed", "progress"):
            self._ready.put(frame)
        else:
            self._on_frame(frame)

    def _crash(self, status: int) -> EngineCrashed:
        self._threads[2].join(_CLOSE_SECONDS)
        lines = list(self._complaints)
        details = {"status": status, "stderr": lines}
        if status == -getattr(signal, "SIGILL", 4):
            return EngineCrashed(
                "the engine process died of an illegal instruction",
                hint="the library was built for another processor: rebuild with GGML_NATIVE=OFF, without pip's cache",
                details=details,
            )
        last = next((line for line in reversed(lines) if line.strip()), "it left no message")
        return EngineCrashed(
            f"the engine process ended (status {status}): {last}",
            hint="the next request starts a new one; if it happens again, verify the model (npc-memory models verify)",
            details=details,
        )
