"""The probe on the real model: it finds what breaks exactness, says why, and is asked once per model and build."""

from __future__ import annotations

from pathlib import Path

import pytest

from npc_memory.inference import LlamaEngine, Settings, Vocabulary, vocab_tokens
from npc_memory.inference.request import Determinism
from npc_memory.inference.verdicts import Verdicts

pytestmark = pytest.mark.model


@pytest.mark.full
def test_flash_attention_is_found_out_and_named(model_file: Path, tmp_path: Path) -> None:
    settings = Settings(flash_attn=True)
    with LlamaEngine(model_file, settings=settings, cache_dir=tmp_path) as loose:
        found = loose.info.determinism
        assert found.word == "prompt-only"
        assert "between prompt chunks of 1 and 80" in found.reason
        assert "settings that are not strict" in found.reason
        key = {**settings.as_map(), "n_threads": 2}
        assert Verdicts(tmp_path).get(loose.info.model_sha256, loose.info.build, key) == found


def test_a_kept_verdict_is_believed(engine: LlamaEngine, model_file: Path, tmp_path: Path) -> None:
    planted = Determinism("prompt-only", "planted by a test")
    key = {**Settings().as_map(), "n_threads": 2}
    Verdicts(tmp_path).put(engine.info.model_sha256, engine.info.build, key, planted)
    with LlamaEngine(model_file, cache_dir=tmp_path) as again:
        assert again.info.determinism == planted


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
