from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from npc_memory.inference import GenerationRequest
from npc_memory.inference.scheduler import Scheduler
from npc_memory.inference.sequence import Sequence


def sequence(
    id: int, prompt: int = 3, priority: int = 0, deadline: float | None = None, arrived: float = 0
) -> Sequence:
    request = GenerationRequest(["x"], 4, 1, priority=priority, deadline=deadline)
    return Sequence(id, request, tuple(range(prompt)), 0.0)


@given(st.lists(st.integers(-2, 2), max_size=20))
def test_priority_first_then_arrival(priorities: list[int]) -> None:
    scheduler = Scheduler()
    for id, priority in enumerate(priorities):
        scheduler.add(sequence(id, priority=priority))
    order = []
    while begun := scheduler.admit():
        order.append(begun[0].id)
        scheduler.remove(begun[0].id)
    assert order == sorted(range(len(priorities)), key=lambda id: (-priorities[id], id))
    assert len(scheduler) == 0


def test_a_running_sequence_is_not_interrupted() -> None:
    scheduler = Scheduler()
    scheduler.add(sequence(1))
    scheduler.admit()
    scheduler.add(sequence(2, priority=9))
    assert scheduler.admit() == []
    assert [part.sequence.id for part in scheduler.schedule()] == [1]


@given(st.integers(1, 40), st.integers(1, 10))
def test_chunks_cover_the_prompt_once_and_only_the_last_is_sampled(length: int, chunk: int) -> None:
    scheduler = Scheduler(chunk=chunk)
    one = sequence(1, prompt=length)
    scheduler.add(one)
    scheduler.admit()
    seen: list[int] = []
    while one.pending:
        (part,) = scheduler.schedule()
        assert part.start == len(seen)
        assert len(part.tokens) <= chunk
        seen += part.tokens
        assert part.sample == (len(seen) == length)
        one.computed += len(part.tokens)
    assert seen == list(range(length))


def test_one_step_shares_its_room_and_single_tokens_come_first() -> None:
    scheduler = Scheduler(max_running=3, chunk=8)
    long, short, talking = sequence(1, 20), sequence(2, 3), sequence(3, 5)
    talking.computed, talking.output = 5, [42]
    for one in (long, short, talking):
        scheduler.add(one)
    scheduler.admit()
    step = scheduler.schedule()
    assert [(part.sequence.id, len(part.tokens), part.sample) for part in step] == [(3, 1, True), (1, 7, False)]
    assert step[0].tokens == (42,)
    assert step[0].start == 5


def test_expired_names_running_and_waiting_and_no_other() -> None:
    scheduler = Scheduler()
    for one in (sequence(1, deadline=5), sequence(2, deadline=1), sequence(3), sequence(4, deadline=9)):
        scheduler.add(one)
    scheduler.admit()
    assert [s.id for s in scheduler.expired(4.9)] == [2]
    assert [s.id for s in scheduler.expired(5.0)] == [1, 2]


@given(st.randoms(use_true_random=False))
def test_remove_frees_at_once_wherever_the_sequence_is(rng: random.Random) -> None:
    scheduler = Scheduler(max_running=2)
    alive = set()
    for id in range(30):
        scheduler.add(sequence(id, priority=rng.randint(0, 2)))
        alive.add(id)
        if rng.random() < 0.5:
            gone = rng.choice(sorted(alive))
            removed = scheduler.remove(gone)
            assert removed is not None
            assert removed.id == gone
            alive.discard(gone)
        scheduler.admit()
        assert {part.sequence.id for part in scheduler.schedule()} <= alive
        assert len(scheduler) == len(alive)
    assert scheduler.remove(999) is None
