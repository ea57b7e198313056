"""Whose turn it is: one with each NPC at a time, players in their order and first, and nobody waits for ever."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.errors import InvalidInput
from npc_memory.floor import Floor, Place
from npc_memory.stage import Stage

npcs = st.sampled_from("abc")
players = npcs.map(lambda npc: ("ask", (npc,), True))
talks = st.permutations("abc").map(lambda order: ("ask", tuple(order[:2]), False))
moves = st.lists(players | players | talks | st.tuples(st.just("leave"), st.integers(0, 99)), max_size=40)


def settle(floor: Floor, waiting: list[Place], holding: list[Place]) -> None:
    """Let everyone begin whose turn it is; see that nobody begins who may not."""
    for place in floor.next():
        assert not any(set(place.npcs) & set(other.npcs) for other in holding), "two with one NPC"
        earlier = waiting[: waiting.index(place)]
        meets = [one for one in waiting if one is not place and set(one.npcs) & set(place.npcs)]
        assert not any(one.player and (one in earlier or not place.player) for one in meets), "a player was passed over"
        assert place.player or not any(one in earlier for one in meets)
        waiting.remove(place)
        holding.append(place)


@given(moves)
def test_one_at_a_time_in_order_and_all_come_to_an_end(chosen: list[tuple[object, ...]]) -> None:
    floor = Floor()
    waiting: list[Place] = []
    holding: list[Place] = []
    for move in chosen:
        if move[0] == "ask":
            place = floor.ask(move[1], player=bool(move[2]))  # type: ignore[arg-type]
            waiting.append(place)
            held = [one for one in holding if set(one.npcs) & set(place.npcs)]
            assert all(one.wanted for one in held) or not place.player
        else:
            everyone = waiting + holding
            if everyone:
                gone = everyone[int(move[1]) % len(everyone)]  # type: ignore[call-overload]
                floor.leave(gone)
                (waiting if gone in waiting else holding).remove(gone)
        settle(floor, waiting, holding)
    while waiting or holding:
        assert holding, "they wait for each other"
        floor.leave(holding.pop(0))
        settle(floor, waiting, holding)


def test_a_conversation_is_wanted_only_once_a_player_waits_for_one_of_the_two() -> None:
    floor = Floor()
    talk = floor.ask(("a", "b"), player=False)
    assert floor.begin(talk)
    floor.ask(("c",))
    floor.ask(("b", "c"), player=False)
    assert not talk.wanted
    player = floor.ask(("b",))
    assert talk.wanted
    assert not floor.begin(player)
    floor.leave(talk)
    assert floor.begin(player)


def test_a_player_does_not_wait_for_one_who_waits_for_another() -> None:
    """A conversation holds neither NPC while the other one is not free."""
    floor = Floor()
    busy = floor.ask(("b",))
    assert floor.begin(busy)
    assert not floor.begin(floor.ask(("a", "b"), player=False))
    assert floor.begin(floor.ask(("a",)))


def test_threads_take_turns() -> None:
    stage, inside, most = Stage(), [], []

    def speak(*npcs: str) -> None:
        for _ in range(50):
            with stage.turn(*npcs, player=len(npcs) == 1):
                inside.append(npcs)
                most.append(sum("a" in one for one in inside))
                inside.remove(npcs)

    threads = [threading.Thread(target=speak, args=npcs) for npcs in (("a",), ("a", "b"), ("b",), ("c", "a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(most) == {0, 1}
    assert inside == []


def test_a_listener_may_not_wait_for_himself() -> None:
    stage = Stage()
    with stage.turn("a", "b", player=False):
        with pytest.raises(InvalidInput), stage.turn("b"):
            raise AssertionError("he had a turn")
        with stage.turn("c"):
            pass
    with stage.turn("b"):
        pass
