"""Reading a recording: a file that may only be read, and one that grows no files beside it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from scenario_kit import SMALL_TALK, open_mind

from npc_memory.memory import AuditRecord
from npc_memory.recordings import open_recording

READ = """
import os, sys
from pathlib import Path
from npc_memory.recordings import open_recording
if os.geteuid() == 0:  # nothing is forbidden to root
    os.setgid(65534)
    os.setuid(65534)
with open_recording(Path(sys.argv[1])) as records:
    print(len(list(records)))
"""


def record(file: Path) -> list[AuditRecord]:
    with open_mind(file) as mind:
        for text in SMALL_TALK[:3]:
            mind.talk("marta", "rolf", text)
        return list(mind.store.audits())


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions")
@pytest.mark.parametrize("log", [False, True])
def test_a_file_in_a_folder_that_may_only_be_read(log: bool) -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's folders are closed to other users
        place = Path(name) / "data"
        Path(name).chmod(0o755)
        file = place / "w.sqlite3"
        record(file)
        if log:
            (place / "w.sqlite3-wal").touch(mode=0o444)
        file.chmod(0o444)
        place.chmod(0o555)
        before = {one: one.read_bytes() for one in place.iterdir()}
        done = subprocess.run(
            [sys.executable, "-c", READ, file], capture_output=True, encoding="utf-8", timeout=120, check=False
        )
        found = {one: one.read_bytes() for one in place.iterdir()}
        place.chmod(0o755)
    assert done.stdout == "3\n", done.stderr
    assert found == before


def test_records_come_in_order_and_as_often_as_they_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    kept = record(file)
    with open_recording(file) as records:
        assert len(records) == 3
        assert list(records) == list(records) == kept
    with open_recording(file, limit=2) as records:
        assert list(records) == kept[1:]
    with open_recording(file, npc="brann") as records:
        assert list(records) == []
    assert list(tmp_path.iterdir()) == [file]
