"""The real model in its own process: counts, streams, ends, cancels, deadlines, queues."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npc_memory.errors import Cancelled, DeadlinePassed, EngineBusy, PromptTooLong, RequestInvalid
from npc_memory.inference import ControlText, GenerationRequest, LlamaEngine, Sampling, generate

pytestmark = pytest.mark.model

GREEDY = Sampling(temperature=0)
TALK = (
    ControlText("<|im_start|>"), "user\nTell me of the old mill and the river, at length.", ControlText("<|im_end|>"),
    "\n", ControlText("<|im_start|>"), "assistant\n",
)  # fmt: skip


def test_the_parent_never_loads_native_code() -> None:
    code = "import sys, npc_memory.inference; print([m for m in sys.modules if m.split('.')[0] == 'llama_cpp'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_info_says_what_runs(engine: LlamaEngine) -> None:
    info = engine.info
    assert info.engine == "llama"
    assert info.model_sha256 == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert info.build.startswith("llama-cpp-python ")
    assert (info.bos, info.eos, info.add_bos, info.n_ctx) == ("<|im_start|>", "<|im_end|>", False, 2048)
    assert "<|im_start|>" in info.chat_template
    assert info.special_tokens[:3] == ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), st.booleans()), min_size=1, max_size=5
    )
)
def test_counts_are_what_is_sent(engine: LlamaEngine, pieces: list[tuple[str, bool]]) -> None:
    segments = [ControlText(text) if control else text for text, control in pieces]
    assert sum(map(engine.count, segments)) == len(engine.tokenize(segments))


@pytest.mark.parametrize(
    "text", ["Der König ist tot.", "王は死んだ。", "พระราชา", "Король мёртв", "🐺🔥👨‍👩‍👧", "a\0b", "\n\n\n", " "]
)
def test_prompt_tokens_equal_the_counts(engine: LlamaEngine, text: str) -> None:
    segments = (*TALK[:1], text, *TALK[2:])
    result = generate(engine, GenerationRequest(segments, 1, 1))
    assert result.prompt_tokens == sum(map(engine.count, segments)) == len(engine.tokenize(segments))


def test_special_tokens_are_matched_in_control_segments_only(engine: LlamaEngine) -> None:
    assert engine.count(ControlText("<|im_start|>")) == 1
    assert engine.count("<|im_start|>") > 1
    assert engine.count("") == 0


def test_what_cannot_be_encoded_is_refused(engine: LlamaEngine) -> None:
    with pytest.raises(RequestInvalid):
        engine.count("\ud800")
    with pytest.raises(RequestInvalid):
        engine.tokenize(["a", "\udfff"])


def test_chunks_join_to_the_text_and_no_character_is_halved(engine: LlamaEngine) -> None:
    prompt = "🐺🔥👨‍👩‍👧 żółw 王は死んだ 🐺🔥👨‍👩‍👧 żółw 王は死んだ 🐺🔥👨‍👩‍👧 żółw 王は"
    generation = engine.submit(GenerationRequest([prompt], 24, 1, sampling=Sampling(temperature=0, repeat_penalty=1.0)))
    chunks = list(generation)
    result = generation.result()
    assert "".join(chunks) == "".join(generation) == result.text
    assert "\ufffd" not in result.text
    assert any(not chunk.isascii() for chunk in chunks)
    assert len(chunks) < len(result.tokens)


def test_a_stop_string_over_several_tokens_is_cut_and_never_shown(engine: LlamaEngine) -> None:
    whole = generate(engine, GenerationRequest(TALK, 24, 1, sampling=GREEDY))
    stop = whole.text[10:31]
    generation = engine.submit(GenerationRequest(TALK, 24, 1, sampling=GREEDY, stop=("no such words", stop)))
    assert "".join(generation) == generation.result().text == whole.text[: whole.text.index(stop)]
    assert generation.result().finish == "stop"
    assert len(generation.result().tokens) < len(whole.tokens)


def test_length_ends_a_reply_and_an_end_token_is_no_text(engine: LlamaEngine) -> None:
    short = generate(engine, GenerationRequest(TALK, 3, 1))
    assert (short.finish, len(short.tokens)) == ("length", 3)
    copy = (*TALK[:5], "assistant\nAye.", TALK[2], "\n") * 6 + (TALK[4], "assistant\n")
    ended = generate(engine, GenerationRequest(copy, 40, 1, sampling=Sampling(temperature=0, repeat_penalty=1.0)))
    assert ended.finish == "stop"
    assert "<|" not in ended.text


def test_a_prompt_over_the_window_is_refused_whole(engine: LlamaEngine) -> None:
    size = engine.count("word " * 1500)
    with pytest.raises(PromptTooLong) as caught:
        generate(engine, GenerationRequest(["word " * 1500], 2049 - size, 1))
    assert caught.value.details == {"prompt_tokens": size, "max_tokens": 2049 - size, "n_ctx": 2048}
    assert generate(engine, GenerationRequest(TALK, 2, 1)).finish == "length"


def test_a_cancel_ends_it_with_what_was_shown(engine: LlamaEngine) -> None:
    generation = engine.submit(GenerationRequest(TALK, 1500, 1, sampling=Sampling(temperature=1.5)))
    waiting = engine.submit(GenerationRequest(TALK, 1500, 1))
    stream = iter(generation)
    first = next(stream)
    waiting.cancel()
    generation.cancel()
    result = generation.result()
    assert result.finish == waiting.result().finish == "cancelled"
    assert first + "".join(stream) == result.text
    assert waiting.result().text == "".join(waiting)
    generation.cancel()
    assert generate(engine, GenerationRequest(TALK, 2, 1)).finish == "length"


def test_a_deadline_ends_it_and_the_next_is_served(engine: LlamaEngine) -> None:
    with pytest.raises(DeadlinePassed):
        generate(engine, GenerationRequest(TALK, 1900, 1, deadline=0.3, sampling=Sampling(temperature=2.0)))
    with pytest.raises(DeadlinePassed):
        list(engine.submit(GenerationRequest(TALK, 5, 1, deadline=0.0)))
    assert generate(engine, GenerationRequest(TALK, 2, 1, deadline=600)).finish == "length"


def test_an_empty_prompt_is_refused(engine: LlamaEngine) -> None:
    for segments in ([], [""]):
        with pytest.raises(RequestInvalid, match="empty"):
            generate(engine, GenerationRequest(segments, 5, 1))


def test_threads_get_each_their_own_answer(engine: LlamaEngine) -> None:
    expected = {n: generate(engine, GenerationRequest(TALK, 6, n)) for n in range(3)}
    got = {}

    def talk(n: int) -> None:
        assert engine.count(f"line {n}") > 0
        got[n] = engine.submit(GenerationRequest(TALK, 6, n)).result()

    threads = [threading.Thread(target=talk, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == expected


def test_a_full_queue_is_busy_and_a_closed_engine_is_closed(open_engine: Callable[..., LlamaEngine]) -> None:
    engine = open_engine(max_queue=1)
    generation = engine.submit(GenerationRequest(TALK, 1500, 1, sampling=Sampling(temperature=2.0)))
    with pytest.raises(EngineBusy):
        engine.submit(GenerationRequest(TALK, 5, 1))
    engine.close()
    engine.close()
    with pytest.raises(Cancelled):
        generation.result()
    with pytest.raises(Cancelled):
        engine.count("never counted before")


def test_a_window_beyond_the_models_is_refused(open_engine: Callable[..., LlamaEngine]) -> None:
    with pytest.raises(RequestInvalid, match="8192"):
        open_engine(n_ctx=9000)
