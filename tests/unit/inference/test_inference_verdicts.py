from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from npc_memory.inference import Determinism, Settings
from npc_memory.inference.settings import child_environment
from npc_memory.inference.verdicts import Verdict, Verdicts, cache_dir, question, verdict_from, verdict_map

WORD = Verdict(Determinism("prompt-only", "logits differ"), Settings())
CHOSEN = Verdict(Determinism("bit-exact", "all the same"), Settings(extra_bufts=True, chunk=256))
STRICT = question(Settings(), 2)


def test_a_verdict_belongs_to_model_build_and_question(tmp_path: Path) -> None:
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    again = Verdicts(tmp_path)
    assert again.known("m", STRICT) == {"b": WORD}
    assert again.known("n", STRICT) == {}
    assert again.known("m", question(Settings(flash_attn=True), 2)) == {}
    assert again.known("m", question(Settings(), 1)) == {}


def test_to_ask_for_the_fastest_is_another_question_than_to_ask_for_the_strict(tmp_path: Path) -> None:
    Verdicts(tmp_path).put("m", "b", question(None, 2), CHOSEN)
    assert Verdicts(tmp_path).known("m", question(None, 2)) == {"b": CHOSEN}
    assert Verdicts(tmp_path).known("m", STRICT) == {}


def test_each_build_keeps_its_verdict_and_the_oldest_give_way(tmp_path: Path) -> None:
    for n in range(10):
        Verdicts(tmp_path).put("m", f"b{n}", STRICT, CHOSEN if n % 2 else WORD)
    kept = Verdicts(tmp_path).known("m", STRICT)
    assert kept == {f"b{n}": CHOSEN if n % 2 else WORD for n in range(2, 10)}


def test_a_verdict_of_another_probe_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    monkeypatch.setattr("npc_memory.inference.verdicts.PROBE", 0)
    assert Verdicts(tmp_path).known("m", STRICT) == {}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"question": 1, "word": "bit-exact"}'])
def test_a_damaged_cache_is_no_cache(tmp_path: Path, content: str) -> None:
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    (path,) = tmp_path.iterdir()
    path.write_text(content, encoding="utf-8")
    assert Verdicts(tmp_path).known("m", STRICT) == {}
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    assert Verdicts(tmp_path).known("m", STRICT) == {"b": WORD}


@pytest.mark.parametrize(
    "builds",
    [
        1,
        ["b"],
        {"b": None},
        {"b": {**verdict_map(WORD), "word": "splendid"}},
        {"b": {**verdict_map(WORD), "reason": None}},
        {"b": {**verdict_map(WORD), "settings": {"chunk": "many"}}},
        {"b": {**verdict_map(WORD), "settings": {"chunk": 0}}},
        {"b": {**verdict_map(WORD), "settings": {"extra_bufts": 1}}},
        {"b": {**verdict_map(WORD), "settings": {"warp": True}}},
    ],
)
def test_what_no_probe_could_have_said_is_not_believed(tmp_path: Path, builds: object) -> None:
    Verdicts(tmp_path).put("m", "b", STRICT, WORD)
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "builds": builds}), encoding="utf-8")
    assert Verdicts(tmp_path).known("m", STRICT) == {}


def test_a_verdict_survives_being_plain_data() -> None:
    for verdict in (WORD, CHOSEN):
        assert verdict_from(json.loads(json.dumps(verdict_map(verdict)))) == verdict


def test_a_hash_is_computed_anew_when_the_file_changes(tmp_path: Path) -> None:
    model, verdicts = tmp_path / "m", Verdicts(tmp_path / "cache")
    for content in (b"one", b"two!"):
        model.write_bytes(content)
        for _ in range(2):
            assert verdicts.model_sha256(model) == hashlib.sha256(content).hexdigest()


def test_where_nothing_can_be_written_a_verdict_lasts_as_long_as_the_engine(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    model = tmp_path / "m"
    model.write_bytes(b"one")
    verdicts = Verdicts(tmp_path / "file" / "cache")
    verdicts.put("m", "b", STRICT, WORD)
    assert verdicts.known("m", STRICT) == {"b": WORD}
    assert Verdicts(tmp_path / "file" / "cache").known("m", STRICT) == {}
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
