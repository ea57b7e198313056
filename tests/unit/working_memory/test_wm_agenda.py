"""DESIGN, "Working memory", sentence 2: agenda and examples."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wm_kit import (
    Built,
    bare,
    belief_list,
    build,
    cost,
    episodes,
    example_lines,
    full_snapshot,
    ids,
    snap,
    talk,
    tasks,
    total,
)

from npc_memory import AgendaItem, Snapshot


def pressed(snapshot: Snapshot, free: int) -> Built:
    """Build with exactly ``free`` left after the mandatory parts."""
    return build(snapshot, total(bare(snapshot)) + free)


def test_2_agenda_takes_at_most_fifteen_percent_of_free() -> None:
    snapshot = snap(tasks=tasks(40), dialogue=talk(60))
    for free in (400, 1000, 1001, 2500):
        built = pressed(snapshot, free)
        kept = tuple(t for t in snapshot.tasks if t.id in built.report.kept)
        assert cost(snapshot, tasks=kept) <= free * 15 // 100
        more = snapshot.tasks[: len(kept) + 1]
        assert cost(snapshot, tasks=more) > free * 15 // 100, "as many as fit"


def test_2_agenda_boundary_is_exact() -> None:
    snapshot = snap(tasks=tasks(1, 30), dialogue=talk(60))
    needed = cost(snapshot, tasks=snapshot.tasks)
    free = -(-needed * 100 // 15)
    assert free * 15 // 100 == needed
    assert ids(pressed(snapshot, free).agenda) == ["k000"]
    assert pressed(snapshot, free - 1).dropped("budget", "agenda") == ["k000"]


def test_2_pinned_go_before_tasks_and_tasks_before_notes_whatever_their_scores() -> None:
    snapshot = snap(
        pinned=(AgendaItem("p", "x" * 30, score=-5),),
        tasks=(AgendaItem("t", "x" * 30, score=0),),
        notes=(AgendaItem("n", "x" * 30, score=9),),
        dialogue=talk(90),
    )
    order: list[list[str]] = []
    for free in range(100, 1600, 20):
        kept = ids(pressed(snapshot, free).agenda)
        if not order or order[-1] != kept:
            order.append(kept)
    assert order == [[], ["p"], ["p", "t"], ["p", "t", "n"]]


@pytest.mark.parametrize("name", ["pinned", "tasks", "notes"])
def test_2_best_first_within_each_ties_by_id(name: str) -> None:
    items = (
        AgendaItem("c", "x" * 40, score=0.5),
        AgendaItem("d", "x" * 40, score=0.9),
        AgendaItem("b", "x" * 40, score=0.5),
        AgendaItem("a", "x" * 40, score=0.1),
    )
    snapshot = snap(**{name: items, "dialogue": talk(90)})
    order: list[str] = []
    for free in range(100, 3000, 20):
        order += [i for i in ids(pressed(snapshot, free).agenda) if i not in order]
    assert order == ["d", "b", "c", "a"]


def test_2_dropped_agenda_is_reported_and_truncates() -> None:
    built = pressed(snap(tasks=tasks(40), dialogue=talk(60)), 1000)
    assert set(built.dropped("budget", "agenda")) | set(ids(built.agenda)) == {f"k{i:03}" for i in range(40)}
    assert built.truncated


def test_2_examples_only_while_there_is_no_dialogue() -> None:
    with_talk = build(snap(dialogue=talk(1), examples=example_lines(2)))
    assert sorted(with_talk.dropped("cap", "examples")) == ["x0", "x1"]
    assert "exq0" not in with_talk.text
    assert not with_talk.truncated
    without = build(snap(examples=example_lines(2)))
    assert {"x0", "x1"} <= set(without.report.kept)
    assert "exq0" in without.text
    assert "exa1" in without.text


def test_2_examples_go_first() -> None:
    snapshot = full_snapshot(dialogue=(), examples=example_lines(3))
    needed = total(replace(snapshot, examples=()))
    for extra in (0, 20, 40, 60, 80):
        built = build(snapshot, needed + extra)
        assert set(built.dropped("budget")) <= {"x0", "x1", "x2"}
        assert built.report.shortened == ()


def test_2_examples_take_at_most_a_tenth_of_free_unless_all_fits() -> None:
    snapshot = snap(examples=example_lines(40), episodes=episodes((0.5, 0.4)))
    needed = total(replace(snapshot, examples=()))
    free = needed + 1500 - total(bare(snapshot))
    built = build(snapshot, needed + 1500)
    kept = tuple(x for x in snapshot.examples if x.id in built.report.kept)
    assert 0 < cost(snapshot, examples=kept) <= free // 10
    assert build(snapshot, total(snapshot)).report.dropped == ()


def test_2_the_tenth_is_exact() -> None:
    snapshot = snap(examples=example_lines(20), episodes=episodes((0.5,)))
    one = cost(snapshot, examples=snapshot.examples[:1])
    others = total(replace(snapshot, examples=())) - total(bare(snapshot))
    for free, kept in ((10 * one - 1, 0), (10 * one, 1)):
        assert others + one <= free < others + 19 * one
        built = pressed(snapshot, free)
        assert len([i for i in built.report.kept if i.startswith("x")]) == kept


def test_2_no_example_as_long_as_anything_else_is_dropped_for_budget() -> None:
    snapshot = full_snapshot(dialogue=(), examples=example_lines(2, 5), episodes=episodes([0.5] * 12))
    whole = total(replace(snapshot, examples=()))
    for limit in range(whole - 400, whole + 120, 7):
        built = build(snapshot, limit)
        if set(built.dropped("budget")) - {"x0", "x1"} or built.report.shortened:
            assert not {"x0", "x1"} & set(built.report.kept)
            assert sorted(built.dropped("budget", "examples")) == ["x0", "x1"]


def test_2_no_example_as_long_as_the_line_is_shortened() -> None:
    snapshot = snap(player_line="w" * 2000, examples=example_lines(1, 5), beliefs=belief_list((0.5,)))
    built = build(snapshot, 1500)
    assert built.report.shortened == ("player_line",)
    assert built.dropped("budget", "examples") == ["x0"]


def test_2_examples_never_cost_anything_else_its_place() -> None:
    with_examples = full_snapshot(dialogue=(), examples=example_lines(4, 60), tasks=tasks(8), player_line="w" * 300)
    without = replace(with_examples, examples=())
    whole = total(without)
    for limit in range(whole - 500, whole + 300, 23):
        one, other = build(with_examples, limit), build(without, limit)
        assert {k for k in one.report.kept if not k.startswith("x")} == set(other.report.kept), limit
        assert one.report.shortened == other.report.shortened


def test_2_agenda_comes_off_free_before_the_shares() -> None:
    """With an agenda of about 15 %, dialogue's 60 % are 60 % of the remaining 85 %."""
    plenty = {"dialogue": talk(200), "episodes": episodes([0.5] * 90), "beliefs": belief_list([0.5] * 90)}
    snapshot = snap(tasks=tasks(60, 20), **plenty)
    free = 4000
    built = pressed(snapshot, free)
    remaining = free - cost(snapshot, tasks=tuple(t for t in snapshot.tasks if t.id in built.report.kept))
    assert remaining < 0.9 * free
    assert abs(cost(snapshot, dialogue=built.dialogue) - 0.6 * remaining) < 150
