"""The grammar against the real llama.cpp: it is accepted, and what the real model writes under it parses and ends."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from reply_walker import specs

from npc_memory.inference import GenerationRequest, LlamaEngine, Sampling, generate
from npc_memory.inference.models import find_model
from npc_memory.reply import (
    ActionSpec,
    ReplySpec,
    SayStream,
    check,
    cue,
    grammar_for,
    max_tokens,
    parse,
    reply_seed,
    token_bound,
)

pytestmark = pytest.mark.model

EXCHANGES = {
    "line": ("Aye, one bed left, by the hearth.", "Emberfall, and you stand in the Gilded Boar."),
    "json": (
        '{"say": "Aye, one bed left, by the hearth.", "mood": "glad", "action": null}',
        '{"say": "Emberfall, and you stand in the Gilded Boar.", "mood": "calm", "action": null}',
    ),
}
LINES = ("Is the king well?", "How do I cross the river?", "Sell me an ale, please.", "😀 勇者よ")


def prompt(spec: ReplySpec, line: str, released: str = "") -> list[str]:
    one, two = EXCHANGES[spec.shape]
    return [
        "A talk in Emberfall. Marta answers in one or two short sentences.\nKing Aldric is dead.\n",
        "Marta is the innkeeper of the Gilded Boar: warm, blunt, fond of gossip.\n",
        f"Traveller: Good evening.\nMarta: {one}\nTraveller: What is this place?\nMarta: {two}\n",
        f"Traveller: {line}\nMarta:{cue(spec, released)}",
    ]


@pytest.fixture(scope="module")
def engine() -> Iterator[LlamaEngine]:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    with LlamaEngine(find_model(), n_ctx=1024) as running:
        yield running


def spec_of(shape: str) -> ReplySpec:
    return ReplySpec(("calm", "glad", "怒り"), (ActionSpec("give_room"), ActionSpec("sell", ("item",))), shape=shape)


def write(engine: LlamaEngine, spec: ReplySpec, line: str, attempt: int, tokens: int, released: str = "", heat=1.0):
    request = GenerationRequest(
        segments=prompt(spec, line, released),
        max_tokens=tokens,
        seed=reply_seed(7, "marta", LINES.index(line), attempt),
        grammar=grammar_for(spec, released),
        sampling=Sampling(temperature=heat, top_k=0, top_p=1.0, min_p=0.0, repeat_penalty=1.0),
    )
    return generate(engine, request)


def hold_to_it(engine: LlamaEngine, spec: ReplySpec, line: str, attempt: int) -> None:
    result = write(engine, spec, line, attempt, max_tokens(spec))
    cut = result.finish == "length"
    assert cut or parse(spec, result.text) is not None, result.text
    assert "\ufffd" not in result.text
    stream = SayStream(spec)
    spoken = "".join(map(stream.feed, result.text))
    last, checked = stream.finish(truncated=cut)
    assert checked == check(result.text, spec, truncated=cut)
    assert not checked.ok or spoken + last == checked.say


@pytest.mark.parametrize("shape", ["line", pytest.param("json", marks=pytest.mark.full)])
def test_what_the_model_writes_parses_and_the_stream_says_the_same(engine, shape):
    for line in LINES:
        hold_to_it(engine, spec_of(shape), line, 0)


@pytest.mark.full
@pytest.mark.parametrize("shape", ["line", "json"])
@pytest.mark.parametrize("line", LINES)
def test_also_over_many_seeds(engine, shape, line):
    for attempt in range(1, 13):
        hold_to_it(engine, spec_of(shape), line, attempt)


@pytest.mark.parametrize("shape", ["line", "json"])
def test_even_a_raving_model_ends_within_the_bound(engine, shape):
    spec = ReplySpec(("calm",), (ActionSpec("sell", ("item",)),), max_chars=40, shape=shape)
    result = write(engine, spec, LINES[0], 0, min(512, token_bound(spec)), heat=50.0)
    assert result.finish in ("grammar", "stop"), result.text
    assert parse(spec, result.text) is not None, result.text


def test_a_reply_is_continued_from_what_was_released(engine):
    spec, released = spec_of("line"), "The king is dead, friend."
    result = write(engine, spec, LINES[0], 0, max_tokens(spec), released)
    reply = parse(spec, result.text, released)
    assert reply is not None
    assert reply.say.startswith(released)


@given(spec=specs())
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_llama_cpp_accepts_every_grammar(engine, spec):
    for released in ("", "Aye."):
        request = GenerationRequest(["Marta:"], max_tokens=1, seed=1, grammar=grammar_for(spec, released))
        assert generate(engine, request).tokens
