"""A builder remembers costs between builds, and nothing that shows (P3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wm_kit import build, count_all, open_up, policy, rest, snap, utf8, words

from npc_memory import Belief, Episode, Snapshot, StateEntry, Turn, WorkingMemoryBuilder
from npc_memory.errors import MandatoryOverflow
from npc_memory.prompt import DEFAULT_WORDING, ChatFormat, PromptTemplate


def test_p3_equal_texts_of_different_items_do_not_share_more_than_their_cost() -> None:
    """The same words at another time, by another speaker, in another section."""
    builder = WorkingMemoryBuilder(policy())
    for make in (
        lambda: snap(episodes=(Episode("e", "Rain.", game_time=4310),)),
        lambda: snap(episodes=(Episode("e", "Rain.", game_time=10),)),
        lambda: snap(beliefs=(Belief("e", "Rain."),)),
        lambda: snap(dialogue=(Turn("e", "p1", "Rain."),)),
        lambda: snap(dialogue=(Turn("e", "marta", "Rain."),)),
        lambda: snap(dialogue=(Turn("e", "p1", "Rain."),), names={"p1": "Wolf"}),
    ):
        assert open_up(builder.build(make())) == build(make())


def test_p3_a_builder_survives_an_overflow_and_a_failing_counter() -> None:
    """A prompt that was too long once: the next one works. A counter that raises leaves nothing half done."""
    fail = [False]

    def counter(text: str) -> int:
        if fail[0]:
            raise ConnectionError("the tokenizer went away")
        return len(text)

    builder = WorkingMemoryBuilder(policy(900, counter), counter=counter)
    good = snap(episodes=(Episode("e", "Rain."),))
    expected = build(good, 900, counter)
    with pytest.raises(MandatoryOverflow):
        builder.build(snap(persona="x" * 1000))
    assert open_up(builder.build(good)) == expected
    fail[0] = True
    with pytest.raises(ConnectionError):
        builder.build(snap(persona="Another.", episodes=(Episode("n", "New."),)))
    fail[0] = False
    assert open_up(builder.build(good)) == expected


@pytest.mark.parametrize("values", [(True, 1), (1, True), (False, 0), (0, False)])
def test_p3_a_builder_tells_values_apart_that_python_calls_equal(values: tuple[int, int]) -> None:
    """``True == 1`` and both hash alike, so a memory of costs keyed by items would mix them up."""
    builder = WorkingMemoryBuilder(policy())
    for value in values:
        snapshot = snap(world_state=(StateEntry("k", value),))
        shown = str(value).lower()
        assert f"k: {shown}\n" in open_up(builder.build(snapshot)).text


def test_p3_remembered_costs_follow_age_and_confidence() -> None:
    """An age is part of a memory's cost and changes as time goes by, with the text remembered or not."""

    def offer(now: int) -> Snapshot:
        lived = tuple(Episode(f"e{i}", f"It rained on day {i}.", score=0.5, game_time=i * 700) for i in range(9))
        held = tuple(Belief(f"b{i}", "It rains.", confidence=(i + now // 700) % 5 / 4, score=0.5) for i in range(5))
        return snap(episodes=lived, beliefs=held, game_time=now)

    doubting = PromptTemplate(wording=replace(DEFAULT_WORDING, doubt="Perhaps, but only perhaps: "))
    for counter in (None, words, utf8):
        needed = rest(offer(0), counter) + 40
        for limit in (needed + 60, needed + 100, needed + 150):
            used = WorkingMemoryBuilder(policy(limit, counter), counter, doubting)
            for now in (0, 700, 5600, 4900, 90_000, 600_000, 0, 6300, 12_600):
                assert open_up(used.build(offer(now))) == build(offer(now), limit, counter, template=doubting)


def test_p3_control_pieces_and_equal_texts_are_counted_apart() -> None:
    """A counter that knows control pieces: as one of them "user" costs 1, as a text its length."""

    def counter(text: str) -> int:
        return 1 if getattr(text, "control", False) else len(text)

    form = ChatFormat(open="user\n", to_user="next\n", to_reply="", to_next="", generate="go\n")
    builder = WorkingMemoryBuilder(policy(10_000, counter), counter, PromptTemplate(chat=form))
    for persona in ("user", "other", "next"):
        built = open_up(builder.build(snap(persona=persona)))
        assert built.report.total == count_all(built, counter)
