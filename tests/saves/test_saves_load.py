"""Every format that ever landed is loadable for ever: the files under `v1/`, `v2/`, … and what they must read as."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from make_save import GAME, plain, readings

from npc_memory.store import MIGRATIONS, Store

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("v*/*.db"))


def test_every_format_has_a_file():
    assert {path.parent.name for path in FILES} == {f"v{one.version}" for one in MIGRATIONS}
    assert all(path.with_suffix(".json").is_file() for path in FILES)
    assert not list(HERE.glob("v*/*-wal")), "a saved file must be closed"


def agrees(found, expected, where=""):
    """What was read then is read now; fields added since may be there too."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            agrees(found[key], value, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for at, (one, other) in enumerate(zip(found, expected, strict=True)):
            agrees(one, other, f"{where}[{at}]")
    else:
        assert (found, type(found)) == (expected, type(expected)), where


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_saved_file_loads_and_plays_on(path, tmp_path):
    before = path.read_bytes()
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert expected
    for owner, kept in expected.items():
        with Store.open(copy, world="town", world_version="1.0", owner=owner) as store:
            assert store.check() == []
            for timeline, read in kept["timelines"].items():
                store.switch(int(timeline))
                agrees(readings(store), read, f"{owner or 'local'}/{timeline}")
                with store.transaction() as write:
                    write.turn(
                        authority=GAME, npc="marta", player="p1", speaker="p1", addressee="marta", text="Still there?"
                    )
                assert store.dialogue("marta", "p1")[-1].text == "Still there?"
            agrees({one.save_id: plain(one) for one in store.saves()}, kept.get("saves", {}), owner)
            for save_id, read in kept.get("saved", {}).items():
                store.load(save_id)
                agrees(readings(store), read, save_id)
    assert path.read_bytes() == before
