"""Set-up's demands and steps: every failure names its cure, whatever is started is stopped again."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from project_files import ROOT

from tools.setup import checks, progress, steps
from tools.setup.failure import Failure, cure_for
from tools.setup.layout import Layout

# What the machine must have


def test_an_old_python_is_refused_with_a_cure() -> None:
    with pytest.raises(Failure, match=r"3\.9\.1 is too old") as caught:
        checks.check_python((3, 9, 1))
    assert "PYTHON=" in caught.value.cure
    checks.check_python((3, 11, 0))


def test_no_compiler_is_refused_with_a_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(Failure, match=r"no C\+\+ compiler") as caught:
        checks.check_compiler()
    assert "build-essential" in caught.value.cure


def test_a_compiler_that_cannot_compile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "false")
    monkeypatch.setenv("CC", "true")
    with pytest.raises(Failure, match="cannot build"):
        checks.check_compiler()


def test_a_python_without_venv_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    find = checks.importlib.util.find_spec
    monkeypatch.setattr(checks.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else find(name))
    with pytest.raises(Failure, match="ensurepip is missing") as caught:
        checks.check_venv()
    assert "python3-venv" in caught.value.cure


def test_a_full_disk_is_refused_before_it_is_filled(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="MB are free"):
        checks.check_disk(tmp_path, 10**12, "This")
    checks.check_disk(tmp_path, 0, "This")


@pytest.mark.parametrize(
    ("output", "cure"),
    [
        ("OSError: [Errno 28] No space left on device", "free some disk space"),
        ("NewConnectionError: Failed to establish: Temporary failure in name resolution", "connect to the internet"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "do not install it"),
        ("g++: fatal error: Killed signal terminated program cc1plus", "JOBS=1"),
        ("CMake Error: No CMAKE_CXX_COMPILER could be found", "build-essential"),
        ("ERROR: No matching distribution found for numpy==2.4.6", "PYTHON="),
        ("something else", "the.log"),
    ],
)
def test_known_failures_name_their_cure(output: str, cure: str) -> None:
    assert cure in cure_for(output, "the.log")


def test_find_python_refuses_what_is_too_old(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\ncase $1 in --version) echo Python 3.8.0;; *) exit 1;; esac\n")
    old.chmod(0o755)
    script = str(ROOT / "tools" / "find-python")
    env = {"PATH": str(tmp_path), "PYTHON": ""}
    done = subprocess.run(["/bin/sh", script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Python 3.8.0" in done.stderr
    assert "Cure:" in done.stderr
    done = subprocess.run(
        ["/bin/sh", script], env={**env, "PYTHON": sys.executable}, capture_output=True, text=True, check=False
    )
    assert Path(done.stdout.strip()).samefile(sys.executable)


# Running tools


def test_a_step_returns_and_logs_its_output(tmp_path: Path) -> None:
    said = steps.run(
        "say", [sys.executable, "-c", "print('grüße')"], tmp_path / "logs" / "say.log", env={"PYTHONUTF8": "1"}
    )
    assert said == "grüße\n"
    assert (tmp_path / "logs" / "say.log").read_text(encoding="utf-8") == said


def test_a_step_that_fails_shows_its_end_and_a_cure(tmp_path: Path) -> None:
    script = "import sys; print('No space left on device'); sys.exit(3)"
    with pytest.raises(Failure, match=r"exit 3") as caught:
        steps.run("fail", [sys.executable, "-c", script], tmp_path / "fail.log")
    assert "No space left on device" in caught.value.message
    assert "free some disk space" in caught.value.cure


def test_a_tool_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="cannot start"):
        steps.run("gone", [tmp_path / "gone"], tmp_path / "gone.log")


def test_stopping_a_step_stops_what_it_started(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    child = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    process = subprocess.Popen([sys.executable, "-c", parent], start_new_session=True)
    deadline = time.monotonic() + 30
    while not (mark.exists() and mark.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    pid = int(mark.read_text())
    steps._stop(process)
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _alive(pid)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_one_set_up_at_a_time(tmp_path: Path) -> None:
    from tools.setup.__main__ import only_one

    order: list[str] = []
    entered = threading.Event()

    def second() -> None:
        entered.set()
        with only_one(Layout(tmp_path)):
            order.append("second")

    thread = threading.Thread(target=second)
    with only_one(Layout(tmp_path)):
        thread.start()
        entered.wait(10)
        time.sleep(0.1)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


# Progress


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  [12/139] /usr/bin/g++ -O3 -I/x -o y.o -c /x/ggml/src/quants.c", "[12/139] quants.c"),
        ("  [139/139] : && /usr/bin/g++ -shared -o libllama.so", "[139/139] :"),
        ("Collecting numpy==2.4.6", "Collecting numpy==2.4.6"),
        ("Installing collected packages: rich, typer, numpy", "installing 3 packages"),
        ("Looking in links: somewhere", ""),
        ("x" * 300, "x" * 100),
    ],
)
def test_lines_are_shortened_to_what_a_reader_wants(line: str, shown: str) -> None:
    assert progress.summarise(line) == shown


def test_a_log_gets_whole_lines_and_no_control_characters() -> None:
    out = io.StringIO()
    shown = progress.Progress("compiling", out)
    shown.line("  [1/2] cc -c /a/b.c")
    shown.line("some noise between two steps")
    shown.shown_at = 0.0
    shown.tick()
    shown.done()
    lines = out.getvalue().splitlines()
    assert lines[0] == "  compiling: …"
    assert lines[1].endswith("[1/2] b.c")
    assert lines[2].startswith("  compiling: done (")
    assert "\x1b" not in out.getvalue()
    assert "\r" not in out.getvalue()


def test_durations() -> None:
    assert (progress.duration(9.9), progress.duration(75), progress.duration(3600)) == ("9s", "1m15s", "60m00s")
