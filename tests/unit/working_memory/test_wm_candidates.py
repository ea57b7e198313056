"""DESIGN, "Working memory", sentence 0: candidates, caps, duplicates; if all fit, everything is in, whole."""

from __future__ import annotations

import pytest
from wm_kit import NAMES, belief_list, build, episodes, example_lines, full_snapshot, ids, snap, talk, tasks, total

from npc_memory import Episode, Turn, WorkingMemoryBuilder


def test_0_the_newest_exchanges_are_candidates_and_the_others_dropped_as_cap() -> None:
    built = build(snap(dialogue=talk(6)), exchanges=4)
    assert ids(built.dialogue) == [t.id for t in talk(6)][4:]
    assert sorted(built.dropped("cap", "dialogue")) == ["a000", "a001", "q000", "q001"]
    assert not built.truncated


def test_0_the_best_episodes_and_beliefs_are_candidates() -> None:
    built = build(
        snap(episodes=episodes((0.1, 0.9, 0.5, 0.7)), beliefs=belief_list((0.2, 0.4, 0.3))), episodes=2, beliefs=1
    )
    assert {e.id for e in built.episodes} == {"e1", "e3"}
    assert ids(built.beliefs) == ["b1"]
    assert sorted(built.dropped("cap")) == ["b0", "b2", "e0", "e2"]
    assert not built.truncated


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_0_a_cap_counts_candidates_and_none_lifts_it(cap: int) -> None:
    snapshot = full_snapshot()
    built = build(snapshot, exchanges=cap, episodes=cap, beliefs=cap)
    assert len([t for t in built.dialogue if t.speaker == "p1"]) == cap
    assert len(built.episodes) == cap
    assert len(built.beliefs) == cap
    assert build(snapshot).report.dropped == ()


def test_0_duplicate_when_all_its_turns_are_among_the_candidate_exchanges() -> None:
    told = Episode("told", "We spoke.", score=0.9, turns=("q002", "a002"))
    half = Episode("half", "We spoke before.", score=0.8, turns=("q000", "q002"))
    none = Episode("none", "It rained.", score=0.7)
    built = build(snap(dialogue=talk(3), episodes=(told, half, none)), exchanges=2)
    assert built.dropped("duplicate") == ["told"]
    assert {e.id for e in built.episodes} == {"half", "none"}
    assert not built.truncated


def test_0_duplicates_do_not_use_up_the_cap() -> None:
    twice = tuple(Episode(f"d{i}", "We spoke.", score=0.9, turns=(f"q00{i}",)) for i in range(3))
    built = build(snap(dialogue=talk(3), episodes=twice + episodes((0.3, 0.2, 0.1))), episodes=2)
    assert {e.id for e in built.episodes} == {"e0", "e1"}
    assert sorted(built.dropped("duplicate")) == ["d0", "d1", "d2"]
    assert built.dropped("cap") == ["e2"]


def test_0_an_exchange_beyond_the_cap_makes_no_duplicate() -> None:
    old = Episode("old", "We spoke long ago.", score=0.5, turns=("q000", "a000"))
    built = build(snap(dialogue=talk(4), episodes=(old,)), exchanges=3)
    assert ids(built.episodes) == ["old"]


