"""The parent's ends of those who are measured beside our engine: questions out, answers in, one at a time."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any, Protocol

from npc_memory.inference.settings import Settings, child_environment

__all__ = ["Contestant", "Missing", "Script", "Server"]

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120.0


class Missing(Exception):
    """A contestant that cannot take part here; the text says why."""


class Contestant(Protocol):
    """Somebody who is measured: ``ask`` gives the measured values."""

    def ask(self, op: str, **values: Any) -> dict[str, Any]: ...

    def close(self) -> None: ...


def _environment(settings: Settings | None) -> dict[str, str]:
    """Ours with the strict switches when ``settings`` are given, else as it is; threads wait without spinning."""
    environment = dict(os.environ) if settings is None else child_environment(settings)
    environment.setdefault("OMP_WAIT_POLICY", "passive")
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), environment.get("PYTHONPATH", "")]))
    return environment


class Script:
    """A module of this folder in a process of its own. Raises ``Missing`` when it does not load."""

    def __init__(self, module: str, settings: Settings | None, load: Mapping[str, Any]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.contest.{module}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_environment(settings),
            text=True,
            encoding="utf-8",
        )
        try:
            self.ask("load", **load)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def ask(self, op: str, **values: Any) -> dict[str, Any]:
        """Send one question, wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"op": op, **values}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Missing(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # a question it did not live to read
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(20)
        self._errors.close()

    def _last_words(self) -> str:
        self._process.wait(20)
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with status {self._process.returncode}"


class Server:
    """llama-cpp-python's OpenAI-style server, run by ``python`` (an interpreter that has its extra packages)."""

    NEEDS = "llama_cpp.server.app"

    def __init__(self, python: str, path: str, n_ctx: int, n_threads: int, cache_bytes: int) -> None:
        environment = {**_environment(None)}
        environment.pop("PYTHONPATH", None)
        found = subprocess.run(
            [python, "-c", f"import {self.NEEDS}"], capture_output=True, text=True, env=environment, encoding="utf-8"
        )
        if found.returncode != 0:
            reason = (found.stderr.strip().splitlines() or ["it does not import"])[-1]
            raise Missing(f"{reason}: install llama-cpp-python[server] and name its interpreter with --server-python")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = {
            "model": path, "n_ctx": n_ctx, "n_threads": n_threads, "n_threads_batch": n_threads, "host": "127.0.0.1",
            "port": port, "cache": "true", "cache_type": "ram", "cache_size": cache_bytes, "verbose": "false",
        }  # fmt: skip
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [python, "-m", "llama_cpp.server", *(part for k, v in options.items() for part in (f"--{k}", str(v)))],
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=environment,
        )
        self._port = port
        self._await()

    def _await(self) -> None:
        until = monotonic() + START_SECONDS
        while monotonic() < until and self._process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self._port), timeout=1):
                    return
            except OSError:
                sleep(0.1)
        self.close()
        raise Missing("it did not come up")

    def ask(self, op: str, **values: Any) -> dict[str, Any]:
        """``complete`` a prompt: seconds from the request to the first chunk of text."""
        assert op == "complete"
        body = {**values, **values["sampling"], "stream": True}
        del body["sampling"]
        started = perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=600)
        connection.request("POST", "/v1/completions", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        first = None
        for line in answer:
            if line.startswith(b"data: {") and first is None:
                first = perf_counter() - started
        connection.close()
        if first is None:
            raise Missing(f"it answered with status {answer.status}")
        return {"seconds": first}

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()
