"""Grammars on the real model: what comes out parses, always the same, and a bad grammar is an error, not a crash."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npc_memory.errors import RequestInvalid
from npc_memory.inference import GenerationRequest, LlamaEngine, Sampling, generate

pytestmark = pytest.mark.model

JSON = r"""
root ::= "{\"say\": \"" char{1,24} "\", \"mood\": " ("\"calm\"" | "\"angry\"") "}"
char ::= [^"\\\x00-\x1f]
"""
PROMPT = ["Marta answers the traveller, who asked about the king, in JSON with say and mood.\n"]


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**64 - 1), st.sampled_from([0.0, 0.7, 1.5, 3.0]))
def test_the_text_always_parses(engine: LlamaEngine, seed: int, temperature: float) -> None:
    request = GenerationRequest(PROMPT, 80, seed, grammar=JSON, sampling=Sampling(temperature=temperature))
    result = generate(engine, request)
    assert result.finish == "grammar"
    said = json.loads(result.text)
    assert sorted(said) == ["mood", "say"]
    assert said["mood"] in ("calm", "angry")
    assert 1 <= len(said["say"]) <= 24


def test_the_same_seed_gives_the_same_words(engine: LlamaEngine) -> None:
    request = GenerationRequest(PROMPT, 80, 5, grammar=JSON, hash_logits=True)
    assert generate(engine, request) == generate(engine, request)


def test_a_grammar_leaves_alone_what_it_allows(engine: LlamaEngine) -> None:
    free = GenerationRequest(PROMPT, 8, 3, hash_logits=True)
    anything = GenerationRequest(PROMPT, 8, 3, grammar=r"root ::= [\x00-\U0010ffff]*", hash_logits=True)
    assert generate(engine, free).tokens == generate(engine, anything).tokens


def test_no_control_token_is_taken_by_its_spelling(engine: LlamaEngine) -> None:
    grammar = 'root ::= "<" [a-z_]{3,12} ">"'
    results = [generate(engine, GenerationRequest(["<"], 30, seed, grammar=grammar)) for seed in range(3)]
    for result in results:
        assert result.text.startswith("<")
        assert result.text.endswith(">")
        assert len(result.tokens) > 3


@pytest.mark.parametrize(
    "grammar",
    ["root := x", 'rot ::= "a"', "root ::= missing", 'root ::= root "a" | "a"', 'root ::= "a', "root ::= [a",
     'root ::= ("a"', 'root ::= "a"{2,1}', "root ::= [z-a]"],
)  # fmt: skip
def test_a_grammar_that_cannot_be_used_is_refused_and_the_engine_lives(engine: LlamaEngine, grammar: str) -> None:
    pid = engine.pid
    with pytest.raises(RequestInvalid) as caught:
        generate(engine, GenerationRequest(PROMPT, 5, 1, grammar=grammar))
    assert caught.value.hint
    assert generate(engine, GenerationRequest(PROMPT, 1, 1)).finish == "length"
    assert engine.pid == pid
