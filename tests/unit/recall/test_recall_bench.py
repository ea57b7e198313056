"""The bench runs on the lives, and says that recall is worth its while."""

from __future__ import annotations

import json

import pytest

from npc_memory.cli.bench import run_script

AT_10 = 1


def test_recall_finds_more_than_the_plain_ways(capsys: pytest.CaptureFixture[str]) -> None:
    run_script("recall", ["--json", "--no-model", "--sizes", "3", "6"])
    found = json.loads(capsys.readouterr().out)
    lives = found["lives"]
    shipped, plain, newest = (lives[name] for name in ("  scored by blend", "FTS5", "newest first"))
    assert shipped["all"][AT_10] > plain["all"][AT_10] + 3
    assert shipped["all"][AT_10] > newest["all"][AT_10] + 50
    for language in ("[de]", "[ru]", "[ja]"):
        assert shipped[language][AT_10] >= max(75, plain[language][AT_10])
    assert set(shipped) > {"named", "paraphrase", "time", "two-hop", "corrected", "(development)", "(test)"}
    assert shipped["corrected"][AT_10] > 75
    for name, costs in (("growth", ("recall_p99_ms", "insert_p99_ms")), ("inserts", ("slot_ms", "tell_ms"))):
        assert list(found[name]) == ["3", "6"]
        assert all(0 < size[cost] < 1000 for size in found[name].values() for cost in costs)
