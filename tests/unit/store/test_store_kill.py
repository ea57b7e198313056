"""Promise P10: an acknowledged write survives kill -9, and no half of one is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("store_kill_driver.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("kills", [30, pytest.param(200, marks=pytest.mark.full)])
def test_acknowledged_writes_survive_kill_9(tmp_path, kills):
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(tmp_path / "w.db"), str(kills)],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    survived, replies = map(int, done.stdout.split())
    assert survived == kills
    assert replies > kills
