"""`npc-memory saves`, run as a person or a script runs it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import cli_kit
import pytest
from cli_kit import call

from npc_memory.memory import Authority
from npc_memory.store import Store


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return call("saves", *args)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "town.sqlite3"
    with Store.open(path, world="town", world_version="1.2", wall_clock=lambda: 1_700_000_000_000) as store:
        for day in (3, 5):
            with store.transaction() as write:
                write.clock(authority=Authority.GAME, game_time=day)
            store.save(f"день {day}", "note [bold]")
        store.load("день 3")
        with store.transaction() as write:
            write.clock(authority=Authority.GAME, game_time=4)
        store.save("день 3")
    return path


def test_a_persons_view(file: Path) -> None:
    shown = cli_kit.run("saves", "list", str(file))
    assert shown.returncode == 0, shown.stderr
    for part in ("день 3 (played)", "день 5", "2023-11-14 22:13:20 UTC", "1.2", "note [bold]"):
        assert part in shown.stdout
    tree = run("tree", str(file)).stdout
    assert tree.index("overwritten") < tree.index("день 3  minute 4, 1 records")
    assert "<- played" in tree


def test_a_scripts_view_and_what_a_script_may_change(file: Path) -> None:
    saves = [json.loads(one) for one in run("list", str(file), "--json").stdout.splitlines()]
    assert [save["slot"] for save in saves] == ["auto", "день 3", "день 5"]
    nodes = [json.loads(one) for one in run("tree", str(file), "--json").stdout.splitlines()]
    assert sum(node["playing"] for node in nodes) == 1
    assert run("rename", str(file), "день 5", "five").returncode == 0
    assert run("delete", str(file), saves[0]["save_id"]).returncode == 0
    assert run("compact", str(file)).returncode == 0
    left = [json.loads(one) for one in run("list", str(file), "--json").stdout.splitlines()]
    assert [(save["slot"], save["save_id"]) for save in left] == [
        ("five", saves[2]["save_id"]),
        ("день 3", saves[1]["save_id"]),
    ]


def test_what_is_not_there_is_said(file: Path, tmp_path: Path) -> None:
    missing = run("list", str(tmp_path / "none.sqlite3"))
    assert (missing.returncode, "unknown_id" in missing.stderr) == (1, True)
    assert not (tmp_path / "none.sqlite3").exists()
    unknown = run("delete", str(file), "day 9")
    assert unknown.returncode == 1
    assert "день 5" in unknown.stderr


def test_a_sound_file_is_said_to_be_sound_and_a_damaged_one_is_not(file: Path) -> None:
    with Store.reopen(file) as store, store.transaction() as write:
        write.episode(npc="marta", text="Osric stole a cup.", authority=Authority.REPLY)
    done = run("check", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert "every memory is found" in done.stderr
    with closing(sqlite3.connect(file)) as base:
        base.execute("PRAGMA foreign_keys=OFF")
        base.execute("DELETE FROM records WHERE kind = 'episode'")
        base.commit()
    done = run("check", str(file), "--mend")
    assert done.returncode == 1
    assert "damaged" in done.stdout
