from __future__ import annotations

from pathlib import Path

import pytest

from npc_memory.errors import InvalidInput, ModelDamaged, ModelMissing
from npc_memory.inference import LlamaEngine, catalogue, find_model, list_models, models_dir, verify_model
from npc_memory.inference.catalogue import read_catalogue
from npc_memory.inference.models import default_entry
from npc_memory.resources import resource_dir

HEAD = b"GGUF" + (3).to_bytes(4, "little") + bytes(16)
ENTRY = default_entry()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NPC_MEMORY_MODELS", str(tmp_path))
    return tmp_path


def test_the_catalogue_is_whole_and_its_names_differ() -> None:
    assert len({e.name for e in catalogue()}) == len({e.file for e in catalogue()}) == len(catalogue()) > 0
    assert all(len(e.sha256) == 64 and e.size > 0 and e.licence and e.family for e in catalogue())
    assert sum(e.default for e in catalogue()) == 1


@pytest.mark.parametrize(
    "text",
    ["", "models: [1]", "models: [{name: a}]", "{", "models: [{name: a, file: ../x, source: {kind: url, url: u}}]",
     "models: [{name: a, file: x, source: {kind: tape}}]"],
)  # fmt: skip
def test_a_broken_catalogue_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "catalogue.yaml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match="catalogue"):
        read_catalogue(path)


def test_a_model_is_found_by_name_file_or_path(folder: Path) -> None:
    known, own = folder / ENTRY.file, folder / "mine.gguf"
    for path in (known, own):
        path.write_bytes(HEAD)
    assert find_model(ENTRY.name) == find_model() == known
    assert find_model("mine.gguf") == find_model("mine") == find_model(own) == own


def test_a_missing_model_names_the_cure(folder: Path) -> None:
    with pytest.raises(ModelMissing, match=f"npc-memory models pull {ENTRY.name}"):
        find_model(ENTRY.name)
    with pytest.raises(ModelMissing, match="models pull"):
        find_model("no-such-model")
    with pytest.raises(ModelMissing, match="models pull"):
        LlamaEngine(folder / ENTRY.file)


def test_the_list_has_the_catalogue_then_strays_by_name(folder: Path) -> None:
    for name in ("b.gguf", "a.gguf", "notes.txt"):
        (folder / name).write_bytes(HEAD)
    listed = list_models()
    assert [m.name for m in listed] == [e.name for e in catalogue()] + ["a", "b"]
    assert [m.path is not None for m in listed] == [False] * len(catalogue()) + [True, True]


def test_the_folder_is_the_users_choice_else_the_checkouts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NPC_MEMORY_MODELS", str(tmp_path / "m"))
    assert models_dir() == tmp_path / "m"
    monkeypatch.delenv("NPC_MEMORY_MODELS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert models_dir() in (resource_dir("models"), tmp_path / "data" / "npc-memory" / "models")


@pytest.mark.parametrize(
    "content", [b"", b"GGUF", b"GGML" + HEAD[4:], HEAD[:4] + bytes(20), b"\0" * 4096, b"<html>" * 9]
)
def test_what_is_no_gguf_file_is_damaged(folder: Path, content: bytes) -> None:
    path = folder / "x.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelDamaged, match="GGUF"):
        verify_model(path)
    with pytest.raises(ModelDamaged, match="GGUF"):
        LlamaEngine(path)


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged):
        verify_model(tmp_path)


def test_a_file_with_a_known_name_must_be_that_file(folder: Path) -> None:
    path = folder / ENTRY.file
    path.write_bytes(HEAD + b"x" * 100)
    with pytest.raises(ModelDamaged, match="truncated") as caught:
        verify_model(path)
    assert caught.value.hint == f"npc-memory models pull {ENTRY.name}"
    assert caught.value.details["expected"] == ENTRY.size
    with pytest.raises(ModelDamaged, match="truncated"):
        LlamaEngine(path)


def test_right_size_and_wrong_bytes_are_damaged(folder: Path) -> None:
    path = folder / ENTRY.file
    with path.open("wb") as out:
        out.write(HEAD)
        out.truncate(ENTRY.size)
    with pytest.raises(ModelDamaged, match="sha256"):
        verify_model(path)


def test_a_file_of_ones_own_is_checked_as_far_as_possible(folder: Path) -> None:
    path = folder / "mine.gguf"
    path.write_bytes(HEAD + b"x" * 100)
    heard: list[tuple[int, int]] = []
    verified = verify_model(path, lambda done, total: heard.append((done, total)))
    assert (verified.name, verified.size) == (None, len(HEAD) + 100)
    assert heard[-1] == (verified.size, verified.size)


@pytest.mark.model
def test_the_bundled_model_is_the_catalogues() -> None:
    assert verify_model(find_model()).name == ENTRY.name
