"""Who is next, and how much of whom: no model, no clock."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from npc_memory.inference import GenerationRequest, Priority
from npc_memory.inference.scheduler import Scheduler, Slice
from npc_memory.inference.sequence import Sequence


def sequence(
    id: int, prompt: int = 3, priority: int = 0, deadline: float | None = None, conversation: str = ""
) -> Sequence:
    request = GenerationRequest(["x"], 4, 1, priority=priority, deadline=deadline, conversation=conversation)
    return Sequence(id, request, tuple(range(prompt)), 0.0)


def added(*sequences: Sequence, max_running: int = 1, chunk: int = 128) -> Scheduler:
    scheduler = Scheduler(max_running=max_running, chunk=chunk)
    for one in sequences:
        scheduler.add(one)
    return scheduler


def ids(sequences: list[Sequence]) -> list[int]:
    return [one.id for one in sequences]


def compute(step: list[Slice]) -> None:
    """As if the model had: a complete slice is followed by a token."""
    for part in step:
        part.sequence.computed += len(part.tokens)
        if part.sample:
            part.sequence.output.append(7)


@given(st.lists(st.integers(-2, 2), max_size=20))
def test_priority_first_then_arrival(priorities: list[int]) -> None:
    scheduler = added(*(sequence(id, priority=priority) for id, priority in enumerate(priorities)))
    order = []
    while begun := scheduler.admit()[1]:
        order.append(begun[0].id)
        scheduler.remove(begun[0].id)
    assert order == sorted(range(len(priorities)), key=lambda id: (-priorities[id], id))
    assert len(scheduler) == 0


def test_who_asks_ten_times_does_not_hold_up_who_asks_once() -> None:
    scheduler = added(
        *(sequence(id, conversation="bard") for id in range(10)),
        sequence(10, conversation="smith"),
        sequence(11, conversation="guard"),
        sequence(12, conversation="smith"),
    )
    order = []
    while begun := scheduler.admit()[1]:
        order += ids(begun)
        scheduler.remove(begun[0].id)
    assert order == [0, 10, 11, 1, 12, *range(2, 10)]


def test_what_was_said_yesterday_costs_nobody_his_turn() -> None:
    scheduler = added(*(sequence(id, conversation="bard") for id in range(5)))
    while begun := scheduler.admit()[1]:
        scheduler.remove(begun[0].id)
    for id, name in ((5, "bard"), (6, "smith")):
        scheduler.add(sequence(id, conversation=name))
    assert ids(scheduler.admit()[1]) == [5]


def test_equals_do_not_interrupt_each_other() -> None:
    scheduler = added(sequence(1))
    scheduler.admit()
    scheduler.add(sequence(2))
    assert scheduler.admit() == ([], [])
    assert [part.sequence.id for part in scheduler.schedule()] == [1]


def test_a_more_urgent_one_takes_the_place_of_the_least_urgent_and_he_comes_back_first() -> None:
    player, npc, warm = sequence(1, priority=Priority.PLAYER), sequence(2), sequence(3, priority=Priority.WARM)
    scheduler = added(player, npc, warm, max_running=3)
    scheduler.admit()
    scheduler.add(sequence(4, priority=Priority.PLAYER))
    paused, begun = scheduler.admit()
    assert (ids(paused), ids(begun)) == ([3], [4])
    scheduler.add(sequence(5))
    scheduler.add(sequence(6, priority=Priority.PLAYER))
    paused, begun = scheduler.admit()
    assert (ids(paused), ids(begun)) == ([2], [6])
    scheduler.remove(1)
    assert ids(scheduler.admit()[1]) == [2]
    scheduler.remove(4)
    assert ids(scheduler.admit()[1]) == [5]


def test_one_that_is_not_ready_holds_nobody_up() -> None:
    scheduler = added(sequence(1), sequence(2), sequence(3), max_running=2)
    assert ids(scheduler.admit(lambda s: s.id != 1)[1]) == [2, 3]
    scheduler.remove(2)
    assert ids(scheduler.admit()[1]) == [1]


@given(st.integers(1, 40), st.integers(1, 10), st.integers(0, 40))
def test_chunks_cover_the_prompt_once_and_stop_at_the_mark(length: int, chunk: int, mark: int) -> None:
    one = sequence(1, prompt=length)
    one.mark = min(mark, length)
    scheduler = added(one, chunk=chunk)
    scheduler.admit()
    seen: list[int] = []
    ends = [0]
    while one.pending:
        (part,) = scheduler.schedule()
        assert part.start == len(seen)
        assert 1 <= len(part.tokens) <= chunk
        seen += part.tokens
        ends.append(len(seen))
        assert part.sample == (len(seen) == length)
        one.computed += len(part.tokens)
    assert seen == list(range(length))
    assert one.mark in ends


def test_who_speaks_goes_on_while_prompts_are_read() -> None:
    long, short, talking = sequence(1, 20), sequence(2, 3), sequence(3, 5)
    scheduler = added(long, short, talking, max_running=3, chunk=8)
    scheduler.admit()
    talking.computed, talking.output = 5, [42]
    step = scheduler.schedule()
    parts = [(part.sequence.id, part.start, part.tokens, part.sample) for part in step]
    assert parts == [(3, 5, (42,), True), (2, 0, (0, 1, 2), True), (1, 0, (0, 1, 2, 3, 4), False)]


def test_with_chunks_of_one_everybody_who_speaks_still_speaks() -> None:
    speakers = [sequence(id, 1) for id in range(4)]
    scheduler = added(*speakers, max_running=4, chunk=1)
    scheduler.admit()
    for _ in range(3):
        compute(scheduler.schedule())
    assert [len(one.output) for one in speakers] == [3, 3, 3, 3]


def test_a_players_prompt_is_read_before_others_and_background_rests_meanwhile() -> None:
    player, npc = sequence(1, 30, Priority.PLAYER), sequence(2, 30, Priority.NPC)
    warm, consolidation = sequence(3, 30, Priority.WARM), sequence(4, 30, Priority.CONSOLIDATION)
    scheduler = added(consolidation, warm, npc, player, max_running=4, chunk=20)
    scheduler.admit()
    order: list[int] = []
    for _ in range(12):
        step = scheduler.schedule()
        order += [part.sequence.id for part in step if len(part.tokens) > 1]
        compute(step)
        for one in (player, npc, warm, consolidation):
            if len(one.output) == 2:
                scheduler.remove(one.id)
                one.output.append(0)
    assert order == [1, 1, 2, 2, 3, 3, 4, 4]


@given(st.lists(st.tuples(st.integers(2, 60), st.integers(0, 3)), min_size=1, max_size=12))
def test_no_prompt_waits_for_ever_behind_shorter_ones(arrivals: list[tuple[int, int]]) -> None:
    """A prompt is through once as much has been read as it and those before it hold, whatever comes later."""
    scheduler = Scheduler(max_running=1000, chunk=10)
    first = sequence(0, 80)
    scheduler.add(first)
    owed = 80
    id = 0
    for steps in range(10_000):
        if steps < len(arrivals):
            length, copies = arrivals[steps]
            for _ in range(copies):
                id += 1
                scheduler.add(sequence(id, length))
        scheduler.admit()
        read = steps * 10
        compute(scheduler.schedule())
        for one in scheduler.running:
            if one.output:
                scheduler.remove(one.id)
        if first.output:
            # Overtaken only by those that would have been through before it: who came after 80 tokens never is.
            assert read <= owed + sum(length * copies for length, copies in arrivals[:9])
            return
    raise AssertionError("never read")


def test_expired_names_running_and_waiting_and_no_other() -> None:
    scheduler = added(sequence(1, deadline=5), sequence(2, deadline=1), sequence(3), sequence(4, deadline=9))
    scheduler.admit()
    assert ids(scheduler.expired(4.9)) == [2]
    assert ids(scheduler.expired(5.0)) == [1, 2]


@given(st.randoms(use_true_random=False))
def test_remove_frees_at_once_wherever_the_sequence_is(rng: random.Random) -> None:
    scheduler = Scheduler(max_running=2)
    alive = set()
    for id in range(30):
        scheduler.add(sequence(id, priority=rng.randint(0, 2), conversation=rng.choice(("", "a", "b"))))
        alive.add(id)
        if rng.random() < 0.5:
            gone = rng.choice(sorted(alive))
            removed = scheduler.remove(gone)
            assert removed is not None
            assert removed.id == gone
            alive.discard(gone)
        scheduler.admit()
        assert len(scheduler.running) == min(2, len(alive))
        assert {part.sequence.id for part in scheduler.schedule()} <= alive
        assert sorted(ids(scheduler.everyone())) == sorted(alive)
        urgency = {one.id: one.request.priority for one in scheduler.everyone()}
        running = ids(list(scheduler.running))
        waiting = [urgency[id] for id in urgency if id not in running]
        assert not waiting or max(waiting) <= min(urgency[id] for id in running)
    assert scheduler.remove(999) is None
