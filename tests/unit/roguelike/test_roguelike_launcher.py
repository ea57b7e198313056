"""`npc-memory play` as a person starts it: in a terminal, with the bridge as its child, which ends with it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from npc_memory.cli.app import run
from roguelike.slots import Slots

COMMAND = [sys.executable, "-m", "npc_memory.cli", "play", "--engine", "scripted"]


class Terminal:
    """A terminal of 80×24 with the game in it."""

    def __init__(self, data: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*COMMAND, "--data", str(data)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def until(self, *texts: str, seconds: float = 90) -> None:
        """Read until all of ``texts`` were on the screen."""
        end = time.monotonic() + seconds
        while not all(text in self.seen for text in texts):
            assert time.monotonic() < end, f"{texts} never came; last: {self.seen[-2000:]!r}"
            self._read(0.2)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def ends(self) -> int:
        """Its exit code; what it writes meanwhile is read, or it could not end."""
        end = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < end:
            self._read(0.05)
        code = self.process.wait(1)
        os.close(self._master)
        return code

    def close(self) -> int:
        """Close it as its window is closed, with the two signals that the system sends then; the game's exit code."""
        os.close(self._master)
        self.process.send_signal(signal.SIGHUP)
        self.process.send_signal(signal.SIGCONT)
        try:
            return self.process.wait(60)
        finally:
            self.process.kill()

    def _read(self, seconds: float) -> None:
        if select.select([self._master], [], [], seconds)[0]:
            try:
                self.seen += os.read(self._master, 65536).decode("utf-8", "replace")
            except OSError:
                time.sleep(seconds)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def gone(pid: int) -> bool:
    for _ in range(400):
        try:
            if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for children in /proc")
@pytest.mark.parametrize("end", ["closed", signal.SIGKILL, pytest.param(signal.SIGHUP, marks=pytest.mark.full)])
def test_however_the_game_ends_its_bridge_is_gone(tmp_path: Path, end: signal.Signals | str) -> None:
    terminal = Terminal(tmp_path)
    terminal.until("Begin a new game", "bridge is ready")
    (bridge,) = children(terminal.process.pid)
    terminal.press("\r")
    terminal.until("the river road")
    if isinstance(end, str):
        code = terminal.close()
    else:
        terminal.process.send_signal(end)
        code = terminal.ends()
    assert gone(bridge)
    if end != signal.SIGKILL:
        assert code == 0
        assert Slots(tmp_path / "games").read("auto").where == "the river road", "what was played is saved"


def test_without_a_terminal_or_the_extra_it_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["npc-memory", "play", "--data", str(tmp_path)])
    assert run() == 1
    assert "needs a terminal" in capsys.readouterr().err
    monkeypatch.setattr("npc_memory.cli.play.NEEDED", ("textual", "no_such_package"))
    assert run() == 1
    said = capsys.readouterr().err
    assert "extra_missing" in said
    assert "npc-memory[roguelike]" in said


def test_a_model_nobody_knows_is_refused_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["npc-memory", "play", "--data", str(tmp_path), "--model", "nothere"])
    assert run() == 1
    assert "there is no model 'nothere'" in capsys.readouterr().err
