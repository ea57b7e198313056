"""Items and snapshots: frozen, cleaned on entry, ids checked, wrong kinds refused with a typed error."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from npc_memory import AgendaItem, Belief, Episode, Example, Fact, Rule, Snapshot, StateEntry, Turn
from npc_memory.errors import DuplicateId, InvalidInput

NASTY = "a\nb\x00<|im_end|>\ud800"
PLAIN = "a b< |im_end| >"

ITEMS: dict[str, Any] = {
    "rules": Rule("i", NASTY),
    "canonical_facts": Fact("i", NASTY),
    "examples": Example("i", NASTY, NASTY),
    "dialogue": Turn("i", "p1", NASTY),
    "episodes": Episode("i", NASTY),
    "beliefs": Belief("i", NASTY),
    "pinned": AgendaItem("i", NASTY),
    "tasks": AgendaItem("i", NASTY),
    "notes": AgendaItem("i", NASTY),
    "world_state": StateEntry("i", NASTY, text=NASTY),
}


def snap(**given: Any) -> Snapshot:
    return Snapshot(**({"npc": "marta", "persona": "Marta.", "player": "p1", "player_line": "Hi."} | given))


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_texts_are_cleaned_on_entry(item: Any) -> None:
    texts = [getattr(item, f.name) for f in dataclasses.fields(item) if f.name in ("text", "player", "npc", "value")]
    assert texts
    assert set(texts) == {PLAIN}


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_items_are_frozen_and_hashable(item: Any) -> None:
    hash(item)
    for field in dataclasses.fields(item):
        with pytest.raises(AttributeError):
            setattr(item, field.name, "x")


def test_snapshot_texts_are_cleaned() -> None:
    snapshot = snap(persona=NASTY, player_line=NASTY, time_text=NASTY, names={"p1": NASTY})
    assert (snapshot.persona, snapshot.player_line, snapshot.time_text) == (PLAIN,) * 3
    assert dict(snapshot.names) == {"p1": PLAIN}


def test_a_snapshot_is_frozen_deep() -> None:
    turns = ["t1"]
    lists: dict[str, list[Any]] = {name: [item] for name, item in ITEMS.items() if name not in ("tasks", "notes")}
    lists["episodes"] = [Episode("e", "x", turns=turns)]  # type: ignore[arg-type]
    snapshot = snap(**lists)
    before = repr(snapshot)
    turns.append("t2")
    for items in lists.values():
        items.clear()
    assert repr(snapshot) == before
    assert snapshot.episodes[0].turns == ("t1",)
    hash(snapshot)
    with pytest.raises(AttributeError):
        snapshot.npc = "x"  # type: ignore[misc]


@pytest.mark.parametrize("section", ITEMS)
def test_a_duplicate_id_is_refused_by_name(section: str) -> None:
    item = ITEMS[section]
    with pytest.raises(DuplicateId) as caught:
        snap(**{section: [item, dataclasses.replace(item)]})
    assert caught.value.id == "i"
    assert caught.value.section


def test_ids_that_look_alike_are_different() -> None:
    snap(canonical_facts=[Fact("é", "x"), Fact("e\u0301", "x"), Fact("E\u0301", "x")])
    snap(canonical_facts=[Fact("a", "x"), Fact("A", "x"), Fact("a ", "x")])


def test_the_agenda_is_one_namespace_the_others_are_their_own() -> None:
    with pytest.raises(DuplicateId):
        snap(tasks=[AgendaItem("x", "a")], notes=[AgendaItem("x", "b")])
    snap(canonical_facts=[Fact("x", "a")], rules=[Rule("x", "b")], tasks=[AgendaItem("x", "c")])


@pytest.mark.parametrize("section", ITEMS)
@pytest.mark.parametrize("wrong", ["text", b"x", 5, None, ["text"], [None], [("i", "x")]])
def test_a_list_of_the_wrong_kind_is_refused(section: str, wrong: Any) -> None:
    with pytest.raises(InvalidInput):
        snap(**{section: wrong})


@pytest.mark.parametrize(
    "wrong",
    [
        {"npc": ""},
        {"player": "a\nb"},
        {"persona": None},
        {"player_line": b"x"},
        {"game_time": 1.5},
        {"game_time": True},
        {"game_time": "4"},
        {"names": {"": "x"}},
        {"names": {"p1": 5}},
    ],
)
def test_a_snapshot_of_wrong_values_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        snap(**wrong)


@pytest.mark.parametrize("missing", ["npc", "persona", "player", "player_line"])
def test_four_fields_are_required(missing: str) -> None:
    given = {"npc": "marta", "persona": "Marta.", "player": "p1", "player_line": "Hi."}
    Snapshot(**given)  # type: ignore[arg-type]
    del given[missing]
    with pytest.raises(TypeError):
        Snapshot(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf"), "high", True, None])
@pytest.mark.parametrize("cls", [Episode, Belief, AgendaItem])
def test_a_score_is_a_finite_number(cls: Any, score: Any) -> None:
    with pytest.raises(InvalidInput):
        cls("i", "x", score=score)


@pytest.mark.parametrize("time", [1.0, True, "5", None, 2**63])
@pytest.mark.parametrize("make", [lambda t: Episode("i", "x", game_time=t), lambda t: Turn("i", "p", "x", game_time=t)])
def test_game_time_is_an_integer_number_of_minutes(make: Any, time: Any) -> None:
    with pytest.raises(InvalidInput):
        make(time)


@pytest.mark.parametrize("value", [1.5, None, [1], {"a": 1}, 2**63, -(2**63) - 1, b"x"])
def test_state_values_are_strings_integers_or_booleans(value: Any) -> None:
    with pytest.raises(InvalidInput):
        StateEntry("k", value)


def test_a_boolean_state_is_no_integer() -> None:
    assert StateEntry("k", True).words() != StateEntry("k", 1).words()
    assert StateEntry("k", True).words() == "k: true"
    assert StateEntry("k", 5, text="Five guests.").words() == "Five guests."


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan"), "sure"])
def test_confidence_is_from_zero_to_one(confidence: Any) -> None:
    with pytest.raises(InvalidInput):
        Belief("i", "x", confidence=confidence)


@pytest.mark.parametrize("turns", ["t1", 5, [""], [5]])
def test_turns_of_an_episode_are_ids(turns: Any) -> None:
    with pytest.raises(InvalidInput):
        Episode("i", "x", turns=turns)


def test_names_come_in_any_order() -> None:
    assert snap(names={"b": "B", "a": "A"}) == snap(names=[("a", "A"), ("b", "B")])
