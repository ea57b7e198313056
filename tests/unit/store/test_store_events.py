"""Events: what the game reported, whole, with whatever it wanted kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.errors import InvalidInput, TextTooLong, UnknownId
from npc_memory.memory import Authority
from npc_memory.store import Store

GAME = Authority.GAME
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), PLAIN, max_size=4))
def test_what_the_game_kept_comes_back_to_the_bit(data: dict[str, Any]) -> None:
    with Store.open(":memory:", world="w") as store:
        with store.transaction() as write:
            event = write.event(authority=GAME, kind="theft", text="A loaf.", data=data)
        assert repr(sorted_maps(store.event(event.id).data)) == repr(sorted_maps(data))


def sorted_maps(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: sorted_maps(value[key]) for key in sorted(value)}
    return [sorted_maps(one) for one in value] if isinstance(value, list) else value


def test_an_event_has_its_scene() -> None:
    with Store.open(":memory:", world="w") as store, store.transaction() as write:
        write.clock(authority=GAME, game_time=90)
        event = write.event(
            authority=GAME, kind="gift", text="A ring.", actor="p1", target="marta", place="inn", audience=("bram",)
        )
        assert (event.actor, event.target, event.place, event.game_time) == ("p1", "marta", "inn", 90)
        assert event.audience == ("bram", "marta", "p1")
        assert store.events() == (event,)
        episode = write.episode(authority=GAME, npc="marta", text="A ring.", provenance=(event.id,))
        assert store.derived_from(event.id) == (episode.id,)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ({"kind": ""}, InvalidInput),
        ({"text": "x" * 65_537}, TextTooLong),
        ({"importance": 1.01}, InvalidInput),
        ({"data": {"a": float("nan")}}, InvalidInput),
        ({"data": {"a": 2**63}}, InvalidInput),
        ({"data": {"a": b"bytes"}}, InvalidInput),
        ({"data": {1: "a"}}, InvalidInput),
        ({"data": [1]}, InvalidInput),
        ({"data": {"a": "x" * 65_537}}, TextTooLong),
        ({"audience": "marta"}, InvalidInput),
        ({"provenance": ("t00000099",)}, UnknownId),
    ],
)
def test_what_cannot_be_kept_is_refused_and_leaves_nothing(bad: dict[str, Any], error: type[Exception]) -> None:
    with Store.open(":memory:", world="w") as store:
        before = store.newest_seq()
        with pytest.raises(error), store.transaction() as write:
            write.event(**{"authority": GAME, "kind": "theft", "text": "A loaf.", **bad})
        assert store.newest_seq() == before


def test_levels_are_counted() -> None:
    deep: Any = "bottom"
    for _ in range(20):
        deep = [deep]
    with Store.open(":memory:", world="w") as store, store.transaction() as write:
        with pytest.raises(InvalidInput, match="at most 16 levels"):
            write.event(authority=GAME, kind="theft", text="A loaf.", data={"deep": deep})