def test_0_a_candidate_dropped_for_budget_still_makes_a_duplicate() -> None:
    """Those exchanges are the candidates, whether or not they fit in the end."""
    old = Episode("old", "We spoke.", score=0.5, turns=("q000",))
    snapshot = snap(dialogue=talk(10, 100), episodes=(old,))
    built = build(snapshot, total(snapshot) // 2)
    assert "q000" in built.dropped("budget")
    assert built.dropped("duplicate") == ["old"]


def test_0_if_all_candidates_fit_everything_is_in_whole() -> None:
    snapshot = full_snapshot(dialogue=(), examples=example_lines(2, 300), tasks=tasks(9, 300), player_line="w" * 3000)
    needed = total(snapshot)
    built = build(snapshot, needed)
    assert built.report.total == needed
    assert built.report.dropped == ()
    assert built.report.shortened == ()
    assert not built.truncated
    assert "w" * 3000 in built.text


@pytest.mark.parametrize("section", ["dialogue", "episodes", "beliefs", "tasks"])
def test_0_one_section_alone_may_fill_the_whole_budget(section: str) -> None:
    items = {
        "dialogue": talk(12),
        "episodes": episodes((0.5,) * 12),
        "beliefs": belief_list((0.5,) * 12),
        "tasks": tasks(12),
    }[section]
    snapshot = snap(**{section: items})
    assert build(snapshot, total(snapshot)).report.dropped == ()
    assert build(snapshot, total(snapshot) - 1).truncated


def test_0_what_caps_leave_out_does_not_bring_the_percentages_in() -> None:
    snapshot = full_snapshot(episodes=episodes([0.5] * 40, 300), player_line="w" * 900, tasks=tasks(8, 100))
    needed = build(snapshot, episodes=2).report.total
    built = build(snapshot, needed, episodes=2)
    assert not built.truncated
    assert "w" * 900 in built.text
    assert {d.reason for d in built.report.dropped} == {"cap"}


def test_0_everything_offered_is_kept_or_dropped_with_a_cost() -> None:
    snapshot = full_snapshot()
    built = build(snapshot, 900, exchanges=3, episodes=3, beliefs=2)
    texts = {i.id: i.text for i in (*snapshot.dialogue, *snapshot.episodes, *snapshot.beliefs, *snapshot.tasks)}
    assert built.report.dropped
    for drop in built.report.dropped:
        assert (drop.id, drop.section, drop.reason, drop.cost) == tuple(drop)
        assert drop.section in {"dialogue", "episodes", "beliefs", "agenda", "examples"}
        assert drop.reason in {"budget", "cap", "duplicate"}
        assert isinstance(drop.cost, int)
        if drop.id in texts:
            assert drop.cost >= len(texts[drop.id])


@pytest.mark.parametrize("section", ["episodes", "beliefs"])
@pytest.mark.parametrize("reason", ["cap", "budget"])
def test_0_the_cost_of_a_dropped_item_is_what_it_would_have_added(section: str, reason: str) -> None:
    make = episodes if section == "episodes" else belief_list
    both, best = make((0.9, 0.1), 90), make((0.9, 0.1), 90)[:1]
    with_both, with_best = total(snap(**{section: both})), total(snap(**{section: best}))
    limit, cap = (with_both, 1) if reason == "cap" else (with_both - 1, None)
    built = build(snap(**{section: both}), limit, **{section: cap})
    (drop,) = built.report.dropped
    assert (drop.id, drop.section, drop.reason) == (both[1].id, section, reason)
    assert drop.cost == with_both - with_best


def test_0_the_cost_of_a_duplicate_is_what_it_would_have_added() -> None:
    told = Episode("told", "We spoke of the king.", score=0.9, turns=("q000",), game_time=4310)
    for others in ((), episodes((0.5,))):
        snapshot = snap(dialogue=talk(1), episodes=(told, *others))
        (drop,) = build(snapshot).report.dropped
        fresh = Episode("told", told.text, score=0.9, game_time=4310)
        with_it = total(snap(dialogue=talk(1), episodes=(fresh, *others)))
        assert drop.cost == with_it - build(snapshot).report.total


def test_0_the_cost_of_a_dropped_exchange_is_spread_over_its_turns() -> None:
    snapshot = snap(dialogue=talk(3, 70), names=NAMES)
    added = total(snapshot) - total(snap(dialogue=talk(3, 70)[2:], names=NAMES))
    built = build(snapshot, total(snapshot) - 1)
    assert sorted(built.dropped("budget")) == ["a000", "q000"]
    assert sum(drop.cost for drop in built.report.dropped) == added


def test_caps_of_the_default_policy_are_the_ones_in_the_text() -> None:
    from npc_memory import BudgetPolicy

    made = BudgetPolicy(limit=HUGE_ENOUGH, unit="characters", max_exchanges=5, max_episodes=5, max_beliefs=3)
    with WorkingMemoryBuilder(made).build(
        snap(dialogue=talk(9), episodes=episodes([0.5] * 9), beliefs=belief_list([0.5] * 9))
    ) as memory:
        assert (len(memory.dialogue), len(memory.episodes), len(memory.beliefs)) == (10, 5, 3)


HUGE_ENOUGH = 50_000


def test_an_overheard_line_of_a_third_speaker_starts_an_exchange() -> None:
    turns = (
        Turn("t1", "guard", "Closed tonight.", addressee="marta"),
        Turn("t2", "p1", "A room, please."),
        Turn("t3", "marta", "Two silver."),
    )
    built = build(snap(dialogue=turns), exchanges=1)
    assert ids(built.dialogue) == ["t2", "t3"]
    assert built.dropped("cap") == ["t1"]
