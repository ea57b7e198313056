"""A world that has lived, its archive, and an empty file for it."""

from __future__ import annotations

import pytest
from archive_scene import live

from npc_memory.store import Store


@pytest.fixture
def lived(tmp_path):
    with Store.open(tmp_path / "old.db", world="w", world_version="2") as store:
        live(store)
        yield store


@pytest.fixture
def fresh(tmp_path):
    with Store.open(tmp_path / "new.db", world="w", world_version="2") as store:
        yield store


@pytest.fixture
def file(lived, tmp_path):
    lived.export(tmp_path / "town.jsonl")
    return tmp_path / "town.jsonl"
