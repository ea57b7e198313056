"""The working-memory cases, by number. 14 is in ``test_wm_bytes``, 16 in ``test_wm_tokenizers``, 17 in
``test_wm_cases_texts``; 27 and 28 belong to the store and the world pack. Many neighbours stand with their sentence
(``test_wm_shares`` and the others).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from wm_kit import (
    Built,
    bare,
    belief_list,
    build,
    cost,
    episodes,
    example_lines,
    filler,
    full_snapshot,
    ids,
    policy,
    rest,
    snap,
    talk,
    tasks,
    total,
)

from npc_memory import AgendaItem, Belief, Episode, Fact, Rule, Snapshot, Turn, WorkingMemoryBuilder
from npc_memory.errors import DuplicateId, MandatoryOverflow


def pressed(snapshot: Snapshot, free: int, **caps: Any) -> Built:
    """Build with exactly ``free`` left after the mandatory parts."""
    return build(snapshot, total(bare(snapshot)) + free, **caps)


def test_case_01_facts_bigger_than_the_limit() -> None:
    facts = tuple(Fact(f"f{i}", filler(20, f"fact{i}")) for i in range(10))
    with pytest.raises(MandatoryOverflow) as caught:
        build(snap(canonical_facts=facts), 100)
    assert caught.value.limit == 100
    assert max(caught.value.parts.values()) >= 200
    assert len(caught.value.parts) >= 2


@pytest.mark.parametrize("section", ["dialogue", "episodes", "beliefs"])
def test_case_02_exactly_at_the_limit_and_one_over(section: str) -> None:
    short = {
        "dialogue": (Turn("q", "p1", "Hm."),),
        "episodes": (Episode("e", "Hm."),),
        "beliefs": (Belief("b", "Hm."),),
    }
    snapshot = full_snapshot(**{section: short[section]}, player_line="Hi.")
    exact = total(snapshot)
    whole = build(snapshot, exact)
    assert (whole.report.total, whole.report.dropped, whole.truncated) == (exact, (), False)
    roomy = build(snapshot, exact + 1)
    assert roomy.text == whole.text


@pytest.mark.parametrize("section", ["episodes", "beliefs"])
def test_case_02_the_only_optional_line_goes_only_if_it_does_not_fit(section: str) -> None:
    item: Any = Episode("e", filler(80)) if section == "episodes" else Belief("e", filler(80))
    snapshot = bare(full_snapshot(), **{section: (item,)})
    exact = total(snapshot)
    assert "e" in build(snapshot, exact).report.kept
    over = build(snapshot, exact - 1)
    assert over.dropped("budget") == ["e"]
    assert over.text == build(bare(snapshot)).text


@pytest.mark.parametrize("headings", [False, True])
def test_case_03_sixty_twenty_five_fifteen(headings: bool) -> None:
    """1,000 free, items of 10 each: in characters, where headings cost, and by a counter that gives them free."""

    def free_headings(text: str) -> int:
        return 10 * text.count("§")

    def offer(section: str, make: Any) -> tuple[Any, ...]:
        one, two = (cost(snap(), **{section: tuple(make(i, "§") for i in range(n))}) for n in (1, 2))
        text = "§".ljust(10 - (two - one) + 1, "x") if headings else "§"
        return tuple(make(i, text) for i in range(120))

    snapshot = snap(
        player_line="Hm?" if headings else "§",
        dialogue=offer("dialogue", lambda i, text: Turn(f"t{i:03}", "p1", text)),
        episodes=offer("episodes", lambda i, text: Episode(f"e{i:03}", text, score=i / 200, game_time=4310)),
        beliefs=offer("beliefs", lambda i, text: Belief(f"b{i:03}", text, score=i / 200, game_time=4310)),
    )
    counter = None if headings else free_headings
    built = build(snapshot, total(bare(snapshot), counter) + 1000, counter)
    assert 58 <= len(built.dialogue) <= 60
    assert 24 <= len(built.episodes) <= 25
    assert 14 <= len(built.beliefs) <= 15
    assert built.report.total <= built.report.limit


@pytest.mark.parametrize("section", ["dialogue", "episodes", "beliefs"])
def test_case_04_one_section_alone_may_use_all_that_is_free(section: str) -> None:
    items = {
        "dialogue": talk(50, 30, answers=False),
        "episodes": episodes([0.5] * 50),
        "beliefs": belief_list([0.5] * 50),
    }
    snapshot = snap(**{section: items[section]})
    built = pressed(snapshot, 1000)
    assert cost(snapshot, **{section: getattr(built, section)}) > 1000 - 90


def test_case_05_five_episodes_alone() -> None:
    five = tuple(Episode(f"e{i}", filler(300, f"ep{i}"), score=0.5 - i / 10) for i in range(5))
    snapshot = snap(persona="You are Marta.", player_line="Hi.", game_time=0, episodes=five)
    built = build(snapshot, 1000, exchanges=5, episodes=5, beliefs=3)
    assert ids(built.episodes) == ["e0", "e1", "e2"]


def test_case_05_with_ages() -> None:
    snapshot = snap(persona="Marta.", player_line="Hi.", episodes=episodes([0.5] * 5, 280), game_time=9000)
    assert len(build(snapshot, 1000).episodes) == 3


def test_case_06_ranked_with_room_for_two() -> None:
    ranked = tuple(
        Episode(f"e{s}", filler(80, f"s{s}"), score=s, game_time=t)
        for s, t in ((0.9, 4000), (0.7, 1000), (0.5, 4100), (0.3, 10), (0.1, 4300))
    )
    snapshot = snap(episodes=ranked)
    room = cost(snapshot, episodes=ranked[:2])
    built = pressed(snapshot, room + 20)
    assert ids(built.episodes) == ["e0.7", "e0.9"]
    assert built.text.index("s0.7") < built.text.index("s0.9")


def test_case_07_a_newest_turn_of_1300_characters_is_kept_whole_if_it_fits() -> None:
    newest = Turn("new", "p1", filler(1300, "news"))
    snapshot = snap(dialogue=(*talk(2), newest), episodes=episodes([0.5] * 2), beliefs=belief_list([0.5]))
    built = build(snapshot, 2000, exchanges=5, episodes=5, beliefs=3)
    assert newest.text in built.text
    assert built.report.shortened == ()


def test_case_07_otherwise_it_is_shortened_with_a_marker() -> None:
    newest = Turn("new", "p1", filler(1950, "news"))
    snapshot = snap(dialogue=(*talk(2), newest), episodes=episodes([0.5] * 9), beliefs=belief_list([0.5]))
    built = build(snapshot, 2000, exchanges=5, episodes=5, beliefs=3)
    assert ids(built.dialogue) == ["new"]
    assert built.report.shortened == ("new",)
    assert " … " in built.dialogue[0].text
    assert built.dialogue[0].text in built.text


def test_case_08_twenty_turns_room_for_six_lines() -> None:
    snapshot = snap(dialogue=talk(10))
    built = pressed(snapshot, cost(snapshot, dialogue=snapshot.dialogue[-6:]) + 30)
    assert ids(built.dialogue) == ["q007", "a007", "q008", "a008", "q009", "a009"]
    for room in range(60, 900, 13):
        kept = ids(pressed(snapshot, room).dialogue)
        assert all(f"q{i[1:]}" in kept for i in kept if i.startswith("a"))


def test_case_09_a_too_big_episode_is_skipped_and_both_small_ones_are_in() -> None:
    snapshot = snap(
        dialogue=talk(1, 20),
        episodes=(
            Episode("huge", filler(900), score=0.9),
            Episode("s1", filler(60), score=0.5),
            Episode("s2", filler(60), score=0.4),
        ),
    )
    built = pressed(snapshot, 500)
    assert {e.id for e in built.episodes} == {"s1", "s2"}
    assert built.dropped("budget") == ["huge"]


def test_case_09_a_good_big_one_is_not_crowded_out() -> None:
    snapshot = snap(
        dialogue=talk(1, 20),
        episodes=(Episode("big", filler(600), score=0.9), *episodes((0.2,) * 5, 60)),
    )
    assert "big" in pressed(snapshot, 800).report.kept


def test_case_10_examples_are_costed_and_dropped_first() -> None:
    snapshot = full_snapshot(dialogue=(), examples=example_lines(4, 100))
    without = total(replace(snapshot, examples=()))
    assert total(snapshot) - without >= 800
    for limit in (without, without + 100, without + 799, total(snapshot)):
        built = build(snapshot, limit)
        assert built.report.total <= limit
        assert {d[0] for d in built.dropped("budget")} <= {"x"}


def test_case_11_rules_cost_what_they_cost() -> None:
    snapshot = snap(rules=(Rule("r", filler(501, "rule")),))
    built = build(snapshot)
    assert filler(501, "rule") in built.text
    assert built.report.total == len(built.text)


def test_case_12_a_duplicate_is_no_truncation() -> None:
    told = Episode("told", "We spoke.", turns=("q000", "a000"))
    built = build(snap(dialogue=talk(1), episodes=(told,)))
    assert built.dropped("duplicate", "episodes") == ["told"]
    assert not built.truncated
    assert "We spoke." not in built.text


def test_case_13_a_player_line_of_fifty_thousand_characters() -> None:
    snapshot = full_snapshot(player_line=filler(50_000, "speech"))
    built = build(snapshot, 2000, exchanges=5, episodes=5, beliefs=3)
    assert built.report.shortened == ("player_line",)
    assert built.report.mandatory - rest(snapshot) <= (2000 - rest(snapshot)) // 4
    assert built.report.mandatory - rest(snapshot) > (2000 - rest(snapshot)) // 4 - 3, "as long as fits"
    for fact in snapshot.canonical_facts:
        assert fact.text in built.text
    for entry in snapshot.world_state:
        assert entry.words() in built.text
    assert built.episodes
    assert built.beliefs
    assert built.dialogue


def test_case_15_the_order_of_the_offer_does_not_matter() -> None:
    snapshot = full_snapshot(notes=tuple(AgendaItem(f"n{i}", f"Note {i}.", score=0.5) for i in range(5)))
    turned = replace(
        snapshot,
        **{
            name: getattr(snapshot, name)[::-1]
            for name in ("canonical_facts", "world_state", "pinned", "tasks", "notes", "episodes", "beliefs")
        },
    )
    for limit in (10**6, 1300, 1000, 800):
        assert build(snapshot, limit).text == build(turned, limit).text
        assert build(snapshot, limit).report == build(turned, limit).report


def test_case_18_no_facts_at_all() -> None:
    built = build(snap())
    assert built.facts == ()
    assert "Facts" not in built.text


def test_case_18_a_section_emptied_by_the_budget_has_no_heading() -> None:
    snapshot = snap(episodes=(Episode("e", filler(500)),), beliefs=(Belief("b", filler(500)),))
    assert pressed(snapshot, 100).text == build(bare(snapshot)).text


def test_case_19_kept_and_dropped_are_what_was_offered() -> None:
    snapshot = snap(episodes=tuple(Episode(f"e{i}", "x" * 20, score=i / 20) for i in range(20)))
    built = build(snapshot, 5000, episodes=5)
    assert len(built.dropped("cap")) == 15
    assert len(set(built.dropped("cap"))) == 15
    assert not built.truncated
    assert sorted(built.dropped() + list(built.report.kept)) == sorted(ids(snapshot.episodes))


def test_case_20_a_builder_does_not_change_a_built_memory() -> None:
    builder = WorkingMemoryBuilder(policy(1500))
    with builder.build(full_snapshot()) as first:
        text, report, segments = first.text(), first.report, first.segments
        with builder.build(full_snapshot(player_line="Else.", dialogue=(), episodes=())) as second:
            assert second.text() != text
            assert first.text() == text
        assert (first.text(), first.report, first.segments) == (text, report, segments)


def test_case_21_a_snapshot_is_frozen() -> None:
    facts, names = [Fact("f", "One.")], {"p1": "Wolf"}
    snapshot = snap(canonical_facts=facts, names=names)
    before = build(snapshot).text
    facts.append(Fact("g", "Two."))
    names["p1"] = "Bear"
    assert build(snapshot).text == before
    with pytest.raises(AttributeError):
        snapshot.persona = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        snapshot.canonical_facts[0].text = "x"  # type: ignore[misc]


def test_case_22_everything_tied() -> None:
    snapshot = snap(
        episodes=tuple(Episode(i, "x" * 30, score=0.5) for i in ("d", "b", "a", "c")),
        beliefs=tuple(Belief(i, "x" * 30, score=0.5) for i in ("d", "b", "a", "c")),
        tasks=tuple(AgendaItem(i, "x" * 30, score=0.5) for i in ("z", "y", "x")),
    )
    built = build(snapshot, episodes=2, beliefs=2)
    assert ids(built.episodes) == ["a", "b"]
    assert ids(built.beliefs) == ["a", "b"]
    assert ids(built.agenda) == ["x", "y", "z"]


@pytest.mark.parametrize("ahead", [1, 60, 10**6])
def test_case_23_a_record_from_the_future_has_age_zero(ahead: int) -> None:
    def text(when: int) -> str:
        return build(snap(episodes=(Episode("e", "The roof fell.", game_time=when),))).text

    assert text(4310 + ahead) == text(4310)


@pytest.mark.parametrize("section", ["canonical_facts", "rules", "episodes", "beliefs", "dialogue", "tasks"])
def test_case_24_a_duplicate_id_is_refused_at_run_time(section: str) -> None:
    make: dict[str, Any] = {
        "canonical_facts": Fact,
        "rules": Rule,
        "episodes": Episode,
        "beliefs": Belief,
        "tasks": AgendaItem,
        "dialogue": lambda i, t: Turn(i, "p1", t),
    }
    first = make[section]("same", "One.")
    with pytest.raises(DuplicateId) as caught:
        snap(**{section: (first, make[section]("same", "Two."))})
    assert caught.value.id == "same"
    assert first == make[section]("same", "One.")


def test_case_24_the_same_id_in_two_sections_is_fine() -> None:
    snapshot = snap(canonical_facts=(Fact("x", "A."),), episodes=(Episode("x", "B."),), beliefs=(Belief("x", "C."),))
    assert list(build(snapshot).report.kept) == ["x", "x", "x"]


@pytest.mark.parametrize("minute", [0, 1440, 4310])
def test_case_25_the_same_minute_is_shown_by_id(minute: int) -> None:
    items = tuple(Episode(i, f"text {i}.", score=s, game_time=minute) for i, s in (("c", 0.9), ("a", 0.1), ("b", 0.5)))
    built = build(snap(episodes=items))
    assert ids(built.episodes) == ["a", "b", "c"]
    places = [built.text.index(f"text {i}.") for i in "abc"]
    assert places == sorted(places)
    turns = tuple(Turn(i, "p1", f"line {i}.", game_time=minute) for i in ("c", "a", "b"))
    assert ids(build(snap(dialogue=turns)).dialogue) == ["c", "a", "b"]


def test_case_26_fifty_notes() -> None:
    notes = tuple(AgendaItem(f"n{i:02}", f"Meet me at the old mill, number {i}.", score=0.5) for i in range(50))
    snapshot = full_snapshot(notes=notes, tasks=(), pinned=())
    limit = 2000
    built = build(snapshot, limit, exchanges=5, episodes=5, beliefs=3)
    free = limit - built.report.mandatory
    assert 0 < cost(snapshot, notes=tuple(n for n in notes if n.id in built.report.kept)) <= free * 15 // 100
    assert built.dialogue
    assert built.episodes
    assert built.beliefs


def test_case_26_any_number_of_notes_of_any_size() -> None:
    for count, size in ((1, 10_000), (500, 40), (50, 300)):
        snapshot = full_snapshot(notes=tasks(count, size), tasks=())
        assert build(snapshot, 2000).report.total <= 2000
