"""A corpus folder that holds nothing tests nothing: each that exists must be filled."""

from __future__ import annotations

import pytest
from project_files import ROOT, tracked

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


@pytest.mark.parametrize("folder", sorted(CORPORA))
def test_a_corpus_is_not_empty(folder: str) -> None:
    if folder not in REQUIRED and not any(ROOT / folder in path.parents for path in tracked()):
        pytest.skip("not begun yet")
    assert members(folder)


@pytest.mark.parametrize("world", sorted({name.split("/")[0] for name in members("worlds") if "/" in name}))
def test_a_world_has_facts_and_people(world: str) -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in tracked()
        if (ROOT / "worlds" / world) in path.parents and path.suffix == ".yaml"
    )
    assert "facts:" in text
    assert "npcs:" in text or "persona:" in text


def test_there_are_two_worlds_so_that_nothing_is_hard_coded() -> None:
    assert len({name.split("/")[0] for name in members("worlds") if "/" in name}) >= 2
