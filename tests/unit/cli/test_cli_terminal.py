"""The command line at its rims: a terminal, Ctrl-C, closed pipes, full disks, and text that looks like markup."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cli_kit import COMMAND, call, run

from npc_memory.cli.talk import _interruptible
from npc_memory.cli.terminal import _minutes, _value
from npc_memory.errors import InvalidInput
from npc_memory.mind import Cancellation

MARKUP = "[/foo] [red]hot[/red] :fire: \\[x"


def shell(line: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run ``talk … LINE`` in a shell, ``LINE`` being redirections; pipes fail on their first member that fails."""
    command = (
        f'printf "Good evening.\\nHm.\\n" | "$0" -m npc_memory.cli talk marta --engine scripted --data "$1" {line}'
    )
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}", sys.executable, str(data)],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def in_terminal(data: Path, lines: str) -> str:
    """What a person sees who types ``lines`` into an interactive talk."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    command = [*COMMAND, "talk", "marta", "--engine", "scripted", "--data", str(data)]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    os.write(master, lines.encode())
    seen = bytearray()
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # Linux's way to say that the other side has closed
            break
        if not piece:
            break
        seen += piece
    os.close(master)
    assert process.wait(60) == 0, seen.decode()
    return seen.decode()


# -- what is typed ---------------------------------------------------------------------------------------------------


def test_a_wrong_command_is_explained_and_the_talk_goes_on(tmp_path: Path) -> None:
    seen = in_terminal(
        tmp_path, "/wait abc\n/state a --5\n/state a ²\n/state a [/x]\nGood :fire: evening.\n/why\n/quit\n"
    )
    assert "Traceback" not in seen
    assert "'abc' is not a number of minutes" in seen
    assert "invalid_input" in seen
    assert "Good :fire: evening." in seen.split("budget")[0].rsplit("──", 3)[0]


@pytest.mark.parametrize("text", ["abc", "-5", "--5", "²", "1.5", "9" * 5000, "٣"])
def test_minutes_that_are_no_number_are_invalid_input(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        _minutes(text)
    assert caught.value.hint


def test_minutes() -> None:
    assert (_minutes(""), _minutes("90 ")) == (60, 90)


def test_a_state_is_a_number_only_if_it_is_written_as_one() -> None:
    values = {"-5": -5, "12": 12, "--5": "--5", "²": "²", "1.5": "1.5", "true": True, "false": False, "null": None}
    assert {text: _value(text) for text in values} == values
    with pytest.raises(InvalidInput):
        _value("9" * 5000)


# -- Ctrl-C ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_ctrl_c_cancels_even_while_the_main_thread_holds_the_locks() -> None:
    class Held(Cancellation):
        """Takes a plain lock that the interrupted thread holds until after the signals."""

        lock = threading.Lock()
        times = 0

        def cancel(self) -> None:
            with self.lock:
                self.times += 1
                super().cancel()

    cancellation = Held()
    before = signal.getsignal(signal.SIGINT)
    with _interruptible(cancellation):
        with cancellation.lock:
            for _ in range(3):
                signal.raise_signal(signal.SIGINT)
    assert cancellation.cancelled
    assert cancellation.times == 1
    assert signal.getsignal(signal.SIGINT) is before


def test_a_reply_that_ends_by_itself_cancels_nothing() -> None:
    cancellation = Cancellation()
    with _interruptible(cancellation):
        pass
    assert not cancellation.cancelled


def test_ctrl_c_while_the_program_loads_is_no_traceback(tmp_path: Path) -> None:
    script = (
        "import sys, signal\n"
        # A job in the background of a shell begins with SIGINT ignored, and a test run may be one.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'npc_memory.cli.app': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from npc_memory.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# -- streams ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize(
    ("line", "code"),
    [("<&-", "invalid_input"), ("> /dev/full", "output_closed"), (">&-", "output_closed"), ("| true", "output_closed")],
)
def test_a_stream_that_is_closed_or_full_is_a_typed_error(tmp_path: Path, line: str, code: str) -> None:
    done = shell(line, tmp_path)
    assert done.returncode == 1
    assert f"code  {code} " in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_reply_that_could_not_be_printed_is_remembered(tmp_path: Path) -> None:
    shell("> /dev/full", tmp_path)
    assert len(call("explain", "--list", "--data", str(tmp_path)).stdout.splitlines()) == 1
    for args in (["--list"], ["--json"], []):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [*COMMAND, "explain", *args, "--data", str(tmp_path)],
                stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
            )  # fmt: skip
        assert (done.returncode, "code  output_closed " in done.stderr) == (1, True), done.stderr
        assert "Traceback" not in done.stderr


# -- text is text ----------------------------------------------------------------------------------------------------


def test_what_was_said_is_printed_as_it_was_said(tmp_path: Path) -> None:
    talked = call("talk", "marta", "--engine", "scripted", "--json", "--data", str(tmp_path), text=f"{MARKUP}\n")
    assert talked.returncode == 0, talked.stderr
    shown = call("explain", "--data", str(tmp_path)).stdout
    assert MARKUP in shown
    stored = call("explain", "--json", "--data", str(tmp_path)).stdout
    assert json.dumps(MARKUP)[1:-1] in stored
    assert json.loads(stored)


@pytest.mark.parametrize("name", ["[/foo]", ":fire:", "[red]x[/red]"])
@pytest.mark.parametrize("command", [["models", "verify"], ["models", "pull"], ["lint"], ["talk", "marta", "--model"]])
def test_names_are_never_markup(tmp_path: Path, command: list[str], name: str) -> None:
    done = call(*command, name)
    assert done.returncode == 1
    assert "code  " in done.stderr
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_a_model_with_a_name_like_markup_is_listed(tmp_path: Path) -> None:
    (tmp_path / "[red]:fire:[green].gguf").write_bytes(b"GGUF")
    done = run("models", "list", NPC_MEMORY_MODELS=str(tmp_path))
    assert "[red]:fire:[green]" in done.stdout, done.stderr


def test_a_refused_line_comes_with_cure_and_code(tmp_path: Path) -> None:
    text = "x" * 1_000_000 + "\nGood evening.\n"
    done = call("talk", "marta", "--engine", "scripted", "--data", str(tmp_path), text=text)
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 1)
    assert "code  too_long " in done.stderr
    assert "cure" in done.stderr


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_a_script_is_told_what_it_waits_for(tmp_path: Path, flags: list[str]) -> None:
    file = tmp_path / "[own].gguf"
    file.write_bytes(b"GGUF" + b"\x00" * 4096)
    done = call("talk", "marta", *flags, "--data", str(tmp_path), "--model", str(file), text="Hello.\n")
    assert done.stderr.startswith("loading [own].gguf: a first start with a model takes up to a minute")
    assert done.stdout == ""
