"""DESIGN, "Working memory": the interface, and sentence 1 (mandatory parts and the player's line)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from wm_kit import (
    FACTS,
    NAMES,
    RULES,
    STATE,
    bare,
    build,
    full_snapshot,
    policy,
    rest,
    shorten,
    snap,
    talk,
    total,
)

from npc_memory import Fact, Rule, StateEntry, WorkingMemoryBuilder
from npc_memory.errors import MandatoryOverflow, WorkingMemoryClosed

# --- the interface ----------------------------------------------------------------------------------------------


def test_only_npc_persona_player_and_line_are_required() -> None:
    built = build(snap())
    assert "You are Marta, an innkeeper." in built.text
    assert "Hm?" in built.text
    assert built.report.kept == ()
    assert built.report.dropped == ()
    assert built.report.shortened == ()


def test_total_is_the_sum_of_the_segments_and_the_text_their_join() -> None:
    built = build(full_snapshot())
    assert built.report.total == sum(len(segment) for segment in built.segments) == len(built.text)
    assert "".join(built.segments) == built.text


def test_segments_are_cut_only_where_a_newline_or_a_control_piece_stands() -> None:
    segments = build(full_snapshot()).segments
    for left, right in pairwise(segments):
        assert left.endswith("\n") or right.startswith("\n") or left.control or right.control, (left, right)


def test_sections_are_tuples_of_what_the_prompt_shows() -> None:
    built = build(full_snapshot())
    for section in (built.facts, built.state, built.agenda, built.dialogue, built.episodes, built.beliefs):
        assert isinstance(section, tuple)
    assert [turn.id for turn in built.dialogue] == [turn.id for turn in talk(4)]
    assert {f.id for f in built.facts} == {f.id for f in FACTS}
    assert {s.key for s in built.state} == {s.key for s in STATE}


def test_kept_names_rules_facts_state_keys_and_optional_items() -> None:
    kept = build(full_snapshot()).report.kept
    assert isinstance(kept, tuple)
    assert {"r1", "r2", "king-dead", "bridge", "cellar", "weather", "guests", "gate_open"} <= set(kept)
    assert {"pin", "note", "k000", "k001", "k002", "q000", "a003", "e0", "e4", "b0", "b2"} <= set(kept)


def test_report_states_limit_total_and_mandatory() -> None:
    snapshot = full_snapshot()
    report = build(snapshot, 5000).report
    assert report.limit == 5000
    assert report.mandatory == total(bare(snapshot))
    assert report.total == total(snapshot)


def test_the_default_frame_costs_at_most_sixty_characters() -> None:
    snapshot = snap(npc="n", player="p", persona="P", player_line="L", time_text="T")
    assert build(snapshot).report.total <= 60 + len("npPLT")


@pytest.mark.parametrize("size", [1, 501, 5000])
def test_rules_cost_what_they_cost(size: int) -> None:
    one, more = (total(snap(rules=(Rule("r", "x" * n),))) for n in (size, size + 7))
    assert more - one == 7


# --- closing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "use",
    ["canonical_facts", "world_state", "agenda", "dialogue", "episodes", "beliefs", "segments", "truncated", "report"],
)
def test_a_closed_memory_is_unusable(use: str) -> None:
    with WorkingMemoryBuilder(policy()).build(full_snapshot()) as memory:
        getattr(memory, use)
    with pytest.raises(WorkingMemoryClosed):
        getattr(memory, use)


def test_a_closed_memory_has_no_text() -> None:
    with WorkingMemoryBuilder(policy()).build(full_snapshot()) as memory:
        assert memory.text()
    with pytest.raises(WorkingMemoryClosed):
        memory.text()


def test_a_closed_memory_cannot_be_entered_again() -> None:
    memory = WorkingMemoryBuilder(policy()).build(snap())
    with memory:
        pass
    with pytest.raises(WorkingMemoryClosed), memory:
        pass


def test_closing_twice_is_harmless() -> None:
    with WorkingMemoryBuilder(policy()).build(snap()) as memory:
        memory.close()
        memory.close()
    memory.close()


def test_an_exception_inside_closes_and_is_not_swallowed() -> None:
    memory = WorkingMemoryBuilder(policy()).build(snap())
    with pytest.raises(ZeroDivisionError), memory:
        _ = 1 // 0
    with pytest.raises(WorkingMemoryClosed):
        memory.text()


@pytest.mark.parametrize("name", ["report", "segments", "dialogue", "canonical_facts", "truncated", "something_new"])
def test_a_memory_is_frozen(name: str) -> None:
    with WorkingMemoryBuilder(policy()).build(full_snapshot()) as memory:
        before = memory.text()
        with pytest.raises((AttributeError, TypeError)):
            setattr(memory, name, ())
        assert memory.text() == before


@pytest.mark.parametrize("name", ["total", "kept", "dropped", "limit"])
def test_a_report_is_frozen(name: str) -> None:
    with WorkingMemoryBuilder(policy()).build(full_snapshot()) as memory:
        with pytest.raises((AttributeError, TypeError)):
            setattr(memory.report, name, ())


# --- 1: mandatory -----------------------------------------------------------------------------------------------


def test_1_rules_persona_facts_state_time_and_line_are_in_whole_under_the_worst_pressure() -> None:
    snapshot = full_snapshot(time_text="the third day of harvest")
    built = build(snapshot, rest(snapshot) + 64 + 60)
    for rule in RULES:
        assert rule.text in built.text
    for fact in FACTS:
        assert fact.text in built.text
    for entry in STATE:
        assert entry.words() in built.text
    assert snapshot.persona in built.text
    assert "the third day of harvest" in built.text


def test_1_time_without_a_calendar_is_day_and_hour() -> None:
    assert "Day 3, 23:50" in build(snap(game_time=4310)).text
    assert "Day 1, 00:00" in build(snap(game_time=0)).text


def test_1_what_the_rest_leaves_must_be_sixty_four_characters() -> None:
    snapshot = bare(full_snapshot(player_line="x" * 500))
    needed = rest(snapshot) + 64
    assert build(snapshot, needed).report.total <= needed
    with pytest.raises(MandatoryOverflow) as caught:
        build(snapshot, needed - 1)
    assert caught.value.limit == needed - 1


def test_1_the_sixty_four_characters_are_needed_even_by_a_line_that_would_fit() -> None:
    snapshot = bare(full_snapshot(player_line="x"))
    with pytest.raises(MandatoryOverflow):
        build(snapshot, rest(snapshot) + 63)


def test_1_what_the_rest_leaves_must_be_sixteen_tokens() -> None:
    snapshot = bare(full_snapshot(player_line="x" * 500))
    needed = rest(snapshot, len) + 16
    assert build(snapshot, needed, len).report.total <= needed
    with pytest.raises(MandatoryOverflow):
        build(snapshot, needed - 1, len)


def test_1_overflow_names_each_part_and_its_cost() -> None:
    snapshot = full_snapshot()
    with pytest.raises(MandatoryOverflow) as caught:
        build(snapshot, 80)
    parts = caught.value.parts
    assert all(isinstance(cost, int) and cost >= 0 for cost in parts.values())
    total_without_line = total(bare(snapshot)) - len(snapshot.player_line)
    assert total_without_line - 60 <= sum(parts.values()) <= total_without_line
    assert any("fact" in name for name in parts)
    assert any("state" in name for name in parts)
    assert any("persona" in name for name in parts)
    assert any("rule" in name for name in parts)


@pytest.mark.parametrize(("field", "item"), [("canonical_facts", Fact), ("rules", Rule)])
def test_1_each_part_grows_by_what_it_holds(field: str, item: type) -> None:
    def parts(size: int) -> dict[str, int]:
        with pytest.raises(MandatoryOverflow) as caught:
            build(snap(**{field: (item("i", "x" * size),)}), 80)
        return caught.value.parts

    small, big = parts(100), parts(350)
    grown = {name: big[name] - small.get(name, 0) for name in big if big[name] != small.get(name, 0)}
    assert list(grown.values()) == [250]
    assert field.rstrip("s").split("_")[-1] in next(iter(grown))


def test_1_a_line_within_a_quarter_stays_whole_under_pressure() -> None:
    snapshot = full_snapshot(player_line="w" * 50)
    limit = rest(snapshot) + 4 * (total(bare(snapshot)) - rest(snapshot))
    built = build(snapshot, limit)
    assert built.truncated
    assert "player_line" not in built.report.shortened
    assert "w" * 50 in built.text


def test_1_a_line_one_over_a_quarter_is_shortened_under_pressure() -> None:
    snapshot = full_snapshot(player_line="w" * 50)
    limit = rest(snapshot) + 4 * (total(bare(snapshot)) - rest(snapshot)) - 1
    built = build(snapshot, limit)
    assert built.report.shortened == ("player_line",)
    assert "w" * 50 not in built.text
    assert built.truncated


@pytest.mark.parametrize("leave", [64, 67, 68, 100, 399, 400, 401, 1000, 4000, 20000])
def test_1_a_long_line_takes_at_most_a_quarter_of_what_the_rest_leaves(leave: int) -> None:
    line = "".join(chr(0x4E00 + i) for i in range(6000)) * 4
    snapshot = full_snapshot(player_line=line, dialogue=talk(30, 400))
    needed = rest(snapshot)
    built = build(snapshot, needed + leave)
    assert built.report.mandatory - needed <= leave // 4
    assert "player_line" in built.report.shortened
    shown = [c for c in built.text if 0x4E00 <= ord(c) < 0x4E00 + 6000]
    one = replace(snapshot, player_line="y")
    frame = total(bare(one)) - rest(one) - 1
    expected = min(4000, leave // 4 - len(" … ") - frame)
    assert len(shown) in (expected, max(expected - 1, 0)), "as long as fits"


def test_1_free_is_the_limit_less_the_mandatory_parts() -> None:
    snapshot = snap(dialogue=talk(60, 30, answers=False))
    limit = total(bare(snapshot)) + 1000
    built = build(snapshot, limit)
    assert built.report.mandatory == total(bare(snapshot))
    assert limit - built.report.total < 100


def test_1_all_facts_and_state_are_refused_together_not_cut() -> None:
    many = tuple(Fact(f"f{i}", "x" * 40) for i in range(30))
    with pytest.raises(MandatoryOverflow):
        build(snap(canonical_facts=many), 1000)
    state = tuple(StateEntry(f"s{i}", "x" * 40) for i in range(30))
    with pytest.raises(MandatoryOverflow):
        build(snap(world_state=state), 1000)


def test_1_nothing_a_player_says_causes_an_overflow() -> None:
    snapshot = full_snapshot(player_line="x")
    limit = rest(snapshot) + 64
    for line in ("", " ", "x" * 100_000, "\U0001f600" * 999, "{{ x }}" * 99, "a b " * 999, "…" * 40):
        built = build(full_snapshot(player_line=line), limit)
        assert built.report.total <= limit


def test_1_a_line_whose_every_character_costs_a_fortune_overflows_nothing() -> None:
    def dear(text: str) -> int:
        return len(text) + 10_000 * text.count("ж")

    snapshot = full_snapshot(player_line="ж" * 30)
    limit = rest(snapshot, dear) + 200
    built = build(snapshot, limit, dear)
    assert built.report.total <= limit
    assert "player_line" in built.report.shortened


def test_names_are_shown_instead_of_ids_and_ids_where_there_is_none() -> None:
    assert "Traveller" in build(snap(names=NAMES)).text
    assert "p1" in build(snap()).text


def test_7_shorten_helper_is_the_formula() -> None:
    assert shorten("abcdefghi", 6) == "abcd … hi"
    assert shorten("abcdefghi", 1) == "a … "
    assert shorten("abcdefghi", 5) == "abcd … i"
