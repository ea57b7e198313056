from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from npc_memory.inference import Determinism, Settings
from npc_memory.inference.settings import child_environment
from npc_memory.inference.verdicts import Verdicts, cache_dir

WORD = Determinism("prompt-only", "logits differ")
STRICT = Settings().as_map()


def test_a_verdict_belongs_to_model_build_and_settings(tmp_path: Path) -> None:
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    again = Verdicts(tmp_path)
    assert again.get("m", "b", STRICT) == WORD
    assert again.get("n", "b", STRICT) is None
    assert again.get("m", "c", STRICT) is None
    assert again.get("m", "b", Settings(flash_attn=True).as_map()) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"question": 1, "word": "bit-exact"}'])
def test_a_damaged_cache_is_no_cache(tmp_path: Path, content: str) -> None:
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    (path,) = tmp_path.iterdir()
    path.write_text(content)
    assert Verdicts(tmp_path).get("m", "b", STRICT) is None
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    assert Verdicts(tmp_path).get("m", "b", STRICT) == WORD


def test_a_word_never_heard_of_is_not_believed(tmp_path: Path) -> None:
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text().replace("prompt-only", "splendid"))
    assert Verdicts(tmp_path).get("m", "b", STRICT) is None


def test_a_hash_is_computed_anew_when_the_file_changes(tmp_path: Path) -> None:
    model, verdicts = tmp_path / "m", Verdicts(tmp_path / "cache")
    for content in (b"one", b"two!"):
        model.write_bytes(content)
        for _ in range(2):
            assert verdicts.model_sha256(model) == hashlib.sha256(content).hexdigest()


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    model = tmp_path / "m"
    model.write_bytes(b"one")
    verdicts = Verdicts(tmp_path / "file" / "cache")
    verdicts.put("m", "b", STRICT, WORD)
    assert verdicts.get("m", "b", STRICT) is None
    assert verdicts.model_sha256(model) == hashlib.sha256(b"one").hexdigest()


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NPC_MEMORY_CACHE", str(tmp_path))
    assert cache_dir() == tmp_path


def test_a_childs_environment_has_our_switches_and_no_strays() -> None:
    given = {
        "GGML_CPU_TILED_MM": "1",
        "GGML_CPU_TILED_MM_FORCE": "1",
        "LLAMA_TRACE": "1",
        "PATH": "p",
        "LLAMA_CPP_LIB_PATH": "l",
    }
    made = child_environment(Settings(), given)
    assert made["GGML_CPU_TILED_MM"] == "0"
    assert (made["PATH"], made["LLAMA_CPP_LIB_PATH"]) == ("p", "l")
    assert not {"GGML_CPU_TILED_MM_FORCE", "LLAMA_TRACE"} & set(made)
    assert child_environment(Settings(tiled_mm=True), {})["GGML_CPU_TILED_MM"] == "1"
    assert child_environment(Settings(), {"OMP_WAIT_POLICY": "active"})["OMP_WAIT_POLICY"] == "active"
    assert "PATH" in child_environment(Settings(), None) or "PATH" not in os.environ
