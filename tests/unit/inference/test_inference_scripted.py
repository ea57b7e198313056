from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.errors import (
    Cancelled,
    DeadlinePassed,
    EngineBusy,
    EngineCrashed,
    EngineError,
    InvalidInput,
    RequestInvalid,
)
from npc_memory.inference import (
    Behaviour,
    ControlText,
    GenerationRequest,
    GenerationResult,
    Reply,
    ScriptedEngine,
    generate,
)

PROMPT = ("You are Marta.\n", "Is the king well?\n")


def ask(engine: ScriptedEngine, *prompt: str, **options: object) -> GenerationResult:
    request = GenerationRequest(prompt or PROMPT, **{"max_tokens": 60, "seed": 1, **options})  # type: ignore[arg-type]
    return generate(engine, request)


def test_a_list_is_said_in_order_and_the_last_stays() -> None:
    with ScriptedEngine(["One.", "Two."]) as engine:
        assert [ask(engine).text for _ in range(3)] == ["One.", "Two.", "Two."]
        assert [r.segments for r in engine.requests] == [PROMPT] * 3


def test_a_mapping_answers_by_what_is_asked() -> None:
    with ScriptedEngine({"king": "Dead.", r"bridge|ford": Reply("Burned.")}) as engine:
        assert ask(engine).text == "Dead."
        assert ask(engine, "And the ford?").text == "Burned."
        assert ask(engine, "Else?").text


def test_a_callable_sees_the_request() -> None:
    with ScriptedEngine(lambda request: f"seed {request.seed}") as engine:
        assert ask(engine, seed=42).text == "seed 42"


def test_without_a_script_seed_and_prompt_decide_and_nothing_else() -> None:
    with ScriptedEngine() as one, ScriptedEngine() as other:
        first = [ask(one, "a", seed=seed) for seed in range(20)]
        assert [ask(other, "a", seed=seed) for seed in range(20)] == first
        assert len({result.text for result in first}) > 5
        assert ask(one, "b", seed=0).text != ask(one, "c", seed=0).text


def test_ids_are_the_same_in_every_process() -> None:
    text = "Żółw 🐺 says: the king, <|im_end|>\n"
    code = f"from npc_memory.inference import ScriptedEngine\nwith ScriptedEngine() as e: print(e.tokenize([{text!r}]))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed, "LC_ALL": "C"}
        ).stdout.strip()
        for seed in ("0", "7")
    }
    with ScriptedEngine() as engine:
        assert outputs == {str(engine.tokenize([text])).encode()}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), st.booleans())
def test_counts_are_exact_and_bytes_come_back(text: str, control: bool) -> None:
    segment = ControlText(text) if control else text
    ids = ENGINE.tokenize([segment])
    assert ENGINE.count(segment) == len(ids)
    if not control:
        assert b"".join(map(ENGINE._backend.piece, ids)).decode() == text
    assert ENGINE.tokenize([segment, "x", segment]) == (*ids, *ENGINE.tokenize(["x"]), *ids)


ENGINE = ScriptedEngine()


def test_control_tokens_need_control_segments() -> None:
    assert ENGINE.count(ControlText("<|im_end|>")) == 1
    assert ENGINE.count("<|im_end|>") > 1
    with pytest.raises(RequestInvalid):
        ENGINE.count("\udc00")


def test_prompt_tokens_are_the_sum_of_the_counts() -> None:
    prompt = (ControlText("<|im_start|>"), "user\nこんにちは", ControlText("<|im_end|>"))
    assert ask(ENGINE, *prompt).prompt_tokens == sum(map(ENGINE.count, prompt))


def test_behaviours_by_schedule_by_script_and_by_marker() -> None:
    with ScriptedEngine([Reply("x", "lie")], behaviours=["empty", None], lie="He lives.") as engine:
        assert [ask(engine).text for _ in range(2)] == ["", "He lives."]
        assert ask(engine, "[[scripted:split_emoji]] hm").text.startswith("Aye 🐺🔥")
        with pytest.raises(RequestInvalid, match="unknown marker"):
            ask(engine, "[[scripted:dance]]")


def test_split_emoji_streams_whole_characters() -> None:
    with ScriptedEngine(behaviours=["split_emoji"]) as engine:
        generation = engine.submit(GenerationRequest(PROMPT, 200, 1))
        chunks = list(generation)
        assert "".join(chunks) == generation.result().text
        assert "🐺" in chunks
        assert "\ufffd" not in generation.result().text
        assert len(generation.result().tokens) > len(generation.result().text)


