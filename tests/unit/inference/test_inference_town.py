"""Promise P4 in company: random schedules over the real model, and each reply compared with itself alone and cold."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from npc_memory.errors import EngineCrashed
from npc_memory.inference import Generation, GenerationRequest, GenerationResult, LlamaEngine, Priority, generate

pytestmark = pytest.mark.model

SHARED = "King Aldric is dead. The north bridge is burned. Nobody has come down from the mine since the feast. "
LINES = ("Traveller: Is the king well?\n", "Traveller: May I cross?\n", "Traveller: Who are you?\n")
NAMES = ("Marta", "Brann", "Élise", "Hale", "Olek", "Sera", "Довакин")
LONG = "Snow lies on the north road, and the wolves have come down as far as the mill. "


def request(npc: int, turn: int, priority: int = 0, ahead: bool = False) -> GenerationRequest:
    """One turn of one NPC: every second one has much to tell, every third sings a long song."""
    stable = f"{NAMES[npc]} keeps to the truth. " + LONG * (8 * (npc % 2)) + "".join(LINES[:turn])
    segments = [SHARED, stable, f"It is day {turn * 3 % 7}. {LINES[(npc + turn) % 3]}{NAMES[npc]}:"]
    return GenerationRequest(
        segments[:2] if ahead else segments,
        max_tokens=0 if ahead else 16 if npc % 3 == 0 else 5,
        seed=npc * 100 + turn,
        grammar='root ::= [a-zA-Z ,.\']+ "\\n"' if npc % 2 else None,
        conversation=NAMES[npc],
        shared=1,
        stable=2,
        priority=priority,
        hash_logits=True,
    )


@pytest.fixture(scope="module")
def cold(model_file: object, open_one: Callable[..., LlamaEngine]) -> Callable[[int, int], GenerationResult]:
    """What each reply is when nothing else was ever computed: one sequence, no cache, nothing in common before it."""
    engine = open_one(slots=1, cache_mb=0)
    known: dict[tuple[int, int], GenerationResult] = {}

    def one(npc: int, turn: int) -> GenerationResult:
        if (npc, turn) not in known:
            generate(engine, GenerationRequest(["Something quite different."], 1, 1))
            asked = request(npc, turn)
            plain = GenerationRequest(
                asked.segments, asked.max_tokens, asked.seed, grammar=asked.grammar, hash_logits=True
            )
            known[npc, turn] = generate(engine, plain)
            assert known[npc, turn].cached_tokens == 0
            assert len(known[npc, turn].logits_sha256) == 64
        return known[npc, turn]

    return one


@pytest.fixture(scope="module")
def open_one(engine: LlamaEngine, lent: Callable[..., LlamaEngine]) -> Iterator[Callable[..., LlamaEngine]]:
    opened: list[LlamaEngine] = []

    def one(**options: object) -> LlamaEngine:
        opened.append(lent(**options))
        return opened[-1]

    yield one
    for each in opened:
        each.close()


def play(engine: LlamaEngine, rng: random.Random, count: int, cold: Callable[[int, int], GenerationResult]) -> int:
    """Ask in any order, break off, kill the engine now and then; return how many replies were compared."""
    asked: list[tuple[int, int, Generation]] = []
    turns = dict.fromkeys(range(len(NAMES)), 0)
    compared = 0

    def settle(which: list[tuple[int, int, Generation]]) -> int:
        found = 0
        for npc, turn, generation in which:
            try:
                result = generation.result(timeout=300)
            except EngineCrashed:
                continue
            if generation.request.max_tokens == 0:
                assert result.finish in ("warmed", "cancelled")
            elif result.finish == "cancelled":
                expected = cold(npc, turn)
                assert result.tokens == expected.tokens[: len(result.tokens)]
                assert expected.text.startswith(result.text)
            else:
                assert result == cold(npc, turn)
                found += 1
        return found

    for _ in range(count):
        npc = rng.randrange(len(NAMES))
        turns[npc] = min(3, turns[npc] + rng.randint(0, 1))
        ahead = rng.random() < 0.2
        priority = Priority.WARM if ahead else rng.choice((Priority.NPC, Priority.PLAYER))
        asked.append((npc, turns[npc], engine.submit(request(npc, turns[npc], priority, ahead))))
        if rng.random() < 0.3:
            rng.choice(asked)[2].cancel()
        if rng.random() < 0.3:
            compared += settle([asked.pop(rng.randrange(len(asked)))])
        if rng.random() < 0.06 and engine.pid is not None:
            with suppress(ProcessLookupError):  # the one before is hardly buried
                os.kill(engine.pid, signal.SIGKILL)
    compared += settle(asked)
    # A slow machine loses most of what was open to the kills; these come after the last of them.
    return compared + settle([(npc, turn, engine.submit(request(npc, turn))) for npc, turn in turns.items()])


def test_a_busy_town_says_what_each_would_have_said_alone(
    open_one: Callable[..., LlamaEngine], cold: Callable[[int, int], GenerationResult]
) -> None:
    engine = open_one(slots=3, cache_mb=64)
    assert play(engine, random.Random(4), 16, cold) >= len(NAMES) - 3
    hits = engine.stats()["hits"]
    assert hits["sequence"] + hits["memory"] > 0
    assert hits["shared"] > 0


@pytest.mark.full
def test_a_conversation_comes_back_from_host_memory_bit_for_bit(
    open_one: Callable[..., LlamaEngine], cold: Callable[[int, int], GenerationResult]
) -> None:
    engine = open_one(slots=2, cache_mb=200)
    for turn in range(2):
        for npc in range(5):
            assert generate(engine, request(npc, turn)) == cold(npc, turn)
    assert engine.stats()["hits"]["memory"] == 2, "those with much to tell; the others have little to lose"
    assert engine.stats()["state_bytes"] > 0
    engine.drop_cache()
    assert engine.stats()["state_bytes"] == engine.stats()["shared_bytes"] == 0
    again = generate(engine, request(1, 1))
    assert again == cold(1, 1)
    assert again.cached_tokens == 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(6))
def test_many_schedules(
    seed: int, open_one: Callable[..., LlamaEngine], cold: Callable[[int, int], GenerationResult]
) -> None:
    """Restarts, few and many sequences, no and much host memory, one and two threads."""
    options = [(1, 64, 2), (2, 0, 1), (2, 24, 2), (3, 200, 1), (8, 200, 2), (5, 40, 1)][seed]
    engine = open_one(slots=options[0], cache_mb=options[1], n_threads=options[2])
    assert play(engine, random.Random(seed), 60, cold) >= len(NAMES) - 3
    engine.close()
