"""The budget is exact under the bundled model's own tokenizer, and no text becomes one of its control tokens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_wm_oracle import CAPS_AND_SHARES, compare
from test_wm_tokenizers import SCRIPTS, hold_exactly, spoken
from wm_kit import Built, bare, examples, full_snapshot, open_up, policy, rest, total
from wm_strategies import SHAPES, hostile_snapshots, limits, plain_snapshots

from npc_memory import Snapshot, WorkingMemoryBuilder
from npc_memory.errors import MandatoryOverflow
from npc_memory.inference import (
    GenerationRequest,
    LlamaEngine,
    Vocabulary,
    VocabularyToken,
    find_model,
    generate,
    vocab_tokens,
)
from npc_memory.prompt import ChatFormat, Controls, PromptTemplate

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def engine() -> Iterator[LlamaEngine]:
    with LlamaEngine(find_model(), n_ctx=2048) as opened:
        yield opened


@pytest.fixture(scope="module")
def vocabulary() -> Iterator[Vocabulary]:
    with vocab_tokens(find_model()) as opened:
        yield opened


@pytest.fixture(scope="module")
def chat(engine: LlamaEngine) -> PromptTemplate:
    """The model's own chat format, made safe for its vocabulary."""
    info = engine.info
    form = ChatFormat.from_jinja(info.chat_template, bos=info.bos, eos=info.eos)
    return PromptTemplate(chat=form, controls=Controls(info.special_tokens))


def in_chat(snapshot: Snapshot, limit: int, engine: LlamaEngine, chat: PromptTemplate) -> Built:
    return open_up(WorkingMemoryBuilder(policy(limit, engine.count), engine.count, chat).build(snapshot))


@pytest.mark.parametrize("script", SCRIPTS)
def test_case_16_total_is_the_number_of_ids_in_every_script(engine: LlamaEngine, script: str) -> None:
    snapshot = spoken(script)
    whole = total(snapshot, engine.count)
    least = rest(snapshot, engine.count) + 16
    truncated = 0
    for step in (0, 1, 3, 5, 7, 8):
        built = hold_exactly(snapshot, least + (whole - least) * step // 8, engine.count)
        assert built.report.total == len(engine.tokenize(built.segments))
        truncated += built.truncated
    assert truncated >= 3


def test_case_16_and_the_model_is_sent_exactly_that_many(engine: LlamaEngine, chat: PromptTemplate) -> None:
    snapshot = full_snapshot(player_line="Жив ли король? 王は元気ですか。 👑")
    for built in (in_chat(snapshot, 500, engine, chat), hold_exactly(snapshot, 500, engine.count)):
        result = generate(engine, GenerationRequest(built.segments, max_tokens=1, seed=1))
        assert result.prompt_tokens == built.report.total <= 500


def test_the_whole_costs_the_sum_of_its_parts_in_chat_format(engine: LlamaEngine, chat: PromptTemplate) -> None:
    for limit in (200, 300, 500, 2000):
        built = in_chat(full_snapshot(), limit, engine, chat)
        assert built.report.total == sum(engine.count(s) for s in built.segments) <= limit
        assert built.report.total == len(engine.tokenize(built.segments))
        for left, right in zip(built.segments, built.segments[1:], strict=False):
            assert left.endswith("\n") or right.startswith("\n") or left.control or right.control


def marked(token: VocabularyToken) -> bool:
    return token.control or (token.user_defined and len(token.text.strip("▁ \t\n")) > 1)


@examples(30)
@given(snapshot=hostile_snapshots(), in_chat_format=st.booleans())
def test_p9_no_text_becomes_a_control_token(
    engine: LlamaEngine, vocabulary: Vocabulary, chat: PromptTemplate, snapshot: Snapshot, in_chat_format: bool
) -> None:
    template = chat if in_chat_format else PromptTemplate(controls=chat.controls)
    try:
        built = open_up(WorkingMemoryBuilder(policy(700, engine.count), engine.count, template).build(snapshot))
    except MandatoryOverflow:
        return
    special = {token.id for token in vocabulary.tokens if marked(token)}
    assert special
    for segment in built.segments:
        if not segment.control:
            assert not special & set(engine.tokenize([segment])), segment
    assert built.report.total == len(engine.tokenize(built.segments)) <= 700


def test_p9_every_special_token_of_the_vocabulary_is_broken_up(
    engine: LlamaEngine, vocabulary: Vocabulary, chat: PromptTemplate
) -> None:
    names = [token.text for token in vocabulary.tokens if marked(token)]
    assert "<|im_start|>" in names
    special = {token.id for token in vocabulary.tokens if marked(token)}
    for text in (*names, "".join(names), *SHAPES):
        snapshot = full_snapshot(player_line=text, persona=f"You are {text}.")
        for segment in in_chat(snapshot, 2000, engine, chat).segments:
            assert segment.control or not special & set(engine.tokenize([segment])), (text, segment)


@examples(15)
@given(data=st.data())
def test_the_oracle_agrees_under_the_models_tokenizer(engine: LlamaEngine, data: st.DataObject) -> None:
    snapshot = data.draw(plain_snapshots())
    limit = limits(data.draw, snapshot, engine.count)
    compare(snapshot, limit, engine.count, data.draw(CAPS_AND_SHARES))


def test_case_30_shortening_is_the_longest_that_fits(engine: LlamaEngine) -> None:
    from wm_kit import shorten, snap

    from npc_memory import Turn

    text = "the king's 王 кор👑 unbelievably anti-disestablishment " * 8
    snapshot = snap(dialogue=(Turn("t", "p1", text),))
    for room in (30, 45, 60, 90):
        limit = total(bare(snapshot), engine.count) + room
        limit = max(limit, rest(snapshot, engine.count) + 4 * (limit - room - rest(snapshot, engine.count)))
        built = hold_exactly(snapshot, limit, engine.count)
        assert built.report.shortened == ("t",)
        n = next(n for n in range(len(text), 0, -1) if shorten(text, n) == built.dialogue[0].text)
        for longer in range(n + 1, len(text) - 3):
            candidate = snap(dialogue=(Turn("t", "p1", shorten(text, longer)),))
            assert total(candidate, engine.count) > limit
