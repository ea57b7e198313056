"""A pack that has not changed is not parsed again, and one that has is never taken for what it was."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.errors import WorldInvalid
from npc_memory.world import load_world, loader
from npc_memory.world.shelf import MAX_WORLDS, Shelf, pack_digest
from npc_memory.world.source import MAX_FILE_BYTES


def test_the_same_bytes_are_the_same_world_wherever_they_lie(make_pack, tmp_path):
    root = make_pack({})
    first = load_world(root)
    elsewhere = root.rename(tmp_path / "elsewhere")
    assert load_world(elsewhere) is load_world(str(elsewhere)) is first


def test_a_changed_file_is_another_world_and_changed_back_it_is_the_first(make_pack):
    root = make_pack({})
    first, file = load_world(root), root / "facts.yaml"
    kept, times = file.read_bytes(), file.stat()
    file.write_bytes(kept.replace(b"wheel is broken", b"wheel is rotten"))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # as long as before, and as old
    second = load_world(root)
    assert second.canon["wheel-broken"].text == "The wheel is rotten."
    assert first.canon["wheel-broken"].text == "The wheel is broken."
    assert first.fingerprint != second.fingerprint
    file.write_bytes(kept)
    assert load_world(root) is first


@pytest.mark.parametrize("stray", ["npc.yaml", "npcs/ada.yml"])
def test_a_file_more_or_less_is_noticed(make_pack, stray):
    root = make_pack({})
    first = load_world(root)
    (root / stray).write_text("id: x\n", encoding="utf-8")
    with pytest.raises(WorldInvalid):
        load_world(root)
    (root / stray).unlink()
    assert load_world(root) is first
    (root / "npcs" / "bo.yaml").unlink()
    assert set(load_world(root).npcs) == {"ada"}


def test_a_link_in_place_of_a_file_is_noticed(make_pack, tmp_path):
    root = make_pack({})
    load_world(root)
    moved = (root / "facts.yaml").rename(tmp_path / "facts.yaml")
    (root / "facts.yaml").symlink_to(moved)
    with pytest.raises(WorldInvalid, match="symbolic link"):
        load_world(root)


def test_a_pack_that_changes_while_it_is_read_is_not_kept(make_pack, monkeypatch):
    root = make_pack({})
    text = (root / "facts.yaml").read_text(encoding="utf-8")

    def built(pack):
        world = real(pack)
        (root / "facts.yaml").write_text(text.replace("wheel is broken", "wheel is gone"), encoding="utf-8")
        return world

    real = loader.build_world
    with monkeypatch.context() as patched:
        patched.setattr(loader, "build_world", built)
        patched.setattr(loader, "_LOADED", Shelf())
        assert load_world(root).canon["wheel-broken"].text == "The wheel is broken."
        assert loader._LOADED.get(pack_digest(root)) is None


def test_what_cannot_be_read_has_no_digest(tmp_path):
    assert pack_digest(tmp_path) == pack_digest(tmp_path / "nowhere") == ""


def test_only_what_is_read_counts_and_not_more_of_it_than_is_read(make_pack):
    root = make_pack({"notes.txt": "one"})
    before = pack_digest(root)
    (root / "notes.txt").write_text("two", encoding="utf-8")
    assert pack_digest(root) == before
    (root / "facts.yaml").write_bytes(b" " * (MAX_FILE_BYTES + 5))
    long = pack_digest(root)
    (root / "facts.yaml").write_bytes(b" " * (MAX_FILE_BYTES + 9))
    assert before != pack_digest(root) == long


@given(asked=st.lists(st.integers(0, 7), max_size=30))
@settings(max_examples=30)
def test_those_used_last_are_kept(asked: list[int]):
    world, shelf, used = load_world("perigee"), Shelf(), []
    for one in map(str, asked):
        assert (shelf.get(one) is world) == (one in used[:MAX_WORLDS])
        shelf.put(one, world)
        used = [one, *(other for other in used if other != one)]
