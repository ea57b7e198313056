"""``converse`` and ``warm`` on a real socket: lines as they come, a player who goes first, hints nobody waits for."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from bridge_kit import Raw, gate, raw

from bridge.client import BridgeFault, connect
from bridge.hints import MOST_HINTS
from bridge.testing import TestBridge, scripted_bridge
from npc_memory.inference import GenerationRequest
from npc_memory.inference.script import Reply
from npc_memory.mind import Mind

LINES = ["The harvest was poor.", "Aye, and the mill is slow.", "We need salt.", "Edda sells it."]
TWO = ["marta", "brann"]


def replies(client: Raw, id: int) -> list[tuple[str, str]]:
    return [(f["npc"], f["say"]) for f in client.seen if f["type"] == "reply" and f["re"] == id]


async def ending(client: Raw, id: int) -> dict[str, Any]:
    """The frame that ends a conversation."""
    while True:
        for frame in client.seen:
            if frame.get("re") == id and frame["type"] not in ("reply", "token"):
                return frame
        await client.next()


async def asked(bridge: TestBridge, count: int) -> None:
    """Wait until so many have got in line, or have their turn."""
    while bridge.server._services.turns.waiting < count:
        await asyncio.sleep(0.005)


def lines(mind: Mind, npc: str) -> list[str]:
    return [turn.text for turn in mind.store.turns(npc)]


class Line:
    """A script that holds back the replies of one conversation, line by line."""

    def __init__(self) -> None:
        self.come = 0
        self._may = threading.Semaphore(0)

    def __call__(self, request: GenerationRequest) -> str:
        if request.priority > 0:
            return "Aye, traveller."
        self.come += 1
        self._may.acquire(timeout=30)
        return LINES[(self.come - 1) % len(LINES)]

    def go_on(self, count: int = 1) -> None:
        self._may.release(count)

    async def until(self, come: int) -> None:
        while self.come < come:
            await asyncio.sleep(0.005)


# -- converse


async def test_a_reply_for_each_line_then_ok() -> None:
    async with scripted_bridge(LINES) as bridge, raw(bridge.url) as client:
        await client.send(type="converse", id=1, npcs=TWO, topic="the harvest", turns=3, place="market")
        assert await ending(client, 1) == {"type": "ok", "re": 1}
        assert replies(client, 1) == [("marta", LINES[0]), ("brann", LINES[1]), ("marta", LINES[2])]
        assert client.seen[-1]["type"] == "ok"
        assert {frame["kind"] for frame in client.seen if frame["type"] == "reply"} == {"converse"}
        assert not any(frame["type"] == "token" for frame in client.seen)
        assert lines(bridge.mind, "marta") == lines(bridge.mind, "brann") == LINES[:3]
        assert {turn.place for turn in bridge.mind.store.turns("brann")} == {"market"}
        explained = await client.ask(type="explain", id=2, audit=client.seen[1]["audit"])
        assert "the harvest" in explained["prompt"]


async def test_four_lines_unless_told_otherwise_and_again_with_the_same_key() -> None:
    async with scripted_bridge(LINES) as bridge, raw(bridge.url) as client, raw(bridge.url) as other:
        await client.send(type="converse", id=1, npcs=TWO, key="k")
        await ending(client, 1)
        await other.send(type="converse", id=1, npcs=TWO, key="k")
        await ending(other, 1)
        assert replies(client, 1) == replies(other, 1)
        assert len(replies(client, 1)) == 4
        assert other.seen[1:] == client.seen[1:]
        assert len(lines(bridge.mind, "marta")) == 4


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"npcs": ["marta", "marta"]}, "invalid_input"),
        ({"npcs": ["marta", "nobody"]}, "unknown_id"),
        ({"npcs": ["marta", "p1"]}, "unknown_id"),
        ({"npcs": TWO, "turns": 17}, "invalid_input"),
        ({"npcs": TWO, "turns": 0}, "invalid_input"),
        ({"npcs": TWO, "topic": "x" * 2000}, "too_long"),
    ],
)
async def test_what_cannot_be_is_an_error_at_once(frame: dict[str, Any], code: str) -> None:
    async with scripted_bridge(LINES) as bridge, raw(bridge.url) as client:
        before = bridge.mind.store.newest_seq()
        answer = await client.ask(type="converse", id=2, **frame)
        assert (answer["type"], answer["code"]) == ("error", code)
        assert bridge.mind.store.newest_seq() == before


async def test_a_player_speaks_at_the_next_line_and_the_two_leave_it_there() -> None:
    script = Line()
    async with scripted_bridge(script) as bridge, raw(bridge.url) as client, raw(bridge.url) as other:
        await client.send(type="converse", id=1, npcs=TWO, turns=16)
        await script.until(1)
        await other.send(type="talk", id=1, npc="brann", player="p1", text="Good evening.")
        await asked(bridge, 2)
        script.go_on()
        assert (await other.answer(1))["say"] == "Aye, traveller."
        assert (await ending(client, 1))["type"] == "ok"
        assert replies(client, 1) == [("marta", LINES[0])]
        assert lines(bridge.mind, "brann") == [LINES[0], "Good evening.", "Aye, traveller."]


async def test_others_are_talked_to_meanwhile_and_the_world_goes_on() -> None:
    script = Line()
    async with scripted_bridge(script) as bridge, raw(bridge.url) as client:
        await client.send(type="converse", id=1, npcs=TWO, turns=2)
        await script.until(1)
        assert (await client.ask(type="clock", id=2, game_time=200_000))["type"] == "ok"
        assert (await client.ask(type="end", id=3, player="p1"))["type"] == "ok"
        await client.send(type="talk", id=4, npc="edda", player="p1", text="Hi")
        script.go_on(2)
        assert (await client.answer(4))["type"] == "reply"
        assert (await ending(client, 1))["type"] == "ok"


async def test_the_end_of_their_talk_comes_when_all_is_stored() -> None:
    script = Line()
    async with scripted_bridge(script) as bridge, raw(bridge.url) as client:
        await client.send(type="converse", id=1, npcs=TWO, turns=2)
        await client.send(type="end", id=2, player="brann", npc="marta")
        await script.until(1)
        script.go_on(2)
        assert (await client.answer(2))["type"] == "ok"
        assert [(f["type"], f["re"]) for f in client.seen[-2:]] == [("ok", 1), ("ok", 2)]
        assert bridge.mind.store.session("marta", "brann") == 2


async def test_a_conversation_waits_for_the_players_who_came_before() -> None:
    held = gate()
    async with scripted_bridge(lambda request: held(request) if request.priority > 0 else LINES[0]) as bridge:
        async with raw(bridge.url) as client:
            await client.send(type="talk", id=1, npc="marta", player="p1", text="First")
            await held.until(1)
            await client.send(type="converse", id=2, npcs=TWO, turns=1)
            await client.send(type="talk", id=3, npc="brann", player="p1", text="Second")
            await asked(bridge, 3)
            held.open()
            assert (await ending(client, 2))["type"] == "ok"
            assert lines(bridge.mind, "brann")[0] == "Second", "who waits for another holds nobody up"
            assert lines(bridge.mind, "marta")[-1] == LINES[0]


async def test_cancel_in_mid_line_and_before_its_turn() -> None:
    slow = Reply("One. Two. Three. Four. Five. Six.", "slow")
    script = iter([LINES[0], *[slow] * 9])
    async with scripted_bridge(lambda request: next(script)) as bridge, raw(bridge.url) as client:
        await client.send(type="converse", id=1, npcs=TWO, key="k")
        await client.send(type="converse", id=2, npcs=["brann", "edda"])
        while not replies(client, 1):
            await client.next()
        await client.ask(type="cancel", id=3, request=2)
        assert (await ending(client, 2))["type"] == "cancelled"
        await client.ask(type="cancel", id=4, request=1)
        assert await ending(client, 1) == {"type": "cancelled", "re": 1, "request": 1}
        assert [f["re"] for f in client.seen if f["type"] == "cancelled"] == [2, 3, 1, 4]
        assert lines(bridge.mind, "brann") == [LINES[0]], "a line that was broken off was never said"
        assert lines(bridge.mind, "edda") == []
        assert (await client.ask(type="cancel", id=5, request=1))["type"] == "cancelled"


async def test_a_lost_connection_ends_it() -> None:
    script = Line()
    async with scripted_bridge(script) as bridge:
        async with raw(bridge.url) as client:
            await client.send(type="converse", id=1, npcs=TWO, turns=16)
            await script.until(1)
            script.go_on()
            await client.next()
            await script.until(2)
        script.go_on(99)
        while bridge.server.clients:
            await asyncio.sleep(0.01)
        assert lines(bridge.mind, "marta") == [LINES[0]]
        assert [one.text for one in bridge.mind.store.episodes("brann")] == ['Marta said: "The harvest was poor."']


async def test_the_python_client_collects_the_lines() -> None:
    async with scripted_bridge(LINES) as bridge, connect(bridge.url) as client:
        heard: list[str] = []
        found = await client.converse(TWO, turns=3, on_reply=lambda line: heard.append(line.say))
        assert [one.say for one in found] == heard == LINES[:3]
        assert (await client.request("converse", npcs=TWO, turns=1)).type == "ok"
        with pytest.raises(BridgeFault, match="unknown_id"):
            await client.converse(["marta", "p1"])
        assert (await client.talk("edda", "p1", "Hi")).type == "reply"


# -- warm


async def test_a_hint_is_answered_at_once_and_holds_nobody_up() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="edda", player="p1", text="Hi")
        await held.until(1)
        for id, more in enumerate(({"player": "p1"}, {"player": "p1"}, {}, {"player": ""}), start=2):
            assert await client.ask(type="warm", id=id, npc="marta", **more) == {"type": "ok", "re": id}
        assert (await client.ask(type="clock", id=9, game_time=200_000))["type"] == "ok"
        held.open()
        assert (await client.answer(1))["type"] == "reply"
        while not any(one.max_tokens == 0 for one in bridge.engine.requests):
            await asyncio.sleep(0.005)
        assert bridge.mind.store.turns("marta") == ()


async def test_a_hint_for_nobody_is_an_error_and_too_many_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    warm = Mind.warm

    def slowly(self: Mind, npc: str, player: str | None = None) -> object:
        begun.set()
        go_on.wait(30)
        return warm(self, npc, player)

    monkeypatch.setattr(Mind, "warm", slowly)
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        assert (await client.ask(type="warm", id=1, npc="nobody"))["code"] == "unknown_id"
        assert (await client.ask(type="warm", id=2, npc="marta", player="marta"))["code"] == "invalid_input"
        answers = [await client.ask(type="warm", id=3 + n, npc="marta", player=f"p{n}") for n in range(MOST_HINTS + 1)]
        assert begun.wait(30)
        assert [one["type"] for one in answers] == ["ok"] * MOST_HINTS + ["error"]
        assert answers[-1]["code"] == "busy"
        assert answers[-1]["details"]["retry_after"] > 0
        assert (await client.ask(type="ping", id=999))["type"] == "pong"
        go_on.set()


async def test_the_newest_hint_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()
    order: list[str | None] = []

    def warm(self: Mind, npc: str, player: str | None = None) -> None:
        order.append(player)
        begun.set()
        assert go_on.wait(30)
        if len(order) == 4:
            done.set()

    monkeypatch.setattr(Mind, "warm", warm)
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        await client.ask(type="warm", id=1, npc="marta", player="p1")
        assert await asyncio.to_thread(begun.wait, 30)
        for number in (2, 3, 4, 2, 1):
            await client.ask(type="warm", id=10 * number + len(client.seen), npc="marta", player=f"p{number}")
        go_on.set()
        assert await asyncio.to_thread(done.wait, 30)
    assert order == ["p1", "p2", "p4", "p3"]
