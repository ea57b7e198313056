"""Promise P4 on the real model: the same tokens and the same logits, bit for bit, however the work was done."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from npc_memory.inference import GenerationRequest, GenerationResult, LlamaEngine, Settings, generate

pytestmark = pytest.mark.model

WORLD = "King Aldric is dead. The north bridge is burned. Marta keeps the inn and trusts nobody from the north. "
LINES = ("Traveller: Is the king well?\nMarta:", "Traveller: May I cross the bridge?\nMarta:")


def request(line: int = 0, seed: int = 7, tokens: int = 10) -> GenerationRequest:
    return GenerationRequest([WORLD * 4, LINES[line]], tokens, seed, hash_logits=True)


@pytest.fixture(scope="module")
def alone(engine: LlamaEngine) -> GenerationResult:
    """The reply as the session's engine gives it behind something quite different."""
    generate(engine, GenerationRequest(["Something quite different."], 1, 1))
    result = generate(engine, request())
    assert result.cached_tokens == 0
    assert len(result.logits_sha256) == 64
    return result


def test_the_probe_says_bit_exact(engine: LlamaEngine) -> None:
    assert engine.info.determinism.word == "bit-exact", engine.info.determinism.reason


def test_warm_equals_cold(engine: LlamaEngine, alone: GenerationResult) -> None:
    for warm_up in (request(), request(line=1), request(seed=8)):
        generate(engine, warm_up)
        warm = generate(engine, request())
        assert warm.cached_tokens > 50
        assert warm == alone


def test_after_a_cancel_in_the_middle_nothing_is_different(engine: LlamaEngine, alone: GenerationResult) -> None:
    broken = engine.submit(request(line=1, tokens=500))
    next(iter(broken))
    broken.cancel()
    broken.result()
    assert generate(engine, request()) == alone


def test_another_seed_is_another_reply_from_the_same_logits(engine: LlamaEngine, alone: GenerationResult) -> None:
    others = [generate(engine, request(seed=seed)) for seed in (8, 2**32 + 7, 2**64 - 1)]
    assert len({result.tokens for result in (*others, alone)}) > 1
    assert len({generate(engine, request(seed=seed, tokens=1)).logits_sha256 for seed in (7, 8)}) == 1
    assert all(result.prompt_sha256 == alone.prompt_sha256 for result in others)


SLOWER = pytest.mark.full


@pytest.mark.parametrize(
    "options",
    [
        {"n_threads": 1},
        pytest.param({}, marks=SLOWER),
        pytest.param({"settings": Settings(chunk=1)}, marks=SLOWER),
        pytest.param({"settings": Settings(chunk=33)}, marks=SLOWER),
        pytest.param({"n_ctx": 512}, marks=SLOWER),
    ],
    ids=["one thread", "restart", "chunks of 1", "chunks of 33", "smaller window"],
)
def test_another_process_gives_the_same_bits(
    options: dict[str, object], open_engine: Callable[..., LlamaEngine], alone: GenerationResult
) -> None:
    with open_engine(**options) as other:
        assert generate(other, request()) == alone
