"""The budget is exact under tokenizers of several kinds, the bundled model's among them (P2, cases 16 and 30)."""

from __future__ import annotations

import pytest
from wm_kit import HOSTILE, Built, Counter, bare, build, count_all, episodes, full_snapshot, rest, total, utf8, words

from npc_memory import Belief, Episode, Fact, Snapshot, StateEntry, Turn
from npc_memory.errors import MandatoryOverflow

SCRIPTS = {
    "english": "The king is dead and the north bridge burned down in the night. ",
    "russian": "Король умер, а северный мост сгорел дотла этой ночью. ",
    "thai": "กษัตริย์สิ้นพระชนม์แล้ว และสะพานทางเหนือก็ถูกไฟไหม้เมื่อคืนนี้ ",
    "japanese": "王は亡くなり、北の橋は昨夜焼け落ちた。",
    "emoji": "👑💀🌉🔥👩\u200d🚀🇫🇷 ",
}


def spoken(script: str) -> Snapshot:
    """Everything in one script."""
    text = SCRIPTS[script]
    return full_snapshot(
        persona=text,
        canonical_facts=(Fact("f", text, public=True), Fact("g", text * 2)),
        world_state=(StateEntry("s", text), StateEntry("v", text, volatile=True)),
        dialogue=tuple(Turn(f"t{i}", ("p1", "marta")[i % 2], text * (1 + i % 3)) for i in range(10)),
        episodes=tuple(Episode(f"e{i}", text * 2, score=i / 10, game_time=i) for i in range(8)),
        beliefs=tuple(Belief(f"b{i}", text, score=i / 10) for i in range(6)),
        player_line=text * 2,
        names={"p1": text[:8].strip(), "marta": text[-9:].strip()},
    )


def hold_exactly(snapshot: Snapshot, limit: int, counter: Counter) -> Built:
    """The whole promise for one build."""
    built = build(snapshot, limit, counter, exchanges=8, episodes=8, beliefs=6)
    assert built.report.total == count_all(built, counter) <= limit
    for fact in snapshot.canonical_facts:
        assert fact.text in built.text
    for entry in snapshot.world_state:
        assert entry.words() in built.text
    return built


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("counter", [len, utf8, words, *HOSTILE])
def test_exact_in_every_script_under_every_counter(script: str, counter: Counter) -> None:
    snapshot = spoken(script)
    whole = total(snapshot, counter)
    least = rest(snapshot, counter) + 16
    pressed = 0
    for step in range(1, 9):
        try:
            pressed += hold_exactly(snapshot, least + (whole - least) * step // 8, counter).truncated
        except MandatoryOverflow:
            assert step < 8
    assert pressed or counter not in (len, utf8, words), "the limits must press"


@pytest.mark.parametrize("script", SCRIPTS)
def test_in_characters_no_counter_is_needed_and_length_is_the_cost(script: str) -> None:
    built = build(spoken(script), 2000)
    assert built.report.total == len(built.text) <= 2000


def test_a_counter_for_characters_and_the_unit_agree() -> None:
    snapshot = full_snapshot()
    for limit in (500, 800, 1200):
        assert build(snapshot, limit).text == build(snapshot, limit, len).text


def test_one_character_that_costs_a_fortune_is_left_out_not_the_prompt() -> None:
    from wm_kit import huge_char

    dear = Episode("dear", "A жар-bird.", score=1.0)
    snapshot = full_snapshot(episodes=(dear, *episodes((0.5, 0.4))))
    built = build(snapshot, 2000, huge_char)
    assert built.dropped("budget", "episodes") == ["dear"]
    assert {"e0", "e1"} <= set(built.report.kept)
    with pytest.raises(MandatoryOverflow) as caught:
        build(full_snapshot(canonical_facts=(Fact("f", "ж"),)), 2000, huge_char)
    assert max(caught.value.parts.values()) >= 1_000_000


def test_a_counter_that_charges_nothing_keeps_everything() -> None:
    built = build(full_snapshot(player_line="x" * 9000), 16, lambda text: 0)
    assert built.report.total == 0
    assert built.report.dropped == ()
    assert "x" * 9000 in built.text


def test_what_nothing_costs_is_never_dropped_for_budget() -> None:
    def only_turns(text: str) -> int:
        return 0 if "ep" in text or "be" in text else len(text)

    snapshot = full_snapshot(tasks=(), pinned=(), notes=())
    built = build(snapshot, total(bare(snapshot), only_turns) + 120, only_turns)
    assert built.truncated
    assert set(built.dropped("budget", "episodes")) == set() or any(
        only_turns(str(s)) for s in built.segments if s.section == "episodes"
    )
