"""A corpus folder that holds nothing tests nothing: each that exists must be filled."""

from __future__ import annotations

import pytest
from project_files import ROOT, tracked

from npc_memory.world import load_world

# Folder → what its members look like. Goldens must be there; the others as soon as their folder is.
CORPORA = {
    "tests/goldens": (".txt", ".md", ".json", ".jsonl", ".yaml"),
    "tests/replays": (".jsonl", ".json", ".yaml"),
    "tests/saves": (".sqlite3", ".db", ".gz", ".sql"),
    "tests/scenarios": (".yaml", ".py"),
    "worlds": (".yaml",),
    "prompts": (".yaml", ".jinja", ".txt"),
}
REQUIRED = ("tests/goldens", "worlds", "prompts")


def members(folder: str) -> list[str]:
    """Tracked files of the corpus below ``folder``."""
    root = ROOT / folder
    return [
        str(path.relative_to(root)) for path in tracked() if root in path.parents and path.suffix in CORPORA[folder]
    ]


WORLDS = sorted({name.split("/")[0] for name in members("worlds") if "/" in name})


@pytest.mark.parametrize("folder", sorted(CORPORA))
def test_a_corpus_is_not_empty(folder: str) -> None:
    if folder not in REQUIRED and not any(ROOT / folder in path.parents for path in tracked()):
        pytest.skip("not begun yet")
    assert members(folder)


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_has_facts_and_people(world: str) -> None:
    pack = load_world(world)
    assert pack.canon
    assert pack.npcs


def test_there_are_two_worlds_so_that_nothing_is_hard_coded() -> None:
    assert len(WORLDS) >= 2
