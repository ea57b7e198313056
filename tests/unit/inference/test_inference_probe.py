"""The probe on the real model: it finds what breaks exactness, says why, and is asked once per model and build."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from npc_memory.errors import EngineCrashed
from npc_memory.inference import LlamaEngine, Settings, Vocabulary, llama, vocab_tokens
from npc_memory.inference.process import EngineProcess
from npc_memory.inference.request import Determinism
from npc_memory.inference.verdicts import Verdict, Verdicts, question, verdict_map

pytestmark = pytest.mark.model

WAYS = (
    "between prompt chunks of 1 to 264",
    "after a removed tail",
    "after a copied prefix",
    "after a restored state",
    "between 2 and 1 threads",
    "in one batch with another's prompt",
    "beside 7 other sequences",
)


def test_the_bundled_model_is_exact_in_every_way(engine: LlamaEngine) -> None:
    assert engine.info.determinism.word == "bit-exact"
    assert engine.info.determinism.reason.startswith(f"logits are bit-identical {', '.join(WAYS)}")


@pytest.mark.full
@pytest.mark.parametrize("loose", ["flash_attn", "kv_unified"], ids=["flash attention", "unified KV"])
def test_what_breaks_exactness_is_found_out_and_named(model_file: Path, tmp_path: Path, loose: str) -> None:
    settings, shares = Settings(**{loose: True}), list[float]()
    with LlamaEngine(model_file, settings=settings, cache_dir=tmp_path, progress=shares.append) as opened:
        found = opened.info.determinism
        assert found.word == "prompt-only"
        assert WAYS[0] in found.reason
        assert WAYS[-1] in found.reason
        assert "settings that are not strict" in found.reason
        build = opened.info.build.removesuffix(f" {loose}")
        assert build != opened.info.build, "an engine that gives other words must not pass for the strict one"
        known = Verdicts(tmp_path).known(opened.info.model_sha256, question(settings, 2))
        assert known == {build: Verdict(found, settings)}
    assert len(shares) > 10
    assert all(a <= b for a, b in pairwise(shares))
    assert shares[-1] > 0.9


def test_a_kept_verdict_is_believed_and_nothing_examined(engine: LlamaEngine, model_file: Path, tmp_path: Path) -> None:
    planted, shares = Determinism("prompt-only", "planted by a test"), list[float]()
    Verdicts(tmp_path).put(
        engine.info.model_sha256, engine.info.build, question(None, 2), Verdict(planted, Settings(chunk=33))
    )
    with LlamaEngine(model_file, cache_dir=tmp_path, progress=shares.append) as again:
        assert again.info.determinism == planted
        assert again.info.build == engine.info.build
    assert shares == []


def test_a_choice_that_costs_the_engine_its_life_is_not_made_again(
    engine: LlamaEngine, model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices = []
    exact = verdict_map(Verdict(engine.info.determinism, Settings()))

    def start(load: dict[str, Any], *rest: Any, **options: Any) -> EngineProcess:
        choices.append(load["choose"])
        if load["choose"]:
            raise EngineCrashed("out of memory", hint="")
        return EngineProcess({**load, "verdicts": {engine.info.build: exact}}, *rest, **options)

    monkeypatch.setattr(llama, "EngineProcess", start)
    with LlamaEngine(model_file, cache_dir=tmp_path) as opened:
        assert opened.info.determinism == engine.info.determinism
    assert choices == [True, False]
    known = Verdicts(tmp_path).known(engine.info.model_sha256, question(None, 2))
    assert [verdict.settings for verdict in known.values()] == [Settings()]


def test_a_vocabulary_opens_without_the_weights(model_file: Path, engine: LlamaEngine) -> None:
    with vocab_tokens(model_file) as vocabulary:
        assert isinstance(vocabulary, Vocabulary)
        assert len(vocabulary.tokens) == 49152
        end = vocabulary.tokens[2]
        assert (end.id, end.text, end.control, end.end, end.user_defined) == (2, "<|im_end|>", True, True, False)
        assert end.piece == b"<|im_end|>"
        assert vocabulary.special_tokens == engine.info.special_tokens
        text = "Żółw, <|im_end|> 🐺"
        ids = vocabulary.tokenize([text])
        assert ids == engine.tokenize([text])
        assert b"".join(vocabulary.tokens[i].piece for i in ids).decode() == text
