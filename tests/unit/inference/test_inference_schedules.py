"""Random schedules over a made-up model that computes from what its memory really holds.

Its next token is a hash of the slot's tokens: whatever the cache mixes up, drops or keeps by mistake changes words.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence as Items
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searches import examples

from npc_memory.errors import EngineError
from npc_memory.inference import GenerationRequest, Priority
from npc_memory.inference.protocol import Frame
from npc_memory.inference.runner import Runner
from npc_memory.inference.scheduler import Slice
from npc_memory.inference.sequence import Sequence

END = 0
WORDS = "abcdefgh"


class Hashed:
    """A backend whose logits are a hash of the memory. ``failing``: the numbers of steps that fail."""

    n_ctx = 400

    def __init__(self, slots: int, tail: bool = True, failing: frozenset[int] = frozenset(), poison: int = -1) -> None:
        self.native: list[list[int]] = [[] for _ in range(slots)]
        self.tail, self.failing, self.poison = tail, failing, poison
        self.steps: list[list[tuple[int, int]]] = []
        self.computed = 0

    def tokenize(self, pairs: Items[tuple[str, bool]]) -> tuple[int, ...]:
        return tuple(1 + ord(letter) % 97 for text, _ in pairs for letter in text)

    def begin(self, sequence: Sequence) -> _Sampler:
        return _Sampler(self, sequence)

    def forget(self) -> None:
        pass

    def keep(self, slot: int, n: int) -> bool:
        assert len(self.native[slot]) >= n
        self.native[slot] = self.native[slot][:n] if self.tail else []
        return self.tail

    def clear(self, slot: int) -> None:
        self.native[slot] = []

    def save(self, slot: int) -> bytes:
        return json.dumps(self.native[slot]).encode()

    def restore(self, slot: int, state: bytes) -> bool:
        self.native[slot] = json.loads(state)
        return True

    def decode(self, step: Items[Slice]) -> None:
        self.steps.append([(part.sequence.id, len(part.tokens)) for part in step])
        assert len({part.sequence.slot for part in step}) == len(step)
        bad = len(self.steps) in self.failing or any(self.poison in part.tokens for part in step)
        for part in step:
            assert part.start == len(self.native[part.sequence.slot])
            self.computed += len(part.tokens)
            self.native[part.sequence.slot] += [-9] if bad else part.tokens
        if bad:
            raise EngineError("the step failed", hint="send the request again")

    def piece(self, token: int) -> bytes:
        return WORDS[token % len(WORDS)].encode()

    def ends(self, token: int, request: GenerationRequest) -> bool:
        return token == END


class _Sampler:
    def __init__(self, backend: Hashed, sequence: Sequence) -> None:
        self.backend, self.sequence = backend, sequence
        self.hash = hashlib.sha256()

    def sample(self) -> int:
        logits = repr(self.backend.native[self.sequence.slot]).encode()
        self.hash.update(logits)
        seed = str(self.sequence.request.seed + len(self.sequence.output)).encode()
        return hashlib.sha256(logits + seed).digest()[0] % 12

    @property
    def logits_sha256(self) -> str:
        return self.hash.hexdigest()

    def close(self) -> None:
        pass


class Town:
    """A runner over a backend, and what it told."""

    def __init__(self, backend: Hashed, slots: int, **options: Any) -> None:
        self.frames: list[Frame] = []
        self.backend = backend
        self.runner = Runner(backend, self.frames.append, lambda: 0.0, slots=slots, **options)

    def run(self) -> None:
        for _ in range(20_000):
            if not self.runner.step():
                return
        raise AssertionError("the runner does not come to an end")

    def ends(self) -> dict[int, Frame]:
        last = [frame for frame in self.frames if frame["op"] != "chunk"]
        assert len({frame["id"] for frame in last}) == len(last), "one end each"
        return {frame["id"]: frame for frame in last}

    def outcome(self, id: int) -> tuple[Any, ...]:
        frame = self.ends()[id]
        if frame["op"] == "error":
            return (frame["code"],)
        result = frame["result"]
        text = "".join(f["text"] for f in self.frames if f["op"] == "chunk" and f["id"] == id)
        assert text == result["text"]
        return result["finish"], result["text"], tuple(result["tokens"]), result["logits_sha256"]


SHARED = "The king is dead. The bridge is burned. "


def request(npc: int, turn: int, priority: int, tokens: int) -> GenerationRequest:
    stable = f"I am number {npc}. " * 3 + "We spoke. " * turn
    segments = [SHARED, stable, f"It is {turn * 7 % 5} o'clock. Well?"]
    return GenerationRequest(
        segments if tokens else segments[:2],
        tokens,
        seed=npc * 1000 + turn,
        conversation=f"npc{npc}",
        shared=1,
        stable=2,
        priority=priority,
        hash_logits=True,
    )


@cache
def alone(npc: int, turn: int, tokens: int) -> tuple[Any, ...]:
    """The reply computed by itself, from nothing."""
    town = Town(Hashed(1), 1, chunk=7)
    town.runner.submit(1, request(npc, turn, 0, tokens))
    town.run()
    return town.outcome(1)


def play(town: Town, rng: random.Random, count: int) -> None:
    """Arrivals, warm-ups, cancels and steps in any order; then every reply is compared with itself alone."""
    asked: dict[int, tuple[int, int, int]] = {}
    cancelled = set()
    turns: dict[int, int] = {}
    for id in range(1, count + 1):
        npc = rng.randint(1, 6)
        turns[npc] = turns.get(npc, 0) + rng.randint(0, 1)
        tokens = rng.choice((0, 1, 9, 30))
        priority = Priority.WARM if not tokens else rng.choice((Priority.NPC, Priority.PLAYER, Priority.CONSOLIDATION))
        asked[id] = npc, turns[npc], tokens
        town.runner.submit(id, request(npc, turns[npc], priority, tokens))
        for _ in range(rng.choice((0, 0, 1, 3, 12))):
            town.runner.step() or town.runner.tidy()
        if rng.random() < 0.15:
            cancelled.add(rng.randint(1, id))
            town.runner.cancel(max(cancelled))
    town.run()
    assert sorted(town.ends()) == sorted(asked)
    for id, (npc, turn, tokens) in asked.items():
        found, expected = town.outcome(id), alone(npc, turn, tokens)
        if found[0] == "cancelled":
            assert id in cancelled or tokens == 0
            assert expected[1].startswith(found[1])
            assert expected[2][: len(found[2])] == found[2]
        else:
            assert found == expected


@settings(max_examples=examples(60), deadline=None)
@given(
    st.randoms(use_true_random=False),
    st.integers(1, 4),
    st.integers(1, 40),
    st.sampled_from([0, 900, 100_000]),
    st.booleans(),
)
def test_every_reply_is_the_one_it_would_have_been_alone(
    rng: random.Random, slots: int, chunk: int, cache_bytes: int, tail: bool
) -> None:
    play(Town(Hashed(slots, tail), slots, chunk=chunk, cache_bytes=cache_bytes), rng, 25)


@settings(max_examples=examples(40), deadline=None)
@given(st.randoms(use_true_random=False), st.sets(st.integers(1, 60), max_size=12), st.integers(2, 4))
def test_steps_that_fail_in_company_change_no_word(rng: random.Random, failing: set[int], slots: int) -> None:
    town = Town(Hashed(slots, failing=frozenset(failing)), slots, chunk=9, cache_bytes=100_000)
    lonely = {step for step in failing if step - 1 in failing or step + 1 in failing}
    if lonely:
        return
    for id in range(1, 13):
        town.runner.submit(id, request(id % 5, id % 3, 0, 12))
        town.runner.step()
    town.run()
    wrong = [id for id in range(1, 13) if town.outcome(id) not in (alone(id % 5, id % 3, 12), ("engine_error",))]
    assert wrong == []
    alone_when_it_failed = [n for n in failing if n <= len(town.backend.steps) and len(town.backend.steps[n - 1]) == 1]
    failed = [id for id in range(1, 13) if town.outcome(id) == ("engine_error",)]
    assert len(failed) == len(alone_when_it_failed)


def test_only_the_one_that_breaks_the_step_fails() -> None:
    town = Town(Hashed(3, poison=1 + ord("~") % 97), 3, chunk=50)
    for id, last in ((1, "Well?"), (2, "~"), (3, "And?")):
        town.runner.submit(id, GenerationRequest(["The king is dead. ", last], 6, seed=id))
    town.run()
    assert town.outcome(2) == ("engine_error",)
    for id, last in ((1, "Well?"), (3, "And?")):
        single = Town(Hashed(1), 1)
        single.runner.submit(id, GenerationRequest(["The king is dead. ", last], 6, seed=id))
        single.run()
        assert town.outcome(id) == single.outcome(id)


def test_the_second_npc_of_a_world_pays_for_no_shared_token() -> None:
    town = Town(Hashed(4), 4, chunk=16)
    for npc in range(1, 5):
        town.runner.submit(npc, request(npc, 0, 0, 1))
    town.run()
    shared = len(SHARED)
    cached = [town.ends()[npc]["result"]["cached_tokens"] for npc in range(1, 5)]
    assert cached == [0, shared, shared, shared], "also when all come at once"
    whole = sum(town.ends()[npc]["result"]["prompt_tokens"] for npc in range(1, 5))
    assert town.backend.computed == whole - 3 * shared


def test_a_warm_up_ends_when_anything_more_urgent_comes_and_what_it_did_is_kept() -> None:
    town = Town(Hashed(2), 2, chunk=10)
    town.runner.submit(1, request(1, 3, Priority.WARM, 0))
    for _ in range(4):
        town.runner.step()
    town.runner.submit(2, request(1, 3, Priority.PLAYER, 5))
    assert town.outcome(1)[0] == "cancelled"
    town.run()
    assert town.ends()[2]["result"]["cached_tokens"] == 40
    assert town.outcome(2) == alone(1, 3, 5)


def test_after_a_warm_up_only_the_tail_is_computed() -> None:
    town = Town(Hashed(2), 2, chunk=10)
    town.runner.submit(1, request(1, 3, Priority.WARM, 0))
    town.run()
    assert town.outcome(1)[:3] == ("warmed", "", ())
    town.runner.submit(2, request(1, 3, Priority.PLAYER, 5))
    town.runner.submit(3, request(1, 3, Priority.WARM, 0))
    town.run()
    ahead = town.ends()[1]["result"]["prompt_tokens"]
    assert town.ends()[2]["result"]["cached_tokens"] == ahead


def test_a_second_warm_up_of_the_same_costs_nothing() -> None:
    town = Town(Hashed(2), 2, chunk=10)
    for id in (1, 2):
        town.runner.submit(id, request(1, 3, Priority.WARM, 0))
        town.run()
    assert town.backend.computed == town.ends()[2]["result"]["cached_tokens"]
    assert town.outcome(2)[0] == "warmed"


@pytest.mark.parametrize(("slots", "npcs"), [(2, 7), (8, 64)])
def test_more_npcs_than_sequences_do_not_thrash(slots: int, npcs: int) -> None:
    """Each turn of each computes what its prompt has new, whoever spoke in between."""
    town = Town(Hashed(slots), slots, chunk=32, cache_bytes=10_000_000)
    id = 0
    for turn in range(3):
        for npc in range(npcs):
            id += 1
            town.runner.submit(id, request(npc, turn, 0, 4))
            town.run()
            result = town.ends()[id]["result"]
            if turn:
                assert result["prompt_tokens"] - result["cached_tokens"] <= len("We spoke. It is 0 o'clock. Well?")
    assert town.runner.stats()["states"] >= npcs - slots


def test_a_dropped_cache_holds_nothing_and_what_is_under_way_goes_on() -> None:
    town = Town(Hashed(2), 2, chunk=16, cache_bytes=100_000)
    for npc in range(1, 5):
        town.runner.submit(npc, request(npc, 1, 0, 3))
        town.run()
    town.runner.submit(5, request(1, 1, 0, 9))
    town.runner.step()
    town.runner.drop()
    assert town.runner.stats()["states"] == town.runner.stats()["shared_bytes"] == 0
    assert sorted(map(bool, town.backend.native)) == [False, True]
    town.run()
    assert town.outcome(5) == alone(1, 1, 9)
    assert town.backend.native == [[], []]
    town.runner.submit(6, request(1, 1, 0, 9))
    town.run()
    assert town.ends()[6]["result"]["cached_tokens"] == 0


def test_a_paused_reply_goes_on_bit_for_bit() -> None:
    town = Town(Hashed(1), 1, chunk=16, cache_bytes=100_000)
    town.runner.submit(1, request(1, 2, Priority.NPC, 30))
    for _ in range(12):
        town.runner.step()
    before = town.backend.computed
    town.runner.submit(2, request(2, 2, Priority.PLAYER, 30))
    town.run()
    assert town.outcome(1) == alone(1, 2, 30)
    assert town.outcome(2) == alone(2, 2, 30)
    again = town.backend.computed - before - len(town.outcome(2)[2]) - town.ends()[2]["result"]["prompt_tokens"]
    assert again < len(town.outcome(1)[2]), "its prompt was not read a second time"
