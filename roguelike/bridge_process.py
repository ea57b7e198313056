"""The bridge as a child of the game: started, waited for, started again when it crashed, and never left behind.

    process = BridgeProcess(["--world", …])       # no import of ours: any engine can start the same command
    link = Link(process.address, token=process.token)
    ...
    await process.stop()

Three things end the child: ``stop``, the death of this process (``--parent-pid``), and its own. It has a session of its
own, so that a Ctrl-C or a hang-up of the terminal reaches the game first, which then saves and stops it in order.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from npc_memory.errors import ConnectionLost

__all__ = ["BridgeProcess", "Ready"]

STARTS = 3
"""Times in a row that a bridge is started which then ends before anybody could use it."""

STOPPING = 10.0
"""Seconds a bridge gets to store what is being said, and its file."""

KEPT = 20
"""Lines of its standard error that are kept, to say why it ended."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What the ready line says. ``model`` is "-" when there is none."""

    url: str
    world: str
    model: str
    determinism: str


class BridgeProcess:
    """``arguments`` for ``npc-memory serve``, without port, token and parent. ``on_progress``: told in a line what it
    is doing while it starts. ``command``: what to run in place of this Python's ``npc-memory``.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        on_progress: Callable[[str], None] = lambda text: None,
        command: Sequence[str] = (sys.executable, "-m", "npc_memory.cli"),
    ) -> None:
        self.token = secrets.token_hex(16)
        self.on_progress = on_progress
        self._command = [*command, "serve", *arguments, "--port", "0", "--parent-pid", str(os.getpid())]
        self._process: asyncio.subprocess.Process | None = None
        self._ready: Ready | None = None
        self._errors: deque[str] = deque(maxlen=KEPT)
        self._listener: asyncio.Future[None] | None = None
        self._failed = 0
        self._stopped = False
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The child's process id, None when there is none."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def address(self) -> str:
        """Where it listens; starts it when it does not run. Raises ``ConnectionLost`` when it does not start."""
        return (await self.ready()).url

    async def ready(self) -> Ready:
        """What it said when it was ready. Raises as ``address`` does."""
        async with self._starting:
            if self._ready is not None and self.pid is not None:
                return self._ready
            if self._stopped:
                raise ConnectionLost("the bridge was stopped", hint="start the game again")
            if self._failed >= STARTS:
                raise self._gone(f"the bridge did not start in {STARTS} attempts")
            self._ready = await self._start()
            return self._ready

    async def stop(self) -> None:
        """End it in order; if it does not, end it."""
        self._stopped = True
        process = self._process
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            try:
                await asyncio.wait_for(process.wait(), STOPPING)
            except TimeoutError:
                process.kill()
                await process.wait()
        if self._listener is not None:
            await self._listener

    def kill(self) -> None:
        """End it at once, where nothing can be waited for any more."""
        self._stopped = True
        if (pid := self.pid) is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    async def _start(self) -> Ready:
        self._errors.clear()
        process = self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "NPC_MEMORY_TOKEN": self.token, "COLUMNS": "1000", "NO_COLOR": "1"},
            start_new_session=True,
        )
        self._listener = asyncio.ensure_future(self._listen(process))
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode("utf-8", "replace").split()
        if line[:1] != ["ready"] or len(line) < 5:
            self._failed += 1
            await self._end(process)
            raise self._gone("the bridge ended before it was ready")
        self._failed = 0
        return Ready(*line[1:5])

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if self._listener is not None:
            await self._listener

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Read what it writes, or a full pipe would halt it."""
        assert process.stderr is not None
        while line := await process.stderr.readline():
            text = line.decode("utf-8", "replace").strip()
            if text:
                self._errors.append(text)
                self.on_progress(text)

    def _gone(self, what: str) -> ConnectionLost:
        said = "; ".join(list(self._errors)[-3:])
        return ConnectionLost(f"{what}{': ' + said if said else ''}", hint="`npc-memory serve` shows more of it")
