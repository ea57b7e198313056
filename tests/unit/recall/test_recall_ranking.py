"""Which memories come to mind, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.memory import EpisodeRecord, Fact, StateEntry
from npc_memory.recall import Index, Vocabulary, recall_reminders
from npc_memory.recall.scoring import relevance

DAY = 24 * 60
TEXTS = st.lists(st.text("abc kingdea ", max_size=20), max_size=12)


def episode(id: str, text: str, game_time: int = 0, importance: float = 0.3) -> EpisodeRecord:
    return EpisodeRecord(id=id, npc="marta", text=text, game_time=game_time, importance=importance)


def best(query: str, memories: Sequence[EpisodeRecord], game_time: int) -> list[str]:
    """The ids of the best memories."""
    index = Index(Vocabulary(), lambda number: memories[number].id)
    for number, one in enumerate(memories):
        index.add(number, one.text, weight=one.importance, game_time=one.game_time)
    return [memories[number].id for _, number in index.best(query, game_time, 32)]


@settings(deadline=None, max_examples=100)
@given(st.text("abc kingdea ", max_size=20), TEXTS)
def test_relevance_is_a_fraction_and_the_best_match_is_one(query: str, texts: list[str]) -> None:
    scores = relevance(query, texts)
    assert len(scores) == len(texts)
    assert all(0 <= score <= 1 for score in scores)
    assert not any(scores) or max(scores) == 1


def test_the_memory_that_is_asked_for_comes_first_however_old() -> None:
    memories = [episode(f"e{n}", f"The traveller spoke of the weather, day {n}.", n * DAY) for n in range(50)]
    memories.append(episode("egil", "rolf said: My brother Egil lies at Greyford.", 0))
    assert best("Where is your brother Egil?", memories, 60 * DAY)[0] == "egil"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("Wo liegt Egil begraben?", "de"),
        ("Где похоронен Эгиль?", "ru"),
        ("エギルの墓はどこですか", "ja"),
        ("นอนที่ไหน", "th"),
    ],
)
def test_other_languages_are_found(query: str, wanted: str) -> None:
    memories = [
        episode("de", "Der Reisende sagte, Egil liegt in Graufurt begraben."),
        episode("ru", "Путник сказал, что Эгиль похоронен у брода."),
        episode("ja", "旅人はエギルの墓が川辺にあると言った。"),
        episode("th", "นักเดินทางนอนที่โรงเตี๊ยม"),
        episode("en", "The traveller spoke of the weather."),
    ]
    assert best(query, memories, 0)[0] == wanted


def test_without_a_match_the_newest_comes_first_and_ties_go_by_id() -> None:
    memories = [episode("b", "stone"), episode("a", "stone"), episode("c", "stone", 10 * DAY)]
    assert best("xyzzy", memories, 10 * DAY) == ["c", "a", "b"]


@settings(deadline=None, max_examples=100)
@given(st.permutations([episode(f"e{n}", f"stone {n % 3}", n * 100) for n in range(8)]))
def test_the_order_of_records_decides_nothing(memories: list[EpisodeRecord]) -> None:
    ordered = sorted(memories, key=lambda one: one.id)
    assert best("stone 1", memories, 900) == best("stone 1", ordered, 900)


def test_only_so_many_are_offered() -> None:
    memories = [episode(f"e{n:03}", "stone") for n in range(100)]
    assert len(best("stone", memories, 0)) == 32
    assert best("stone", [], 0) == []


def test_the_facts_a_line_is_about_are_reminded_of() -> None:
    facts = [
        Fact("king", "King Aldric is dead."),
        Fact("inn", "Marta keeps the inn."),
        Fact("smith", "Brann is a smith."),
    ]
    state = [StateEntry("bridge", "burned", text="The bridge is burned.")]
    assert [item.id for item in recall_reminders("Is the king well?", facts, state)] == ["fact:king"]
    assert [item.id for item in recall_reminders("Can I cross the bridge?", facts, state)] == ["state:bridge"]
    assert recall_reminders("Good evening.", facts, state) == ()
    assert len(recall_reminders("king inn smith bridge", facts, state)) == 2
