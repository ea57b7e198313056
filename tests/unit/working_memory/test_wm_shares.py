"""DESIGN, "Working memory", sentences 3 and 5: shares, the two passes, the order of episodes and beliefs."""

from __future__ import annotations

from typing import Any

import pytest
from wm_kit import Built, bare, belief_list, build, cost, episodes, filler, ids, snap, talk, total

from npc_memory import Belief, Episode, Snapshot, Turn

PLENTY = {
    "dialogue": talk(150, 30, answers=False),
    "episodes": episodes([0.5] * 100, 50),
    "beliefs": belief_list([0.5] * 100, 50),
}


def pressed(snapshot: Snapshot, free: int, **caps: Any) -> Built:
    """Build with exactly ``free`` left after the mandatory parts."""
    return build(snapshot, total(bare(snapshot)) + free, **caps)


@pytest.mark.parametrize("free", [1000, 1001, 1999, 5003])
@pytest.mark.parametrize("shares", [(0.60, 0.25, 0.15), (0.2, 0.3, 0.5), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
def test_3_three_hungry_sections_get_their_shares(free: int, shares: tuple[float, float, float]) -> None:
    snapshot = snap(**PLENTY)
    built = pressed(snapshot, free, shares=shares)
    spent = [
        cost(snapshot, dialogue=built.dialogue),
        cost(snapshot, episodes=built.episodes),
        cost(snapshot, beliefs=built.beliefs),
    ]
    biggest_item = 110  # heading, age, name and text of one item
    for got, share in zip(spent, shares, strict=True):
        assert got > share * free - biggest_item
    assert sum(spent) <= free
    assert free - sum(spent) < biggest_item


@pytest.mark.parametrize("section", ["dialogue", "episodes", "beliefs"])
def test_3_what_two_leave_goes_to_the_third(section: str) -> None:
    snapshot = snap(**{section: PLENTY[section]})
    built = pressed(snapshot, 1500)
    used = cost(snapshot, **{section: getattr(built, section)})
    assert 1500 - 110 < used <= 1500


def test_3_the_pool_goes_to_dialogue_first() -> None:
    snapshot = snap(dialogue=talk(60, 30), episodes=episodes([0.5] * 30, 50))  # no beliefs: their 15 % are the pool
    built = pressed(snapshot, 2000)
    assert cost(snapshot, dialogue=built.dialogue) > 0.6 * 2000
    assert cost(snapshot, episodes=built.episodes) <= 0.25 * 2000 + 100


def test_3_then_to_episodes_before_beliefs() -> None:
    snapshot = snap(episodes=episodes([0.5] * 60, 50), beliefs=belief_list([0.5] * 60, 50))
    built = pressed(snapshot, 2000)
    assert cost(snapshot, beliefs=built.beliefs) <= 0.15 * 2000 + 110
    assert cost(snapshot, episodes=built.episodes) > 0.8 * 2000 - 110


def test_3_a_first_pass_stops_at_the_first_that_exceeds_the_share() -> None:
    """e1 exceeds the share, so e2 waits for the pool although it would have fitted the share; the pool takes e1."""
    good = Episode("e0", "x" * 50, score=0.9)
    big = Episode("e1", "x" * 300, score=0.8)
    small = Episode("e2", "x" * 50, score=0.7)
    snapshot = snap(episodes=(good, big, small), beliefs=belief_list([0.5] * 60, 50))
    free = 4 * cost(snapshot, episodes=(good, small)) + 80
    assert cost(snapshot, episodes=(good, big)) > free // 4
    built = pressed(snapshot, free)
    assert {"e0", "e1"} <= set(built.report.kept)


def test_3_nothing_taken_is_given_back() -> None:
    """Beliefs taken in the first pass stay, though the pool would have paid for a better episode without them."""
    snapshot = snap(
        episodes=(Episode("big", "x" * 820, score=0.9),),
        beliefs=tuple(Belief(f"b{i}", "x" * 20, score=0.1) for i in range(40)),
    )
    built = pressed(snapshot, 1000)
    assert "big" not in built.report.kept or len(built.beliefs) > 0
    first_pass = cost(snapshot, beliefs=built.beliefs)
    assert first_pass > 150 - 60


def test_3_the_last_share_takes_the_remainder_of_the_floors() -> None:
    def per_item(text: str) -> int:
        return text.count("§")

    items: dict[str, Any] = {
        "dialogue": tuple(Turn(f"t{i:02}", "p1", "§") for i in range(40)),
        "episodes": tuple(Episode(f"e{i:02}", "§") for i in range(40)),
        "beliefs": tuple(Belief(f"b{i:02}", "§") for i in range(40)),
    }
    snapshot = snap(player_line="§", **items)
    for free in range(16, 60):
        built = build(snapshot, free + 1, per_item)
        want = (free * 60 // 100, free * 25 // 100)
        assert len(built.dialogue) == want[0]
        assert len(built.episodes) == want[1]
        assert len(built.beliefs) == free - sum(want)


def test_5_best_first_shown_in_time_order() -> None:
    snapshot = snap(episodes=episodes((0.1, 0.9, 0.3, 0.7, 0.5)))
    built = build(snapshot, episodes=3)
    assert ids(built.episodes) == ["e4", "e3", "e1"]  # e0 is the youngest, e4 the oldest
    places = [built.text.index(f"ep{i} ") for i in (4, 3, 1)]
    assert places == sorted(places)


def test_5_beliefs_best_first_shown_in_time_order() -> None:
    built = build(snap(beliefs=belief_list((0.1, 0.9, 0.3, 0.7, 0.5))), beliefs=3)
    assert ids(built.beliefs) == ["b1", "b3", "b4"]


def test_5_recency_is_no_tie_break_but_the_id_is() -> None:
    old = Episode("a", "x" * 50, score=0.5, game_time=1)
    new = Episode("b", "y" * 50, score=0.5, game_time=4000)
    assert ids(build(snap(episodes=(new, old)), episodes=1).episodes) == ["a"]


def test_5_in_the_second_pass_one_that_does_not_fit_is_skipped() -> None:
    snapshot = snap(
        episodes=(
            Episode("e0", filler(100), score=0.9),
            Episode("e1", filler(3000), score=0.8),
            Episode("e2", filler(100), score=0.7),
            Episode("e3", filler(100), score=0.6),
        )
    )
    built = pressed(snapshot, 800)
    assert {e.id for e in built.episodes} == {"e0", "e2", "e3"}
    assert built.dropped("budget") == ["e1"]


def test_5_beliefs_skip_too() -> None:
    snapshot = snap(
        beliefs=(
            Belief("b0", filler(3000), score=0.9),
            Belief("b1", filler(100), score=0.2),
            Belief("b2", filler(100), score=0.1),
        )
    )
    built = pressed(snapshot, 600)
    assert {b.id for b in built.beliefs} == {"b1", "b2"}


def test_5_a_good_big_one_is_not_crowded_out_by_poor_small_ones() -> None:
    big = Episode("big", filler(500), score=0.9)
    small = tuple(Episode(f"s{i}", filler(100), score=0.1) for i in range(5))
    snapshot = snap(episodes=(*small, big), dialogue=talk(1, 30))
    built = pressed(snapshot, 900)
    assert "big" in built.report.kept


def test_5_a_kept_memory_is_shown_with_its_age_in_game_time() -> None:
    twelve = Episode("e", "The roof was mended.", game_time=4310)
    assert "twelve days ago" in build(snap(episodes=(twelve,), game_time=4310 + 12 * 1440)).text


def test_5_the_age_is_a_segment_of_its_own() -> None:
    def texts(now: int) -> list[str]:
        return [str(s) for s in build(snap(episodes=(Episode("e", "Mended."),), game_time=now, time_text="T")).segments]

    one, other = texts(12 * 1440), texts(13 * 1440)
    assert len(one) == len(other)
    changed = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    assert len(changed) == 1
    assert "Mended." not in changed[0][0]
