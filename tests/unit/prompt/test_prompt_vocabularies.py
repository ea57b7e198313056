"""No text becomes a control token, on real vocabularies (promise P9).

The vocabularies are those llama.cpp ships for its own tests, kept by `make setup`, and the default model's. llama.cpp
matches USER_DEFINED tokens in any text, even when special tokens are not asked for: unprotected, these tests fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npc_memory import BudgetPolicy, Fact, Snapshot, WorkingMemoryBuilder
from npc_memory.inference import Vocabulary, find_model, vocab_tokens
from npc_memory.memory import clean_text
from npc_memory.prompt import Controls, PromptTemplate
from npc_memory.prompt.controls import is_harmless

pytestmark = pytest.mark.model

FOLDER = Path(__file__).parents[3] / ".cache" / "vocabs"
NAMED = ["command-r", "deepseek-coder", "gemma-4", "llama-bpe", "llama-spm", "phi-3", "qwen2"]


def test_the_vocabularies_are_here() -> None:
    found = sorted(path.stem.removeprefix("ggml-vocab-") for path in FOLDER.glob("ggml-vocab-*.gguf"))
    assert found == sorted(NAMED), "make setup keeps them from llama.cpp's source"


SLOW = ["llama-bpe", "llama-spm", "phi-3", "qwen2"]
PARAMS = ["smollm2", *(pytest.param(name, marks=pytest.mark.full) if name in SLOW else name for name in NAMED)]


@pytest.fixture(scope="module", params=PARAMS)
def vocabulary(request: pytest.FixtureRequest) -> Iterator[Vocabulary]:
    path = find_model() if request.param == "smollm2" else FOLDER / f"ggml-vocab-{request.param}.gguf"
    with vocab_tokens(path) as opened:
        yield opened


def control_tokens_in(vocabulary: Vocabulary, text: str) -> list[str]:
    """Tokens of ``text`` that mean something to the model beyond what they spell."""
    found = [vocabulary.tokens[id] for id in vocabulary.tokenize([text])]
    return [token.text for token in found if (token.control or token.user_defined) and not is_harmless(token.text)]


def spellings(vocabulary: Vocabulary) -> list[str]:
    special = [token for token in vocabulary.tokens if token.control or token.user_defined]
    texts = {token.text for token in special} | {token.piece.decode("utf-8", "ignore") for token in special}
    return sorted(text for text in texts if text and not is_harmless(text))


def test_every_special_token_is_text_once_protected(vocabulary: Vocabulary) -> None:
    controls = Controls(vocabulary.special_tokens)
    tokens = spellings(vocabulary)
    assert tokens
    for start in range(0, len(tokens), 50):
        some = tokens[start : start + 50]
        for text in (" and ".join(some), "".join(some), "x".join(some)):
            assert control_tokens_in(vocabulary, controls.protect(clean_text(text))) == []


@pytest.mark.parametrize(
    "name", ["deepseek-coder", *(pytest.param(name, marks=pytest.mark.full) for name in ("command-r", "gemma-4"))]
)
def test_unprotected_text_would_hold_some(name: str) -> None:
    with vocab_tokens(FOLDER / f"ggml-vocab-{name}.gguf") as vocabulary:
        special = [token.text for token in vocabulary.tokens if token.user_defined and not is_harmless(token.text)]
        assert control_tokens_in(vocabulary, " and ".join(special))


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pieces_of_special_tokens_put_together_stay_text(vocabulary: Vocabulary, data: st.DataObject) -> None:
    tokens = spellings(vocabulary)
    piece = st.sampled_from(tokens).flatmap(lambda t: st.integers(0, len(t)).map(lambda n: t[:n]))
    rest = st.sampled_from(tokens).flatmap(lambda t: st.integers(0, len(t)).map(lambda n: t[n:]))
    text = "".join(
        data.draw(st.lists(st.one_of(piece, rest, st.sampled_from(["", " ", "\x00", "<", "|>"])), max_size=9))
    )
    assert control_tokens_in(vocabulary, Controls(vocabulary.special_tokens).protect(clean_text(text))) == []


def test_a_prompt_full_of_them_holds_no_control_token(vocabulary: Vocabulary) -> None:
    evil = " ".join(spellings(vocabulary)[:80])
    shot = Snapshot(
        npc="marta",
        persona=evil,
        player="p1",
        player_line=evil,
        canonical_facts=[Fact("f", evil)],
        names={"marta": "Marta<s>", "p1": spellings(vocabulary)[0]},
    )
    template = PromptTemplate(controls=Controls(vocabulary.special_tokens))
    with WorkingMemoryBuilder(BudgetPolicy(limit=100_000), template=template).build(shot) as memory:
        assert [found for segment in memory.segments for found in control_tokens_in(vocabulary, segment)] == []
