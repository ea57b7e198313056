"""The engine process dies, hangs, cannot load or loses its parent: typed errors, and it serves again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from npc_memory.errors import DeadlinePassed, EngineCrashed, EngineMissing, ModelDamaged
from npc_memory.inference import GenerationRequest, LlamaEngine, Sampling, generate

pytestmark = pytest.mark.model

LONG = GenerationRequest(["Once upon a time"], 1500, 1, sampling=Sampling(temperature=1.5))
SHORT = GenerationRequest(["Once upon a time"], 8, 3, hash_logits=True)


def gone(pid: int, *, zombie: bool = False) -> bool:
    """Whether a process ends within half a minute; ``zombie``: it need not have been reaped."""
    for _ in range(300):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if zombie and state == "Z":
            return True
        time.sleep(0.1)
    return False


def test_killed_in_the_middle_it_fails_what_was_open_and_comes_back(open_engine: Callable[..., LlamaEngine]) -> None:
    engine = open_engine()
    before = generate(engine, SHORT)
    streaming, waiting = engine.submit(LONG), engine.submit(LONG)
    stream = iter(streaming)
    next(stream)
    pid = engine.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(EngineCrashed, match="-9"):
        list(stream)
    with pytest.raises(EngineCrashed):
        waiting.result()
    assert generate(engine, SHORT) == before
    assert engine.pid not in (pid, None)


def test_a_count_survives_the_death_of_the_child(open_engine: Callable[..., LlamaEngine]) -> None:
    engine = open_engine()
    expected = engine.count("a text for counting")
    assert engine.pid is not None
    os.kill(engine.pid, signal.SIGKILL)
    assert engine.count("a text for counting!") >= expected


def test_a_child_that_hangs_is_replaced(open_engine: Callable[..., LlamaEngine]) -> None:
    engine = open_engine(stall_seconds=0.2)
    pid = engine.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    stuck = GenerationRequest(["Once"], 5, 1, deadline=0.1)
    with pytest.raises(DeadlinePassed):
        generate(engine, stuck)
    time.sleep(0.3)
    assert generate(engine, SHORT).tokens
    assert engine.pid != pid


def test_the_child_goes_when_the_parent_is_killed(model_file: Path, verdict_dir: Path, engine: LlamaEngine) -> None:
    code = (
        "import sys, time, pathlib\n"
        "from npc_memory.inference import LlamaEngine, GenerationRequest, Sampling\n"
        "engine = LlamaEngine(sys.argv[1], cache_dir=pathlib.Path(sys.argv[2]))\n"
        "generation = engine.submit(GenerationRequest(['Once'], 1500, 1, sampling=Sampling(temperature=1.5)))\n"
        "next(iter(generation))\n"
        "print(engine.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(model_file), str(verdict_dir)], stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert Path(f"/proc/{child}").exists()
        parent.kill()
    assert gone(child, zombie=True)


def test_closing_ends_the_child_even_in_the_middle(open_engine: Callable[..., LlamaEngine]) -> None:
    engine = open_engine()
    next(iter(engine.submit(LONG)))
    pid = engine.pid
    assert pid is not None
    engine.close()
    assert not Path(f"/proc/{pid}").exists()


def test_a_header_with_nothing_behind_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    for body in (b"\0" * 64, b"\xff" * 4096, os.urandom(4096)):
        path.write_bytes(b"GGUF" + (3).to_bytes(4, "little") + body)
        with pytest.raises(ModelDamaged) as caught:
            LlamaEngine(path, cache_dir=tmp_path)
        assert caught.value.hint


def test_a_truncated_model_of_ones_own_is_damaged(model_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    with model_file.open("rb") as stream:
        path.write_bytes(stream.read(20_000_000))
    with pytest.raises(ModelDamaged, match=r"mine\.gguf"):
        LlamaEngine(path, cache_dir=tmp_path)


def test_without_the_library_the_cure_is_named(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLAMA_CPP_LIB_PATH", str(tmp_path))
    with pytest.raises(EngineMissing) as caught:
        LlamaEngine(model_file, cache_dir=tmp_path)
    assert caught.value.hint


def test_a_model_replaced_while_in_use_is_noticed(
    model_file: Path, engine: LlamaEngine, verdict_dir: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mine.gguf"
    path.write_bytes(model_file.read_bytes())
    with LlamaEngine(path, cache_dir=verdict_dir) as own:
        assert own.info.model_sha256 == engine.info.model_sha256
        replacement = tmp_path / "other"
        replacement.write_bytes(model_file.read_bytes() + b"\0")
        replacement.replace(path)
        assert own.pid is not None
        os.kill(own.pid, signal.SIGKILL)
        assert gone(own.pid)
        with pytest.raises(ModelDamaged, match="changed"):
            generate(own, SHORT)