@pytest.mark.parametrize("behaviour", ["loop", "over_long"])
def test_those_without_an_end_are_ended_by_length(behaviour: Behaviour) -> None:
    with ScriptedEngine(behaviours=[behaviour]) as engine:
        result = ask(engine, max_tokens=50)
        assert result.finish == "length"
        assert len(result.tokens) == 50


def test_a_stall_is_ended_by_its_deadline_or_a_cancel_and_the_next_is_served() -> None:
    with ScriptedEngine(["Well then."], behaviours=["stall", "stall"]) as engine:
        with pytest.raises(DeadlinePassed):
            ask(engine, deadline=0.05)
        stalled = engine.submit(GenerationRequest(PROMPT, 20, 1))
        assert next(iter(stalled)) == "Well"
        with pytest.raises(TimeoutError):
            stalled.result(timeout=0.01)
        stalled.cancel()
        assert (stalled.result().finish, stalled.result().text) == ("cancelled", "Well")
        assert ask(engine).text == "Well then."


def test_a_crash_breaks_off_the_stream_and_the_next_is_served() -> None:
    with ScriptedEngine(["Well then."], behaviours=["crash"]) as engine:
        stream = iter(engine.submit(GenerationRequest(PROMPT, 20, 1)))
        assert next(stream) == "Well"
        with pytest.raises(EngineCrashed):
            next(stream)
        assert ask(engine).text == "Well then."


def test_the_format_hook_wraps_only_for_a_grammar() -> None:
    with ScriptedEngine(["Aye."], format=lambda text, request: json.dumps({"say": text})) as engine:
        assert ask(engine).text == "Aye."
        result = ask(engine, grammar="root ::= [a-z]+")
        assert json.loads(result.text) == {"say": "Aye."}
        assert result.finish == "grammar"


def test_a_full_queue_is_busy_with_a_hint_and_has_room_again() -> None:
    with ScriptedEngine(behaviours=["stall"], max_queue=2) as engine:
        first, second = (engine.submit(GenerationRequest(PROMPT, 20, 1)) for _ in range(2))
        with pytest.raises(EngineBusy) as caught:
            engine.submit(GenerationRequest(PROMPT, 20, 1))
        assert caught.value.retry_after > 0
        first.cancel()
        second.result()
        assert ask(engine).finish == "stop"


def test_closing_fails_what_is_open_and_twice_is_harmless() -> None:
    engine = ScriptedEngine(behaviours=["stall"])
    generation = engine.submit(GenerationRequest(PROMPT, 20, 1))
    engine.close()
    engine.close()
    with pytest.raises(Cancelled):
        generation.result()
    with pytest.raises(Cancelled):
        engine.submit(GenerationRequest(PROMPT, 20, 1))


def test_many_threads_get_each_their_own_answer() -> None:
    with ScriptedEngine(lambda request: "".join(request.segments)) as engine:
        got: dict[int, str] = {}

        def talk(n: int) -> None:
            got[n] = "".join(engine.submit(GenerationRequest([f"line {n}"], 40, 1)))

        threads = [threading.Thread(target=talk, args=(n,)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == {n: f"line {n}" for n in range(20)}


def test_a_script_that_raises_fails_its_request_and_no_other() -> None:
    answers = {"a": 1}
    with ScriptedEngine(lambda request: str(answers[request.segments[0]])) as engine:
        with pytest.raises(EngineError, match="KeyError"):
            ask(engine, "b")
        assert ask(engine, "a").text == "1"
    with ScriptedEngine(["x"], format=lambda text, request: text[99]) as engine:
        with pytest.raises(EngineError, match="IndexError"):
            ask(engine, grammar="root ::= [a-z]")


def test_a_text_in_place_of_a_list_is_a_mistake() -> None:
    with pytest.raises(InvalidInput):
        ScriptedEngine("Aye.")


@pytest.mark.parametrize("behaviour", get_args(Behaviour))
def test_every_behaviour_is_deterministic(behaviour: Behaviour) -> None:
    def once() -> object:
        with ScriptedEngine(behaviours=[behaviour], pace=0.001) as engine:
            try:
                return ask(engine, deadline=0.1 if behaviour == "stall" else None, hash_logits=True)
            except (DeadlinePassed, EngineCrashed) as error:
                return error.code

    assert once() == once()


def test_a_long_game_does_not_fill_the_memory_with_requests() -> None:
    with ScriptedEngine(["Aye."], max_queue=2000) as engine:
        generations = [engine.submit(GenerationRequest(PROMPT, max_tokens=8, seed=n)) for n in range(1100)]
        for generation in generations:
            generation.result()
        assert [request.seed for request in engine.requests] == list(range(1100 - 1024, 1100))
