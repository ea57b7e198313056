"""The runner with the scripted model and a clock of the test's own: no thread, no process, no weights."""

from __future__ import annotations

from typing import Any

import pytest

from npc_memory.errors import EngineError
from npc_memory.inference import GenerationRequest
from npc_memory.inference.protocol import Frame
from npc_memory.inference.runner import Runner
from npc_memory.inference.scheduler import Slice
from npc_memory.inference.script import Script, ScriptSource
from npc_memory.inference.scripted_backend import ScriptedBackend


class Bench:
    """A runner, what it told, and a clock that moves only when told."""

    def __init__(self, script: ScriptSource = None, n_ctx: int = 256, backend: type[ScriptedBackend] = ScriptedBackend):
        self.now = 0.0
        self.frames: list[Frame] = []
        self.backend = backend(Script(script, (), None, "a lie"), n_ctx=n_ctx, pace=0)
        self.runner = Runner(self.backend, self.frames.append, lambda: self.now, chunk=8)

    def submit(self, id: int, prompt: str = "hello there", **options: Any) -> None:
        self.runner.submit(id, GenerationRequest([prompt], **{"max_tokens": 30, "seed": 1, **options}))

    def run(self) -> None:
        for _ in range(10_000):
            if not self.runner.step():
                return
        raise AssertionError("the runner does not come to an end")

    def ends(self) -> list[tuple[int, str]]:
        last = [f for f in self.frames if f["op"] != "chunk"]
        return [(f["id"], f["result"]["finish"] if f["op"] == "done" else f["code"]) for f in last]

    def text(self, id: int) -> str:
        return "".join(f["text"] for f in self.frames if f["op"] == "chunk" and f["id"] == id)

    def result(self, id: int) -> Frame:
        (found,) = [f["result"] for f in self.frames if f["op"] == "done" and f["id"] == id]
        return dict(found)


def test_chunks_come_before_the_end_and_join_to_the_text() -> None:
    bench = Bench(["Aye, stranger."])
    bench.submit(1)
    bench.run()
    assert bench.text(1) == bench.result(1)["text"] == "Aye, stranger."
    assert bench.frames[-1]["op"] == "done"
    assert bench.ends() == [(1, "stop")]


def test_urgent_ones_come_first_and_who_was_interrupted_goes_on_where_he_was() -> None:
    bench = Bench(["one two three four five"])
    bench.submit(1)
    while not bench.text(1):
        bench.runner.step()
    begun = bench.text(1)
    bench.submit(2)
    bench.submit(3, priority=5)
    bench.run()
    assert [id for id, _ in bench.ends()] == [3, 1, 2]
    assert begun != bench.text(1) == bench.text(2) == "one two three four five"


def test_a_cancel_frees_the_place_within_one_step() -> None:
    bench = Bench(["one two three four five"])
    bench.submit(1)
    bench.submit(2)
    while not bench.text(1):
        bench.runner.step()
    bench.runner.cancel(1)
    assert bench.ends() == [(1, "cancelled")]
    assert bench.result(1)["text"] == bench.text(1) != ""
    bench.runner.step()
    bench.runner.cancel(1)
    bench.run()
    assert bench.ends() == [(1, "cancelled"), (2, "stop")]


def test_cancelling_one_that_waits_gives_an_empty_result() -> None:
    bench = Bench()
    bench.submit(1)
    bench.submit(2)
    bench.runner.cancel(2)
    assert bench.result(2)["text"] == ""
    assert bench.result(2)["prompt_tokens"] > 0


def test_deadlines_end_running_and_waiting_requests_alike() -> None:
    bench = Bench(["one two three four"])
    bench.submit(1, deadline=2.0)
    bench.submit(2, deadline=1.0)
    bench.submit(3)
    bench.runner.step()
    bench.now = 1.5
    bench.runner.step()
    assert bench.ends() == [(2, "deadline")]
    bench.now = 2.0
    bench.run()
    assert bench.ends() == [(2, "deadline"), (1, "deadline"), (3, "stop")]


def test_the_window_refuses_and_never_cuts() -> None:
    bench = Bench(["yes"], n_ctx=20)
    size = len(bench.backend.tokenize([("abcd " * 4, False)]))
    bench.submit(1, "abcd " * 4, max_tokens=20 - size)
    bench.submit(2, "abcd " * 4, max_tokens=21 - size)
    assert bench.ends() == [(2, "prompt_too_long")]
    assert bench.frames[0]["details"] == {"prompt_tokens": size, "max_tokens": 21 - size, "n_ctx": 20}
    bench.run()
    assert bench.ends()[-1] == (1, "stop")


def test_an_empty_prompt_is_refused() -> None:
    bench = Bench()
    bench.submit(1, "")
    assert bench.ends() == [(1, "request_invalid")]


def test_length_and_stop_strings_end_a_reply() -> None:
    bench = Bench(["Aye. It is so.\nPlayer: and then?"])
    bench.submit(1, max_tokens=2)
    bench.submit(2, stop=("\nPlayer:",))
    bench.run()
    assert bench.ends() == [(1, "length"), (2, "stop")]
    assert bench.result(1)["text"] == "Aye."
    assert bench.result(2)["text"] == bench.text(2) == "Aye. It is so."


def test_a_warm_prompt_is_computed_from_where_it_differs() -> None:
    bench = Bench(["Aye."])
    for id, prompt in ((1, "one two three"), (2, "one two three"), (3, "one two four")):
        bench.submit(id, prompt)
        bench.run()
    tokens = bench.result(1)["prompt_tokens"]
    assert [bench.result(id)["cached_tokens"] for id in (1, 2, 3)] == [0, tokens - 1, 2]


class Failing(ScriptedBackend):
    """Fails the step in which a marked token comes by."""

    cleared = 0

    def decode(self, step: list[Slice]) -> None:  # type: ignore[override]
        super().decode(step)
        if any(token == 3 + ord("!") for part in step for token in part.tokens):
            raise EngineError("the step failed", hint="again")

    def clear(self, slot: int) -> None:
        self.cleared += 1


def test_a_failed_step_ends_that_request_only_and_nothing_of_it_is_reused() -> None:
    bench = Bench(["Aye."], backend=Failing)
    bench.submit(1, "one two three!")
    bench.submit(2, "one two three")
    bench.run()
    assert bench.ends() == [(1, "engine_error"), (2, "stop")]
    assert bench.result(2)["cached_tokens"] == 0
    assert bench.backend.cleared == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("kept", [True, False])
def test_a_memory_that_cannot_drop_a_tail_is_not_relied_upon(kept: bool) -> None:
    class Stubborn(ScriptedBackend):
        def keep(self, slot: int, n: int) -> bool:
            return kept or n == 0

    bench = Bench(["Aye."], backend=Stubborn)
    bench.submit(1)
    bench.submit(2)
    bench.run()
    assert (bench.result(2)["cached_tokens"] > 0) == kept
